import type { OrderByClause, Query, QueryBase, FieldType as SelectItem, Subquery } from '@jetstreamapp/soql-parser-js';
import { notSimulated } from '../not-simulated.ts';
import { isFilterable } from '../schema/describe.ts';
import type { ObjectDef } from '../schema/types.ts';
import { failure } from '../store/failure.ts';
import type { Row, Value } from '../store/row.ts';
import type { Store } from '../store/store.ts';
import { type AccessPath, accessPath } from './access-path.ts';
import { aggregate, isAggregate } from './aggregate.ts';
import { compileColumns } from './columns.ts';
import { compileCondition } from './condition.ts';
import { comparable } from './currencies.ts';
import { comparerOf, sortBy } from './order.ts';
import { invalidField, malformed, parseSoql } from './parse.ts';
import { readPath, resolvePath } from './path.ts';
import { BlamingFailure } from './pointer.ts';
import { compileSelect, type QueryRecord } from './project.ts';
import type { QueryEnv } from './query-env.ts';
import { compileScope } from './scope.ts';
import { checkSemiJoins } from './semi-joins.ts';
import { compileWhere, type Predicate } from './where.ts';
import { readWhere } from './where-tree.ts';

export type QueryAnswer = {
  readonly totalSize: number;
  readonly records: readonly QueryRecord[];
  /** The rows that a query with FOR VIEW or FOR REFERENCE marks as recently viewed. */
  readonly looked?: { readonly type: string; readonly ids: readonly string[] };
};

export type QueryTable = {
  readonly object: string;
  /** Paths of the fields, in the spelling of describe. */
  readonly columns: readonly string[];
  /** Reads the rows lazily, when it is called. */
  rows(): Iterable<readonly Value[]>;
};

const MAX_OFFSET = 2000;
/** Row limit of queries that have only one page: groups, and queries with OFFSET. */
const ONE_PAGE = 2000;

/** Runs SOQL over the store. Throws MALFORMED_QUERY, INVALID_FIELD or INVALID_TYPE as Salesforce does. */
export function runSoql(env: QueryEnv, soql: string): QueryAnswer {
  return runQuery(env, parseSoql(soql));
}

/**
 * Runs SOQL whose answer is a table: fields of the object and its parents, no groups and no lists of children. Throws as `runSoql` does,
 * and MALFORMED_QUERY for a query whose answer is no table.
 */
export function runSoqlTable(env: QueryEnv, soql: string): QueryTable {
  const query = parseSoql(soql);
  const object = objectOf(env.store, query.sObject ?? '');
  const columns = compileColumns(env.store, object, query);
  return {
    object: object.name,
    columns: columns.map(({ name }) => name),
    *rows() {
      for (const row of pick(env, object, query)) {
        yield columns.map(({ of }) => of(row));
      }
    },
  };
}

function runQuery(env: QueryEnv, query: Query): QueryAnswer {
  if (query.withDataCategory !== undefined) throw notSimulated('WITH DATA CATEGORY');
  const object = objectOf(env.store, query.sObject ?? '');
  const items = query.fields ?? [];
  if (isPlainCount(items)) checkPlainCount(query);
  else if (isAggregate(query)) {
    const context = { ...env, selectValues: (inner: Query) => selectValues(env, inner) };
    const records = aggregate(context, object, query, select(env, object, query));
    checkOnePage(records);
    return { totalSize: records.length, records };
  }
  const rows = pick(env, object, query);
  if (isPlainCount(items)) return { totalSize: rows.length, records: [] };
  const render = compileSelect(
    {
      store: env.store,
      object,
      alias: query.sObjectAlias,
      base: env.base,
      userCurrency: env.userCurrency,
      runChildren: (subquery) => runChildren(env, object, subquery, query.limit),
    },
    items,
    query.limit,
  );
  const records = rows.map(render);
  const isLook = query.for === 'VIEW' || query.for === 'REFERENCE';
  const looked = { type: object.name, ids: rows.map((row) => String(row['Id'])) };
  return { totalSize: records.length, records, ...(isLook && { looked }) };
}

