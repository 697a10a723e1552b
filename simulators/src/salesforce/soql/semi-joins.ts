import type { ConditionWithValueQuery, Query } from '@jetstreamapp/soql-parser-js';
import type { FieldDef, ObjectDef } from '../schema/types.ts';
import type { Store } from '../store/store.ts';
import { malformed } from './parse.ts';
import { resolvePath } from './path.ts';
import { readWhere, type WhereTree } from './where-tree.ts';

type SemiJoin = { readonly condition: ConditionWithValueQuery; readonly query: Query };

const MOST = 2;

/** Clauses that a sub-select may not have, by the parser's property. The wording of their refusal is assumed. */
const NOT_INSIDE = { limit: 'LIMIT', orderBy: 'ORDER BY', groupBy: 'GROUP BY', for: 'FOR', offset: 'OFFSET' };

/**
 * Refuses semi-joins and anti-joins that Salesforce does not allow (SOQL reference: "Comparison Operators"): joined by OR or nested, more
 * than two, within each other, of the same object, between anything but ids of one object. Throws MALFORMED_QUERY.
 */
export function checkSemiJoins(
  store: Store,
  object: ObjectDef,
  alias: string | undefined,
  tree: WhereTree | null,
): void {
  const joins = semiJoinsIn(tree);
  if (joins.length > MOST) throw malformed(`Maximum ${MOST} semi join sub-selects are allowed`);
  for (const { condition, query } of joins) {
    checkInside(query);
    const inner = store.schema.object(query.sObject ?? '');
    // An unknown object is refused when the sub-select runs.
    if (inner === undefined) continue;
    if (inner.name === object.name) {
      throw malformed('The inner and outer selects should not be on the same object type');
    }
    checkFields(store, { object, alias, condition }, inner, query);
  }
}

/** The semi-joins of a WHERE clause. Throws for a semi-join that is nested or joined by OR. */
function semiJoinsIn(tree: WhereTree | null, depth = 0, joinedBy: WhereTree['kind'] = 'and'): readonly SemiJoin[] {
  if (tree === null) return [];
  if (tree.kind === 'not') return semiJoinsIn(tree.term, depth + 1, 'not');
  if (tree.kind !== 'condition') {
    return tree.terms.flatMap((term) => semiJoinsIn(term, depth + 1, tree.kind));
  }
  const { condition } = tree;
  if (!('valueQuery' in condition)) return [];
  if (depth > 1) {
    throw malformed(
      'Semi join sub-selects are only allowed at the top level WHERE expressions and not in nested WHERE expressions.',
    );
  }
  if (joinedBy === 'or') throw malformed("Semi join sub-selects are not allowed with the 'OR' operator");
  return [{ condition, query: condition.valueQuery }];
}

function checkInside(query: Query): void {
  const clause = Object.entries(NOT_INSIDE).find(([key]) => query[key as keyof Query] !== undefined)?.[1];
  if (clause !== undefined) throw malformed(`${clause} is not allowed in semi join sub-selects`);
  if (semiJoinsIn(readWhere(query.where)).length === 0) return;
  throw malformed('Nesting of semi join sub-selects is not supported');
}

type Outer = {
  readonly object: ObjectDef;
  readonly alias: string | undefined;
  readonly condition: ConditionWithValueQuery;
};

function checkFields(store: Store, { object, alias, condition }: Outer, inner: ObjectDef, query: Query): void {
  const [item] = query.fields ?? [];
  if (item?.type !== 'Field' || !('field' in condition)) return;
  const left = endOf(store, object, condition.field, alias);
  const selected = endOf(store, inner, item.field, query.sObjectAlias);
  if (!isId(left.field)) {
    throw malformed(
      `The left operand field in the where expression for outer query should be an id field, cannot use: '${left.field.name}'`,
    );
  }
  if (!isId(selected.field)) {
    throw malformed(`Semi join sub-selects can only query id fields, cannot use: '${selected.field.name}'`);
  }
  if (targetsOf(left).some((target) => targetsOf(selected).includes(target))) return;
  throw malformed(
    `The selected field '${selected.field.name}' in the subquery and the left operand field in the where expression in the outer query '${left.field.name}' should point to the same object type`,
  );
}

type End = { readonly owner: string; readonly field: FieldDef };

function endOf(store: Store, object: ObjectDef, dotted: string, alias: string | undefined): End {
  const { parents, field } = resolvePath(store, object, dotted, alias);
  return { owner: parents.at(-1)?.object.name ?? object.name, field };
}

function isId({ type }: FieldDef): boolean {
  return type === 'id' || type === 'reference';
}

/** The objects whose ids a field holds. */
function targetsOf({ owner, field }: End): readonly string[] {
  return field.reference === null ? [owner] : [field.reference.to, ...field.reference.others];
}
