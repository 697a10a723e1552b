import type {
  Condition,
  FunctionExp,
  GroupByClause,
  Query,
  FieldType as SelectItem,
  WhereClause,
} from '@jetstreamapp/soql-parser-js';
import { isGroupable } from '../schema/describe.ts';
import { field as fieldOf } from '../schema/fields.ts';
import type { FieldDef, ObjectDef } from '../schema/types.ts';
import type { Row, Value } from '../store/row.ts';
import type { Store } from '../store/store.ts';
import { aggregateFunction } from './aggregate-functions.ts';
import { compileTest, type TestContext } from './condition.ts';
import { comparable } from './currencies.ts';
import { dateFunctionValue, fieldValue, isDateFunction, type RowValue } from './date-functions.ts';
import { type GroupingSets, groupingSets } from './grouping-sets.ts';
import { comparerOf, sortBy } from './order.ts';
import { invalidField, malformed } from './parse.ts';
import { resolvePath } from './path.ts';
import type { QueryRecord } from './project.ts';
import { compileWhere } from './where.ts';
import { readWhere } from './where-tree.ts';

type AggregateContext = TestContext & { readonly store: Store };

/** A group of rows with equal values of some keys; `addedUp` contains the other keys. */
type Group = { readonly rows: readonly Row[]; readonly addedUp: ReadonlySet<Key> };

type GroupRead = { readonly field: FieldDef; readonly of: (group: Group) => Value };

/** An expression of GROUP BY: its text, by which other clauses refer to it, and its value. */
type Key = { readonly text: string; readonly value: RowValue };

type Grouping = {
  readonly keys: readonly Key[];
  /** The indexes of the keys of each grouping set. */
  readonly sets: GroupingSets['sets'];
  /** Values to add up or compare: amounts in the corporate currency. */
  readonly resolve: (name: string) => RowValue;
  readonly dateFunction: (fn: FunctionExp) => RowValue;
};

const IS_SUBTOTAL = fieldOf('Grouping', 'int');

/** Whether a query's answer contains groups (`AggregateResult`) instead of records. */
export function isAggregate(query: Query): boolean {
  if (query.groupBy !== undefined) return true;
  return (query.fields ?? []).some((item) => item.type === 'FieldFunctionExpression' && item.isAggregateFn);
}

/** The groups of the given rows, in order of appearance if there is no ORDER BY; subtotals come after the groups they summarise. */
export function aggregate(
  context: AggregateContext,
  object: ObjectDef,
  query: Query,
  rows: readonly Row[],
): readonly QueryRecord[] {
  checkWhole(query);
  const grouping = compileGrouping(context, object, query);
  const columns = nameColumns(query.fields ?? [], grouping);
  checkAliases(query.fields ?? []);
  const isWanted = compileWhere(readWhere(query.having as WhereClause | undefined, 'HAVING'), (condition) => {
    const { field, of } = groupValue(grouping, condition as Condition);
    const test = compileTest(context, field, condition);
    return (group: Group) => test(of(group));
  });
  const comparers = [query.orderBy ?? []].flat().map((clause) => {
    const { field, of } = groupValue(grouping, clause);
    return comparerOf<Group>(clause, field, of);
  });
  const groups = groupRows(rows, grouping).filter(isWanted);
  const offset = query.offset ?? 0;
  const end = query.limit === undefined ? undefined : offset + query.limit;
  return sortBy(groups, comparers)
    .slice(offset, end)
    .map((group) => ({
      attributes: { type: 'AggregateResult' },
      ...Object.fromEntries(columns.map(({ name, of }) => [name, of(group)])),
    }));
}

/** Refuses LIMIT and OFFSET for a query without GROUP BY, whose only group contains all rows. */
function checkWhole({ groupBy, limit, offset }: Query): void {
  const clause = limit === undefined ? 'OFFSET' : 'LIMIT';
  if (groupBy !== undefined || (limit === undefined && offset === undefined)) return;
  throw malformed(`Non-grouped query that uses overall aggregate functions cannot also use ${clause}`);
}

function compileGrouping({ store, timeZone }: AggregateContext, object: ObjectDef, query: Query): Grouping {
  const alias = query.sObjectAlias;
  const resolve = (name: string) => {
    const path = resolvePath(store, object, name, alias);
    return { field: path.field, of: comparable(store, path) };
  };
  const dateFunction = (fn: FunctionExp) => dateFunctionValue({ store, object, alias, timeZone }, fn);
  const { clauses, sets } = groupingSets([query.groupBy ?? []].flat());
  const keys = clauses.map((clause) => ({
    text: textOf(clause),
    value: 'field' in clause ? groupableValue(store, object, clause.field, alias) : dateFunction(clause.fn),
  }));
  return { keys, sets, resolve, dateFunction };
}