/** Whether a query is `SELECT COUNT()`, whose answer has a size and no records. */
function isPlainCount(items: readonly SelectItem[]): boolean {
  const [only] = items;
  const isFunction = items.length === 1 && only?.type === 'FieldFunctionExpression';
  return isFunction && only.functionName.toUpperCase() === 'COUNT' && only.parameters.length === 0;
}

/** Refuses `COUNT()` with GROUP BY or ORDER BY (SOQL reference, "COUNT()"). */
function checkPlainCount({ groupBy, orderBy }: Query): void {
  const clause = groupBy === undefined ? orderBy && 'ORDER BY' : 'GROUP BY';
  if (clause !== undefined) throw malformed(`COUNT() cannot be used with ${clause}`);
}

/** Refuses more groups than fit on one page, because a GROUP BY query has no locator (SOQL reference, "GROUP BY"). */
function checkOnePage({ length }: readonly unknown[]): void {
  if (length <= ONE_PAGE) return;
  const message = 'Aggregate query does not support queryMore(), use LIMIT to restrict the results to a single batch';
  throw failure(400, 'EXCEEDED_ID_LIMIT', message);
}

/** The object of a FROM clause. Throws INVALID_TYPE. */
export function objectOf(store: Store, name: string): ObjectDef {
  const object = store.schema.object(name);
  if (object !== undefined) return object;
  throw new BlamingFailure(
    'INVALID_TYPE',
    `sObject type '${name}' is not supported. If you are attempting to use a custom object, be sure to append the '__c' after the entity name. Please reference your WSDL or the describe call for the appropriate names.`,
    name,
  );
}

/** How many rows satisfy the WHERE clause. */
export function countRows(env: QueryEnv, object: ObjectDef, query: QueryBase): number {
  return select(env, object, query).length;
}

/** The rows that satisfy the WHERE clause. */
function select(env: QueryEnv, object: ObjectDef, query: QueryBase): readonly Row[] {
  return [...matches(env, object, query).rows];
}

/** The rows that satisfy the WHERE clause, sorted by ORDER BY and cut by OFFSET and LIMIT. */
function pick(env: QueryEnv, object: ObjectDef, query: QueryBase): readonly Row[] {
  const { rows, isOrdered } = matches(env, object, query);
  const end = (query.offset ?? 0) + (query.limit ?? Number.POSITIVE_INFINITY);
  if (!isOrdered) return page(query, order(env, object, query, [...rows]));
  // Rows that are already in order are read only up to LIMIT.
  return page(query, take(rows, end));
}

function take(rows: Iterable<Row>, count: number): readonly Row[] {
  const taken: Row[] = [];
  for (const row of rows) {
    if (taken.length >= count) break;
    taken.push(row);
  }
  return taken;
}

function matches(env: QueryEnv, object: ObjectDef, query: QueryBase & { sObjectAlias?: string }): AccessPath {
  const alias = query.sObjectAlias;
  const tree = readWhere(query.where);
  checkSemiJoins(env.store, object, alias, tree);
  const context = { ...env, object, alias, selectValues: (inner: Query) => selectValues(env, inner) };
  const predicate = compileWhere(tree, (condition) => compileCondition(context, condition));
  const { among = () => true } = env;
  const isInScope = compileScope(env, object, query);
  const isWanted: Predicate = (row) =>
    (env.includeDeleted || row['IsDeleted'] !== true) && among(row) && isInScope(row) && predicate(row);
  const path = accessPath(env, object, query, tree);
  return { ...path, rows: filtered(path.rows, isWanted) };
}

function* filtered(rows: Iterable<Row>, isWanted: Predicate): Iterable<Row> {
  for (const row of rows) if (isWanted(row)) yield row;
}

