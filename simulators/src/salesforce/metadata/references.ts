import { XmlElement } from '@rgrove/parse-xml';
import { childrenOf, textAt } from '../schema/xml.ts';
import type { Component } from './components.ts';
import type { Names } from './names.ts';

/** Which elements name other components. A name that neither the zip nor the org has fails the component. */

type Reference = {
  readonly in: string;
  /** Path of elements; `*` is any element. */
  readonly at: string;
  readonly type: string;
  /** The full name for the element's text; null if the text names nothing of a deployment. */
  readonly name?: (text: string, owner: Component, element: XmlElement) => string | null;
};

const ofOwner = (text: string, { name }: Component): string => `${name}.${text}`;
/** A layout's name begins with its object, a quick action's too. */
const ofObject = (text: string, { name }: Component): string => `${name.split(/[-.]/)[0]}.${text}`;
const REFERENCES: readonly Reference[] = [
  { in: 'CustomApplication', at: 'tabs', type: 'CustomTab' },
  { in: 'CustomApplication', at: 'actionOverrides/content', type: 'FlexiPage' },
  { in: 'CustomApplication', at: 'actionOverrides/pageOrSobjectType', type: 'CustomObject' },
  { in: 'CustomTab', at: 'flexiPage', type: 'FlexiPage' },
  {
    in: 'CustomTab',
    at: 'customObject',
    type: 'CustomObject',
    name: (text, { name }) => (text === 'true' ? name : null),
  },
  { in: 'CustomObject', at: 'actionOverrides/content', type: 'FlexiPage' },
  { in: 'CustomObject', at: 'searchLayouts/listViewButtons', type: 'WebLink', name: ofOwner },
  {
    in: 'CustomObject',
    at: 'compactLayoutAssignment',
    type: 'CompactLayout',
    name: (text, { name }) => (text === 'SYSTEM' ? null : `${name}.${text}`),
  },
  { in: 'CustomObject', at: 'listViews/columns', type: 'CustomField', name: ofOwner },
  { in: 'CustomObject', at: 'listViews/filters/field', type: 'CustomField', name: ofOwner },
  { in: 'CustomObject', at: 'compactLayouts/fields', type: 'CustomField', name: ofOwner },
  { in: 'CustomObject', at: 'fields/referenceTo', type: 'CustomObject' },
  { in: 'Dashboard', at: '*/components/report', type: 'Report' },
  { in: 'FlexiPage', at: 'sobjectType', type: 'CustomObject' },
  { in: 'Flow', at: 'start/object', type: 'CustomObject' },
  { in: 'Flow', at: 'recordLookups/object', type: 'CustomObject' },
  { in: 'Flow', at: 'recordUpdates/object', type: 'CustomObject' },
  { in: 'Flow', at: 'start/filters/field', type: 'CustomField', name: ofFlowObject },
  { in: 'Flow', at: 'recordLookups/filters/field', type: 'CustomField', name: ofFlowObject },
  { in: 'Flow', at: 'recordLookups/queriedFields', type: 'CustomField', name: ofFlowObject },
  { in: 'Flow', at: 'recordUpdates/inputAssignments/field', type: 'CustomField', name: ofFlowObject },
  {
    in: 'LeadConvertSettings',
    at: 'objectMapping/mappingFields/inputField',
    type: 'CustomField',
    name: (text) => `Lead.${text}`,
  },
  { in: 'LeadConvertSettings', at: 'objectMapping/mappingFields/outputField', type: 'CustomField', name: ofOutput },
  { in: 'Layout', at: 'layoutSections/layoutColumns/layoutItems/field', type: 'CustomField', name: ofObject },
  { in: 'PermissionSet', at: 'applicationVisibilities/application', type: 'CustomApplication' },
  { in: 'PermissionSet', at: 'customPermissions/name', type: 'CustomPermission' },
  { in: 'PermissionSet', at: 'fieldPermissions/field', type: 'CustomField' },
  { in: 'PermissionSet', at: 'flowAccesses/flow', type: 'Flow' },
  { in: 'PermissionSet', at: 'objectPermissions/object', type: 'CustomObject' },
  { in: 'PermissionSet', at: 'tabSettings/tab', type: 'CustomTab' },
  { in: 'QuickAction', at: 'flowDefinition', type: 'Flow' },
  { in: 'QuickAction', at: 'fieldOverrides/field', type: 'CustomField', name: ofObject },
  {
    in: 'Report',
    at: 'reportType',
    type: 'ReportType',
    name: (text) => (text.endsWith('__c') ? text.slice(0, -3) : null),
  },
  { in: 'ReportType', at: 'baseObject', type: 'CustomObject' },
  { in: 'ReportType', at: 'sections/columns/field', type: 'CustomField', name: ofTable },
];

/** The field of a column of a report type, whose table is an object or a relationship of the base object. */
function ofTable(text: string, _: Component, element: XmlElement): string | null {
  const table = element.parent instanceof XmlElement ? textAt(element.parent, 'table') : undefined;
  return table === undefined || table.includes('.') ? null : `${table}.${text}`;
}

/** The field of the object that a mapping of a lead's fields fills. */
function ofOutput(text: string, _: Component, { parent }: XmlElement): string | null {
  const mapping = parent instanceof XmlElement && parent.parent instanceof XmlElement ? parent.parent : undefined;
  return `${(mapping && textAt(mapping, 'outputObject')) ?? ''}.${text}`;
}

/** The field of the object that the element of the flow, or the start, names. */
function ofFlowObject(text: string, _: Component, element: XmlElement): string | null {
  for (let here = element.parent; here instanceof XmlElement; here = here.parent) {
    const object = textAt(here, 'object');
    if (object !== undefined) return `${object}.${text}`;
  }
  return null;
}

/** What a component names and neither the zip nor the org has, in the words of the Metadata API. */
export function referenceProblems(component: Component, names: Names): readonly string[] {
  return REFERENCES.filter((one) => one.in === component.type).flatMap(
    ({ at, type, name = (text: string) => text }) => {
      const path = at.split('/');
      return elementsAt(component.root, path).flatMap((element) => {
        const full = name(element.text.trim(), component, element);
        if (full === null || names.has(type, full)) return [];
        return [`In field: ${path.at(-1)} - no ${type} named ${full} found`];
      });
    },
  );
}

function elementsAt(parent: XmlElement, [first, ...rest]: readonly string[]): readonly XmlElement[] {
  if (first === undefined) return [parent];
  const children =
    first === '*' ? parent.children.filter((one) => one instanceof XmlElement) : childrenOf(parent, first);
  return children.flatMap((child) => elementsAt(child, rest));
}
