import type { Org } from '../org.ts';
import type { FieldDef, ObjectDef } from '../schema/types.ts';
import { runSoql } from '../soql/execute.ts';
import { explainSoql } from '../soql/explain.ts';
import { queryEnv } from '../soql/query-env.ts';
import { notFound } from '../store/failure.ts';
import { withSuffix } from '../store/ids.ts';
import { type ApiAnswer, type ApiRequest, objectAt, type Params, type Route } from './route.ts';

const DEFAULT_ROWS = 25;
const MAX_ROWS = 2000;

/** The only list view of an object: all its rows. Its id is made from the object's key prefix. */
function viewOf({ name, labelPlural, keyPrefix }: ObjectDef, base: string): Record<string, unknown> {
  const id = withSuffix(`00B000000000${keyPrefix}`);
  const url = `${base}/sobjects/${name}/listviews/${id}`;
  return {
    describeUrl: `${url}/describe`,
    developerName: `All${name.replace('__c', '')}`,
    id,
    label: `All ${labelPlural}`,
    resultsUrl: `${url}/results`,
    soqlCompatible: true,
    url,
  };
}

const isShown = ({ name, type }: FieldDef) => name === 'Name' || type === 'phone' || name === 'CreatedDate';

function columnsOf(object: ObjectDef): readonly Record<string, unknown>[] {
  const shown = [...object.fields.values()].filter(isShown).map(({ name, label, type }) => ({
    ...columnOf(name, label, type),
    hidden: false,
    sortable: true,
  }));
  return [...shown, { ...columnOf('Id', 'Record ID', 'id'), hidden: true, sortable: false }];
}

function columnOf(fieldNameOrPath: string, label: string, type: string): Record<string, unknown> {
  return {
    ascendingLabel: null,
    descendingLabel: null,
    fieldNameOrPath,
    label,
    selectListItem: fieldNameOrPath,
    sortDirection: null,
    sortIndex: null,
    type,
  };
}

function queryOf(object: ObjectDef): string {
  const names = columnsOf(object).map(({ selectListItem }) => selectListItem);
  return `SELECT ${names.join(', ')} FROM ${object.name} ORDER BY Id`;
}

/** The object whose list view a path names. Throws 404. */
function objectOfView(org: Org, request: ApiRequest, params: Params): ObjectDef {
  const object = objectAt(org, params['type']);
  if (viewOf(object, request.base)['id'] !== params['view']) throw notFound();
  return object;
}

function describeView(org: Org, request: ApiRequest, params: Params): ApiAnswer {
  const object = objectOfView(org, request, params);
  return {
    status: 200,
    body: {
      columns: columnsOf(object),
      id: params['view'],
      orderBy: [{ fieldNameOrPath: 'Id', nullsPosition: 'first', sortDirection: 'ascending' }],
      query: queryOf(object),
      relatedEntityId: null,
      scope: 'everything',
      sobjectType: object.name,
      whereCondition: { conditions: [], conjunction: 'and' },
    },
  };
}

function results(org: Org, request: ApiRequest, params: Params): ApiAnswer {
  const object = objectOfView(org, request, params);
  const limit = Math.min(Number(request.query.get('limit') ?? DEFAULT_ROWS), MAX_ROWS);
  const offset = Number(request.query.get('offset') ?? 0);
  const env = queryEnv(org, request.userId, { base: request.base });
  const { records } = runSoql(env, `${queryOf(object)} LIMIT ${limit} OFFSET ${offset}`);
  const view = viewOf(object, request.base);
  return {
    status: 200,
    body: {
      columns: columnsOf(object),
      developerName: view['developerName'],
      done: records.length < limit,
      id: view['id'],
      label: view['label'],
      records: records.map(({ attributes: _, ...values }) => ({
        columns: Object.entries(values).map(([fieldNameOrPath, value]) => ({ fieldNameOrPath, value })),
      })),
      size: records.length,
    },
  };
}

/** The query plan of a list view, which `explain` accepts instead of SOQL; null for other texts. */
export function explainView(org: Org, request: ApiRequest, id: string): object | null {
  const object = org.store.schema.objects.find((each) => viewOf(each, request.base)['id'] === id);
  if (object === undefined) return null;
  const env = queryEnv(org, request.userId, { base: request.base });
  return explainSoql(env, queryOf(object));
}

/** Lists of an object's rows, as the pages of an org show them. */
export const LIST_VIEW_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    pattern: '/sobjects/:type/listviews',
    operation: 'listViews',
    handle: (org, request, params) => {
      const object = objectAt(org, params['type']);
      const listviews = [viewOf(object, request.base)];
      const page = { done: true, nextRecordsUrl: null, size: 1 };
      return { status: 200, body: { ...page, listviews, sobjectType: object.name } };
    },
  },
  {
    method: 'GET',
    pattern: '/sobjects/:type/listviews/:view/describe',
    operation: 'listViews.describe',
    handle: describeView,
  },
  {
    method: 'GET',
    pattern: '/sobjects/:type/listviews/:view/results',
    operation: 'listViews.results',
    handle: results,
  },
];