function selectValues(env: QueryEnv, query: Query): readonly Value[] {
  const object = objectOf(env.store, query.sObject ?? '');
  const item = query.fields?.[0];
  if (query.fields?.length !== 1 || item?.type !== 'Field') {
    throw malformed('a sub-query in WHERE selects exactly one field');
  }
  const path = resolvePath(env.store, object, item.field, query.sObjectAlias);
  return select(env, object, query).map((row) => readPath(env.store, row, path));
}

function order(env: QueryEnv, object: ObjectDef, query: QueryBase, rows: readonly Row[]): readonly Row[] {
  const clauses = query.orderBy === undefined ? [] : [query.orderBy].flat();
  const comparers = clauses.map((clause) => compileOrder(env, object, query, clause));
  return sortBy(rows, comparers);
}

function compileOrder(
  env: QueryEnv,
  object: ObjectDef,
  query: QueryBase,
  clause: OrderByClause,
): (a: Row, b: Row) => number {
  if (!('field' in clause)) {
    const name = clause.fn.functionName?.toUpperCase();
    if (name === 'DISTANCE') throw notSimulated(name);
    throw malformed(`unexpected token: '${clause.fn.rawValue ?? name}'`);
  }
  const path = resolvePath(env.store, object, clause.field, query.sObjectAlias, 'sorted');
  if (!isFilterable(path.field)) {
    throw invalidField(`field '${path.field.name}' can not be sorted in a query call`, clause.field);
  }
  return comparerOf(clause, path.field, comparable(env.store, path));
}

function page(query: QueryBase, rows: readonly Row[]): readonly Row[] {
  const offset = query.offset ?? 0;
  if (offset > MAX_OFFSET) {
    throw failure(400, 'NUMBER_OUTSIDE_VALID_RANGE', `Maximum SOQL offset allowed is ${MAX_OFFSET}`);
  }
  const most = query.limit ?? Number.POSITIVE_INFINITY;
  // With OFFSET only the first batch is returned (SOQL reference, "OFFSET").
  return rows.slice(offset, offset + (query.offset === undefined ? most : Math.min(most, ONE_PAGE)));
}

function runChildren(
  env: QueryEnv,
  parent: ObjectDef,
  subquery: Subquery,
  parentLimit?: number,
): { name: string; of: (row: Row) => unknown } {
  if (subquery.offset !== undefined && parentLimit !== 1) {
    throw malformed('OFFSET in a sub-query needs LIMIT 1 in the query around it');
  }
  const wanted = subquery.relationshipName.toLowerCase();
  const child = env.store.schema
    .children(parent.name)
    .find(({ relationshipName }) => relationshipName?.toLowerCase() === wanted);
  if (!child?.relationshipName) {
    throw new BlamingFailure(
      'INVALID_TYPE',
      `Didn't understand relationship '${subquery.relationshipName}' in FROM part of query call. If you are attempting to use a custom relationship, be sure to append the '__r' after the custom relationship name. Please reference your WSDL or the describe call for the appropriate names.`,
      subquery.relationshipName,
    );
  }
  const object = objectOf(env.store, child.childObject);
  const rows = order(env, object, subquery, select(env, object, subquery));
  const byParent = Map.groupBy(rows, (row) => row[child.field]);
  const render = compileSelect(
    {
      store: env.store,
      object,
      alias: subquery.sObjectAlias,
      base: env.base,
      userCurrency: env.userCurrency,
      runChildren: (inner) => runChildren(env, object, inner, subquery.limit),
    },
    subquery.fields ?? [],
    subquery.limit,
  );
  return {
    name: child.relationshipName,
    of: (row) => {
      const records = page(subquery, byParent.get(row['Id']) ?? []).map(render);
      if (records.length === 0) return null;
      return env.firstPage?.(records) ?? { totalSize: records.length, done: true, records };
    },
  };
}
