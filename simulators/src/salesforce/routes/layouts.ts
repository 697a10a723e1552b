import type { Org } from '../org.ts';
import type { FieldDef, ObjectDef } from '../schema/types.ts';
import { notFound } from '../store/failure.ts';
import { type ApiAnswer, objectAt, type Params, type Route } from './route.ts';

/** Named layouts that the platform has, by object (REST guide, "sObject Named Layouts"). */
const NAMED: Readonly<Record<string, readonly string[]>> = { User: ['UserAlt'] };
const COMPACT_FIELDS = 4;

/** The one page layout that an object has here: all its fields, in two columns. */
function layoutOf(object: ObjectDef): object {
  const section = (isEdit: boolean) => ({
    columns: 2,
    heading: `${object.label} Information`,
    layoutRows: rowsOf([...object.fields.values()].filter((field) => !isEdit || field.updateable)),
    rows: 0,
    tabOrder: 'LeftToRight',
    useCollapsibleSection: false,
    useHeading: true,
  });
  return {
    buttonLayoutSection: { detailButtons: [] },
    detailLayoutSections: [section(false)],
    editLayoutSections: [section(true)],
    feedView: null,
    highlightsPanelLayoutSection: null,
    id: null,
    multirowEditLayoutSections: [],
    offlineLinks: [],
    quickActionList: { quickActionListItems: [] },
    relatedContent: null,
    relatedLists: [],
    saveOptions: [],
  };
}

function rowsOf(fields: readonly FieldDef[]): readonly object[] {
  const rows = Array.from({ length: Math.ceil(fields.length / 2) }, (_, i) => fields.slice(2 * i, 2 * i + 2));
  return rows.map((pair) => ({ layoutItems: pair.map(itemOf), numItems: pair.length }));
}

function itemOf({ name, label, nillable, updateable, createable }: FieldDef): object {
  return {
    editableForNew: createable,
    editableForUpdate: updateable,
    label,
    layoutComponents: [{ displayLines: 1, tabOrder: 0, type: 'Field', value: name }],
    placeholder: false,
    required: !nillable && createable,
  };
}

function layouts(object: ObjectDef): ApiAnswer {
  const mapping = {
    available: true,
    defaultRecordTypeMapping: true,
    layoutId: null,
    master: true,
    name: 'Master',
    picklistsForRecordType: null,
    recordTypeId: '012000000000000AAA',
  };
  return {
    status: 200,
    body: {
      layouts: [layoutOf(object)],
      recordTypeMappings: [mapping],
      recordTypeSelectorRequired: [false],
    },
  };
}

function namedLayouts(org: Org, params: Params): ApiAnswer {
  const object = objectAt(org, params['type']);
  const wanted = params['layout']?.toLowerCase();
  if (!NAMED[object.name]?.some((name) => name.toLowerCase() === wanted)) throw notFound();
  return layouts(object);
}

/** The compact layout that every object has: its name field, and the first other fields. */
function compactLayouts(object: ObjectDef): ApiAnswer {
  const fields = [...object.fields.values()].filter(({ type }) => type === 'string').slice(0, COMPACT_FIELDS);
  const layout = {
    actions: [],
    fieldItems: fields.map(itemOf),
    id: null,
    imageItems: [],
    label: 'System Default',
    name: 'SYSTEM',
    objectType: object.name,
  };
  const mapping = {
    available: true,
    compactLayoutId: null,
    compactLayoutName: 'SYSTEM',
    recordTypeId: '012000000000000AAA',
    recordTypeName: 'Master',
  };
  return {
    status: 200,
    body: {
      compactLayouts: [layout],
      defaultCompactLayoutId: null,
      recordTypeCompactLayoutMappings: [mapping],
    },
  };
}

/** Page layouts of objects, which are always the default ones. There are no approval processes. */
export const LAYOUT_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    pattern: '/sobjects/:type/describe/layouts',
    operation: 'describe.layouts',
    handle: (org, _request, params) => layouts(objectAt(org, params['type'])),
  },
  {
    method: 'GET',
    pattern: '/sobjects/:type/describe/namedLayouts/:layout',
    operation: 'describe.namedLayouts',
    handle: (org, _request, params) => namedLayouts(org, params),
  },
  {
    method: 'GET',
    pattern: '/sobjects/:type/describe/compactLayouts',
    operation: 'describe.compactLayouts',
    handle: (org, _request, params) => compactLayouts(objectAt(org, params['type'])),
  },
  {
    method: 'GET',
    pattern: '/sobjects/:type/describe/approvalLayouts',
    operation: 'describe.approvalLayouts',
    handle: (org, _request, params) => {
      objectAt(org, params['type']);
      return { status: 200, body: { approvalLayouts: [] } };
    },
  },
];
