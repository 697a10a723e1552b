import { type XmlElement, XmlElement as XmlNode } from '@rgrove/parse-xml';
import { ApiSchemas } from 'jsforce/lib/api/metadata/schema.js';

/** The types of the Metadata API's WSDL: no element that a type lacks, none missing that it requires, none twice that it has once. */

type Schema = { readonly props: Readonly<Record<string, unknown>>; readonly extends?: string };

/** Elements of later versions; jsforce's types are of 48.0. A type that is whole here replaces jsforce's. */
const LATER: Readonly<Record<string, Schema>> = {
  FlexiPageRegion: { props: { itemInstances: ['ItemInstance'], mode: '?string', name: 'string', type: 'string' } },
  ItemInstance: { props: { componentInstance: '?ComponentInstance', fieldInstance: '?FieldInstance' } },
  ComponentInstance: {
    props: {
      componentInstanceProperties: ['ComponentInstanceProperty'],
      componentName: 'string',
      identifier: 'string',
      visibilityRule: '?UiFormulaRule',
    },
  },
  ComponentInstanceProperty: {
    props: { name: '?string', type: '?string', value: '?string', valueList: '?ComponentInstancePropertyList' },
  },
  ComponentInstancePropertyList: { props: { valueListItems: ['ComponentInstancePropertyListItem'] } },
  ComponentInstancePropertyListItem: { props: { value: '?string', visibilityRule: '?UiFormulaRule' } },
  FieldInstance: {
    props: {
      fieldInstanceProperties: ['FieldInstanceProperty'],
      fieldItem: 'string',
      identifier: 'string',
      visibilityRule: '?UiFormulaRule',
    },
  },
  FieldInstanceProperty: { props: { name: 'string', type: '?string', value: '?string' } },
  CustomApplication: { props: { isNavTabPersistenceDisabled: '?boolean', isOmniPinnedViewEnabled: '?boolean' } },
  LightningComponentBundle: { props: { targetConfigs: '?TargetConfigs' } },
  CustomNotificationType: { props: { slack: '?boolean' } },
  CustomPermission: { props: { isLicensed: '?boolean' } },
  Flow: { props: { apiVersion: '?number', environments: ['string'], runInMode: '?string' } },
  FlowActionCall: { props: { flowTransactionModel: '?string', nameSegment: '?string' } },
  FlowLoop: { props: { assignNextValueToReference: '?string' } },
  FlowRecordLookup: { props: { filterLogic: '?string' } },
  FlowRecordUpdate: { props: { filterLogic: '?string' } },
  FlowStart: {
    props: {
      doesRequireRecordChangedToMeetCriteria: '?boolean',
      filterLogic: '?string',
      recordTriggerType: '?string',
    },
  },
};
const WHOLE = /^(FlexiPageRegion|ItemInstance|ComponentInstance\w*|FieldInstance\w*)$/;
const OLDER = ApiSchemas as unknown as Readonly<Record<string, Schema>>;

function schemaOf(type: string): Schema | undefined {
  const [older, later] = [OLDER[type], LATER[type]];
  if (older === undefined || later === undefined || WHOLE.test(type)) return later ?? older;
  return { ...older, props: { ...older.props, ...later.props } };
}

/** `?x` once at most, `x` once, `[x]` any number of times. */
type Prop = { readonly type: string; readonly isList: boolean; readonly isRequired: boolean };

function propsOf(type: string): Readonly<Record<string, Prop>> {
  const schema = schemaOf(type);
  if (schema === undefined) return {};
  const own = Object.entries(schema.props).map(([name, given]) => {
    const isList = Array.isArray(given);
    const text = String(isList ? given[0] : given);
    return [name, { type: text.replace(/^\?/, ''), isList, isRequired: !isList && !text.startsWith('?') }] as const;
  });
  return { ...(schema.extends === undefined ? {} : propsOf(schema.extends)), ...Object.fromEntries(own) };
}

const SIMPLE: ReadonlySet<string> = new Set(['string', 'boolean', 'number']);

/** What an element of this type has wrongly, in the words of the Metadata API. */
export function shapeProblems(element: XmlElement, type: string): readonly string[] {
  const props = propsOf(type);
  const given = element.children.filter((child): child is XmlElement => child instanceof XmlNode);
  const count = (name: string): number => given.filter((child) => child.name === name).length;
  return [
    ...given
      .filter(({ name }) => props[name] === undefined)
      .map(({ name }) => `Error parsing file: Element ${name} invalid at this location in type ${type}`),
    ...Object.entries(props).flatMap(([name, { isList, isRequired }]) => {
      if (isRequired && count(name) === 0) return [`Required field is missing: ${name}`];
      return !isList && count(name) > 1
        ? [`Error parsing file: Element ${name} is duplicated at this location in type ${type}`]
        : [];
    }),
    ...given.flatMap((child) => {
      const { type: inner = '' } = props[child.name] ?? {};
      if (SIMPLE.has(inner) && child.children.some((one) => one instanceof XmlNode))
        return [`Error parsing file: Element ${child.name} has elements, and its type ${inner} has none`];
      return schemaOf(inner) === undefined ? [] : shapeProblems(child, inner);
    }),
  ];
}
