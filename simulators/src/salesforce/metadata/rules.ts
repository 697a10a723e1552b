import { XmlElement } from '@rgrove/parse-xml';
import { childrenOf, textAt } from '../schema/xml.ts';
import { bundleProblems } from './bundles.ts';
import type { Component } from './components.ts';
import type { Names } from './names.ts';
import { pageProblems } from './pages.ts';

/** What the Metadata API refuses of a type beside shape and names. */
type Rule = (component: Component, names: Names) => readonly string[];

const RULES: Readonly<Record<string, Rule>> = {
  CustomApplication: applicationProblems,
  CustomObject: masterProblems,
  CustomTab: tabProblems,
  Dashboard: dashboardProblems,
  FlexiPage: pageProblems,
  Flow: flowProblems,
  LightningComponentBundle: bundleProblems,
  PermissionSet: grantProblems,
  QuickAction: actionProblems,
  Report: reportProblems,
};

export function ruleProblems(component: Component, names: Names): readonly string[] {
  return RULES[component.type]?.(component, names) ?? [];
}

const textsOf = (parent: XmlElement, ...path: readonly string[]): readonly string[] => {
  const [first, ...rest] = path;
  if (first === undefined) return [parent.text.trim()];
  return childrenOf(parent, first).flatMap((child) => textsOf(child, ...rest));
};

/** A page stands for the object for which it was made. */
function applicationProblems({ root }: Component, names: Names): readonly string[] {
  return childrenOf(root, 'actionOverrides').flatMap((override) => {
    const [page = '', object] = [textAt(override, 'content'), textAt(override, 'pageOrSobjectType')];
    const made = names.find('FlexiPage', page);
    const of = made && textAt(made.root, 'sobjectType');
    return of === undefined || of === object ? [] : [`The Lightning page ${page} isn't for ${object}`];
  });
}

/** No object can be a detail of leads or users (Help: "Considerations for Object Relationships"). */
function masterProblems({ root }: Component): readonly string[] {
  return childrenOf(root, 'fields')
    .filter((field) => textAt(field, 'type') === 'MasterDetail')
    .filter((field) => ['Lead', 'User'].includes(textAt(field, 'referenceTo') ?? ''))
    .map((field) => `Cannot create a master-detail relationship to ${textAt(field, 'referenceTo')}`);
}

const TAB_KINDS = ['auraComponent', 'customObject', 'flexiPage', 'lwcComponent', 'page', 'url'] as const;

function tabProblems({ root }: Component, names: Names): readonly string[] {
  const kinds = TAB_KINDS.filter((kind) => childrenOf(root, kind).length > 0);
  const page = textAt(root, 'flexiPage');
  const made = page === undefined ? undefined : names.find('FlexiPage', page);
  return [
    ...(kinds.length === 1 ? [] : [`A tab has exactly one of ${TAB_KINDS.join(', ')}`]),
    ...(page !== undefined && textAt(root, 'label') === undefined ? ['Required field is missing: label'] : []),
    ...(made && textAt(made.root, 'type') !== 'AppPage' ? [`The Lightning page ${page} isn't an app page`] : []),
  ];
}

/** A chart groups by what its report groups by. */
function dashboardProblems({ root }: Component, names: Names): readonly string[] {
  const sections = root.children.filter((child): child is XmlElement => child instanceof XmlElement);
  return sections
    .flatMap((section) => childrenOf(section, 'components'))
    .flatMap((component) => {
      const report = names.find('Report', textAt(component, 'report') ?? '');
      const groupings = report === undefined ? null : textsOf(report.root, 'groupingsDown', 'field');
      return textsOf(component, 'groupingColumn')
        .filter((column) => groupings?.includes(column) === false)
        .map((column) => `Invalid field: ${column} is no grouping of the report`);
    });
}

/** The columns of a report are those of its report type. */
function reportProblems({ root }: Component, names: Names): readonly string[] {
  const type = names.find('ReportType', (textAt(root, 'reportType') ?? '').replace(/__c$/, ''));
  if (type === undefined) return [];
  const known = new Set(
    childrenOf(type.root, 'sections')
      .flatMap((section) => childrenOf(section, 'columns'))
      .map((column) => `${textAt(column, 'table')}$${textAt(column, 'field')}`),
  );
  const used = [
    ...textsOf(root, 'columns', 'field'),
    ...textsOf(root, 'groupingsDown', 'field'),
    ...textsOf(root, 'filter', 'criteriaItems', 'column'),
    ...textsOf(root, 'timeFrameFilter', 'dateColumn'),
  ];
  return used
    .filter((column) => !known.has(column))
    .map((column) => `Invalid field: ${column} is no column of the report type`);
}

/** An active flow has every element that its connectors name. */
function flowProblems({ root }: Component): readonly string[] {
  const all = root.children.filter((child): child is XmlElement => child instanceof XmlElement);
  const known = new Set(all.map((element) => textAt(element, 'name')));
  const targets = all.flatMap(connectorsOf).flatMap((connector) => textsOf(connector, 'targetReference'));
  return targets
    .filter((target) => !known.has(target))
    .map((target) => `The connector names the element ${target}, which the flow lacks`);
}

function connectorsOf(element: XmlElement): readonly XmlElement[] {
  const children = element.children.filter((child): child is XmlElement => child instanceof XmlElement);
  return children.flatMap((child) => (/connector$/i.test(child.name) ? [child] : connectorsOf(child)));
}

/** A field that every user sees cannot be granted. */
function grantProblems({ root }: Component, names: Names): readonly string[] {
  return textsOf(root, 'fieldPermissions', 'field').flatMap((name) => {
    const [object = '', field] = name.split('.');
    const made = names.find('CustomObject', object);
    const own = made && childrenOf(made.root, 'fields').find((one) => textAt(one, 'fullName') === field);
    const isForAll = own && (textAt(own, 'type') === 'MasterDetail' || textAt(own, 'required') === 'true');
    return isForAll ? [`You cannot deploy to a required field: ${name}`] : [];
  });
}

/** An action starts a flow that is active and has screens. */
function actionProblems({ root }: Component, names: Names): readonly string[] {
  if (textAt(root, 'type') !== 'Flow') return [];
  const flow = textAt(root, 'flowDefinition');
  if (flow === undefined) return ['Required field is missing: flowDefinition'];
  const made = names.find('Flow', flow);
  if (made === undefined) return [];
  const starts = textAt(made.root, 'status') === 'Active' && textAt(made.root, 'processType') === 'Flow';
  return starts ? [] : [`The flow ${flow} isn't an active screen flow`];
}