function groupableValue(store: Store, object: ObjectDef, name: string, alias: string | undefined): RowValue {
  const value = fieldValue(store, object, name, alias, 'grouped');
  if (isGroupable(value.field)) return value;
  throw invalidField(`field '${value.field.name}' can not be grouped in a query call`, name);
}

function textOf(clause: GroupByClause | { readonly field: string } | { readonly fn: FunctionExp }): string {
  const text = 'field' in clause ? clause.field : (clause.fn.rawValue ?? clause.fn.functionName ?? '');
  return text.replace(/\s+/g, '').toLowerCase();
}

function groupRows(rows: readonly Row[], { keys, sets }: Grouping): readonly Group[] {
  return sets.flatMap((places) => {
    const addedUp = new Set(keys.filter((_, place) => !places.includes(place)));
    const shared = keys.filter((key) => !addedUp.has(key));
    // Without rows, an ungrouped query still has its total, but subtotals of GROUP BY have none.
    if (shared.length === 0) return keys.length > 0 && rows.length === 0 ? [] : [{ rows, addedUp }];
    const keyOf = (row: Row) => JSON.stringify(shared.map(({ value }) => value.of(row)));
    return Array.from(Map.groupBy(rows, keyOf).values(), (some) => ({ rows: some, addedUp }));
  });
}

/** The value of a group in a clause: a key of the grouping, or an aggregate. */
function groupValue(grouping: Grouping, clause: object): GroupRead {
  if ('fn' in clause) {
    const fn = clause.fn as FunctionExp;
    if (fn.functionName?.toUpperCase() === 'GROUPING') return isSubtotal(grouping, fn);
    if (!isDateFunction(fn.functionName)) {
      const { field, of } = aggregateFunction(fn, grouping.resolve);
      return { field, of: ({ rows }) => of(rows) };
    }
    return keyValue(grouping, fn.rawValue ?? '', textOf({ fn }));
  }
  if ('field' in clause) return keyValue(grouping, String(clause.field), textOf({ field: String(clause.field) }));
  throw malformed('unexpected token: NOT');
}

function keyValue({ keys }: Grouping, spelled: string, text: string): GroupRead {
  const key = keys.find((each) => each.text === text);
  if (key === undefined) throw malformed(`Field must be grouped or aggregated: ${spelled}`);
  const { field, of } = key.value;
  return {
    field,
    of: ({ rows: [first], addedUp }) => (first === undefined || addedUp.has(key) ? null : of(first)),
  };
}

/** `GROUPING(field)`: 1 if a row adds up over the field's values, else 0 (SOQL reference: "GROUP BY ROLLUP"). */
function isSubtotal({ keys, sets }: Grouping, fn: FunctionExp): GroupRead {
  const [name] = fn.parameters ?? [];
  const key = keys.find(({ text }) => typeof name === 'string' && text === textOf({ field: name }));
  if (key === undefined || sets.length === 1) {
    throw malformed('GROUPING takes a field of GROUP BY ROLLUP or GROUP BY CUBE');
  }
  return { field: IS_SUBTOTAL, of: ({ addedUp }) => (addedUp.has(key) ? 1 : 0) };
}

function checkAliases(items: readonly SelectItem[]): void {
  const aliases = items.flatMap((item) => ('alias' in item && item.alias !== undefined ? [item.alias] : []));
  const twin = aliases.find((alias, place) =>
    aliases.slice(0, place).some((other) => other.toLowerCase() === alias.toLowerCase()),
  );
  if (twin !== undefined) throw malformed(`duplicate alias: ${twin}`);
}

type Column = { readonly name: string; readonly of: GroupRead['of'] };

/** The SELECT list; expressions without an alias are called `expr0`, `expr1` and so on. */
function nameColumns(items: readonly SelectItem[], grouping: Grouping): readonly Column[] {
  let unnamed = 0;
  return items.map((item) => {
    if (item.type === 'FieldFunctionExpression') {
      const name = item.alias ?? `expr${unnamed}`;
      if (item.alias === undefined) unnamed += 1;
      return { name, of: groupValue(grouping, { fn: item as FunctionExp }).of };
    }
    if (item.type !== 'Field' && item.type !== 'FieldRelationship') throw malformed('a sub-query cannot be grouped');
    const dotted = item.type === 'Field' ? item.field : [...item.relationships, item.field].join('.');
    const { field, of } = groupValue(grouping, { field: dotted });
    return { name: ('alias' in item ? item.alias : undefined) ?? field.name, of };
  });
}
