import type { QueryBase } from '@jetstreamapp/soql-parser-js';
import type { FieldDef, ObjectDef } from '../schema/types.ts';
import type { Row, Value } from '../store/row.ts';
import { readLiteral } from './literal.ts';
import type { QueryEnv } from './query-env.ts';
import type { WhereTree } from './where-tree.ts';

/** The candidate rows of a query, which include all matching rows. */
export type AccessPath = {
  readonly rows: Iterable<Row>;
  /** Whether the rows are already in the query's order. */
  readonly isOrdered: boolean;
};

/** Timestamps of the platform by which rows have a sorted index. */
const ORDERED: ReadonlySet<string> = new Set(['SystemModstamp', 'LastModifiedDate', 'CreatedDate']);

type Scope = { readonly env: QueryEnv; readonly object: ObjectDef; readonly alias: string | undefined };

/**
 * The smallest set of candidate rows for a query: by ids, by the value of a lookup or external id, by a timestamp's lower bound in its
 * order, or all rows.
 */
export function accessPath(
  env: QueryEnv,
  object: ObjectDef,
  query: QueryBase & { readonly sObjectAlias?: string },
  tree: WhereTree | null,
): AccessPath {
  const scope = { env, object, alias: query.sObjectAlias };
  const found = required(tree).flatMap((term) => byValue(scope, term) ?? []);
  const best = found.toSorted((a, b) => a.length - b.length)[0];
  if (best !== undefined) return { rows: best, isOrdered: false };
  const sorted = stampOrder(scope, query);
  const field = sorted ?? [...ORDERED].find((name) => bound(scope, tree, name) !== null);
  if (field === undefined) return { rows: env.store.rows(object.name), isOrdered: false };
  const from = bound(scope, tree, field) ?? '';
  return { rows: env.store.sortedFrom(object.name, field, from), isOrdered: sorted !== undefined };
}

/** The terms of a clause that must all be true. */
function required(tree: WhereTree | null): readonly WhereTree[] {
  if (tree === null) return [];
  return tree.kind === 'and' ? tree.terms.flatMap(required) : [tree];
}

/** The field of the object itself in a condition; undefined for a parent's field and for functions. */
function ownField({ object, alias }: Scope, tree: WhereTree): FieldDef | undefined {
  if (tree.kind !== 'condition' || !('field' in tree.condition)) return undefined;
  const steps = tree.condition.field.split('.');
  const isOwn = steps.length === 1 || (steps.length === 2 && steps[0]?.toLowerCase() === alias?.toLowerCase());
  return isOwn ? object.fields.get(steps.at(-1)?.toLowerCase() ?? '') : undefined;
}

/** The values that a condition compares its field with; undefined if they are not constants. */
function operands(scope: Scope, field: FieldDef, tree: WhereTree): readonly Value[] | undefined {
  if (tree.kind !== 'condition' || !('value' in tree.condition)) return undefined;
  const { condition } = tree;
  const types = [condition.literalType ?? 'STRING'].flat();
  const read = [condition.value].flat().map((raw, i) => {
    const operand = readLiteral(field, raw, types[i] ?? types[0] ?? 'STRING', scope.env, field.name);
    return operand.kind === 'value' ? operand.value : undefined;
  });
  return read.every((value) => value !== undefined) ? read : undefined;
}

/** The rows with one of the values that a condition allows, if its field has an index. */
function byValue(scope: Scope, tree: WhereTree): readonly (readonly Row[])[] | undefined {
  const field = ownField(scope, tree);
  const isEqual =
    tree.kind === 'condition' && 'operator' in tree.condition && ['=', 'IN'].includes(tree.condition.operator);
  if (field === undefined || !isEqual || !isSelective(field)) return undefined;
  const values = operands(scope, field, tree);
  if (values === undefined || values.includes(null)) return undefined;
  const { store } = scope.env;
  const { name } = scope.object;
  const rows = [...new Set(values)].flatMap((value) => {
    if (field.type !== 'id') return store.find(name, field, value);
    return store.get(name, String(value)) ?? [];
  });
  // Texts that differ only in letter case find the same rows, so each row counts once.
  return [[...new Set(rows)]];
}

function isSelective({ type, unique, externalId, reference }: FieldDef): boolean {
  return type === 'id' || unique || externalId || (reference !== null && reference.to !== 'User');
}

/** The timestamp by which ORDER BY sorts ascending, before at most the id; otherwise undefined. */
function stampOrder({ object }: Scope, { orderBy }: QueryBase): string | undefined {
  const [first, second, ...more] = [orderBy ?? []].flat();
  if (first === undefined || !('field' in first) || more.length > 0) return undefined;
  const isRising = [first, second].every((each) => each === undefined || each.order !== 'DESC');
  const isById = second === undefined || ('field' in second && second.field.toLowerCase() === 'id');
  const field = object.fields.get(first.field.toLowerCase())?.name;
  return isRising && isById && field !== undefined && ORDERED.has(field) ? field : undefined;
}

/** The smallest value of a timestamp that can satisfy a clause; null if the clause sets no lower bound. */
function bound(scope: Scope, tree: WhereTree | null, name: string): string | null {
  if (tree === null || tree.kind === 'not') return null;
  if (tree.kind === 'condition') return boundOf(scope, tree, name);
  const bounds = tree.terms.map((term) => bound(scope, term, name));
  const known = bounds.filter((each) => each !== null).toSorted();
  // AND: the greatest bound of its terms. OR: the least, and only if each term has one.
  if (tree.kind === 'and') return known.at(-1) ?? null;
  return known.length === bounds.length ? (known[0] ?? null) : null;
}

function boundOf(scope: Scope, tree: WhereTree, name: string): string | null {
  const field = ownField(scope, tree);
  const isFrom =
    tree.kind === 'condition' && 'operator' in tree.condition && ['=', '>', '>='].includes(tree.condition.operator);
  if (field?.name !== name || !isFrom) return null;
  const [value] = operands(scope, field, tree) ?? [];
  return typeof value === 'string' ? value : null;
}
