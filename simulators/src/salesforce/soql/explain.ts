import type { Query } from '@jetstreamapp/soql-parser-js';
import type { FieldDef } from '../schema/types.ts';
import { countRows, objectOf } from './execute.ts';
import { parseSoql } from './parse.ts';
import type { QueryEnv } from './query-env.ts';

/** One way to run a query, as the REST guide's "Get Feedback on Query Performance" shows it. */
export type QueryPlan = {
  readonly cardinality: number;
  readonly fields: readonly string[];
  readonly leadingOperationType: 'Index' | 'TableScan';
  readonly notes: readonly object[];
  readonly relativeCost: number;
  readonly sobjectCardinality: number;
  readonly sobjectType: string;
};

/** Fields that the platform indexes in every org, in addition to lookups, external ids and unique fields. */
const INDEXED = new Set(['Id', 'Name', 'OwnerId', 'CreatedDate', 'SystemModstamp', 'RecordTypeId']);

/** The plan of a query: by index if a required condition has an indexed field. Throws as the query would. */
export function explainSoql(env: QueryEnv, soql: string): { plans: readonly QueryPlan[]; sourceQuery: string } {
  const query = parseSoql(soql);
  const object = objectOf(env.store, query.sObject ?? '');
  const named = requiredFields(query).map((name) => object.fields.get(name.toLowerCase()));
  const indexed = named.filter((field) => field !== undefined && isIndexed(field)).map((field) => field?.name ?? '');
  const sobjectCardinality = env.store.count(object.name);
  const cardinality = countRows(env, object, query);
  const notes = named
    .filter((field) => field !== undefined && !isIndexed(field))
    .map((field) => ({
      description: 'Not considering filter for optimization because unindexed',
      fields: [field?.name],
      tableEnumOrId: object.name,
    }));
  const plan: QueryPlan = {
    cardinality,
    fields: indexed,
    leadingOperationType: indexed.length > 0 ? 'Index' : 'TableScan',
    notes,
    relativeCost: sobjectCardinality === 0 ? 0 : cardinality / sobjectCardinality,
    sobjectCardinality,
    sobjectType: object.name,
  };
  return { plans: [plan], sourceQuery: soql };
}

function isIndexed(field: FieldDef): boolean {
  return INDEXED.has(field.name) || field.reference !== null || field.unique || field.externalId;
}

/** Names of fields in conditions joined by AND only; empty if there is an OR or a NOT. */
function requiredFields({ where }: Query): readonly string[] {
  const names: string[] = [];
  let here = where;
  while (here !== undefined) {
    if (here.left === null || ('operator' in here && here.operator !== 'AND')) return [];
    if ('field' in here.left && here.left.operator !== '!=') names.push(here.left.field);
    here = 'right' in here ? here.right : undefined;
  }
  return names;
}
