import type { Query, FieldType as SelectItem } from '@jetstreamapp/soql-parser-js';
import type { ObjectDef } from '../schema/types.ts';
import type { Row, Value } from '../store/row.ts';
import type { Store } from '../store/store.ts';
import { compareValues } from './compare.ts';
import { malformed } from './parse.ts';
import { type FieldPath, readPath, resolvePath } from './path.ts';
import type { QueryRecord } from './project.ts';

type Column = { readonly name: string; readonly of: (rows: readonly Row[]) => Value };

/** Whether a query answers groups (`AggregateResult`) in place of records. */
export function isAggregate(query: Query): boolean {
  if (query.groupBy !== undefined) return true;
  return (query.fields ?? []).some((item) => item.type === 'FieldFunctionExpression' && item.isAggregateFn);
}

/** The groups of the given rows, in order of appearance. HAVING, ORDER BY, ROLLUP and CUBE are not covered. */
export function aggregate(
  store: Store,
  object: ObjectDef,
  query: Query,
  rows: readonly Row[],
): readonly QueryRecord[] {
  if (query.having !== undefined) throw malformed('HAVING is not part of this simulator');
  if (query.orderBy !== undefined) throw malformed('ORDER BY of groups is not part of this simulator');
  const resolve = (name: string) => resolvePath(store, object, name, query.sObjectAlias);
  const keys = (query.groupBy === undefined ? [] : [query.groupBy].flat()).map((clause) => {
    if (!('field' in clause)) throw malformed('GROUP BY of a function is not part of this simulator');
    return resolve(clause.field);
  });
  let unnamed = 0;
  const columns = (query.fields ?? []).map((item) => {
    const column = compileColumn(store, item, resolve);
    if (column.name !== '') return column;
    unnamed += 1;
    return { ...column, name: `expr${unnamed - 1}` };
  });
  const keyOf = (row: Row) => JSON.stringify(keys.map((key) => readPath(store, row, key)));
  const groups = keys.length === 0 ? [rows] : [...Map.groupBy(rows, keyOf).values()];
  return groups.slice(query.offset ?? 0, query.limit).map((group) => ({
    attributes: { type: 'AggregateResult' },
    ...Object.fromEntries(columns.map(({ name, of }) => [name, of(group)])),
  }));
}

function compileColumn(store: Store, item: SelectItem, resolve: (name: string) => FieldPath): Column {
  if (item.type === 'Field' || item.type === 'FieldRelationship') {
    const dotted = item.type === 'Field' ? item.field : [...item.relationships, item.field].join('.');
    const path = resolve(dotted);
    const name = ('alias' in item ? item.alias : undefined) ?? path.field.name;
    return { name, of: ([first]) => (first === undefined ? null : readPath(store, first, path)) };
  }
  if (item.type !== 'FieldFunctionExpression') throw malformed('a sub-query cannot be grouped');
  const [parameter] = item.parameters;
  const path = typeof parameter === 'string' ? resolve(parameter) : null;
  const values = (rows: readonly Row[]) =>
    path === null ? [] : rows.map((row) => readPath(store, row, path)).filter((value) => value !== null);
  const name = item.alias ?? '';
  const sorted = (rows: readonly Row[]) =>
    path === null ? [] : values(rows).sort((a, b) => compareValues(path.field, a, b));
  const sum = (rows: readonly Row[]) =>
    values(rows).reduce<number>((total, value) => total + Number(value), 0);
  switch (item.functionName.toUpperCase()) {
    case 'COUNT':
      return { name, of: (rows) => (path === null ? rows.length : values(rows).length) };
    case 'COUNT_DISTINCT':
      return { name, of: (rows) => new Set(values(rows)).size };
    case 'SUM':
      return { name, of: (rows) => (values(rows).length === 0 ? null : sum(rows)) };
    case 'AVG':
      return { name, of: (rows) => (values(rows).length === 0 ? null : sum(rows) / values(rows).length) };
    case 'MIN':
      return { name, of: (rows) => sorted(rows)[0] ?? null };
    case 'MAX':
      return { name, of: (rows) => sorted(rows).at(-1) ?? null };
    default:
      throw malformed(`the function ${item.functionName} is not supported here`);
  }
}
