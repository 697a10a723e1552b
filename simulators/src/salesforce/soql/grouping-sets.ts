import type { FunctionExp, GroupByClause } from '@jetstreamapp/soql-parser-js';
import { malformed } from './parse.ts';

/**
 * The keys of GROUP BY, and the grouping sets as lists of their indexes: `GROUP BY ROLLUP (a, b)` groups by both, by a alone, and by none.
 */
export type GroupingSets = {
  readonly clauses: readonly (GroupByClause | { readonly field: string })[];
  readonly sets: readonly (readonly number[])[];
};

const MOST_FIELDS = 3;

/**
 * Reads GROUP BY, plain or with subtotals, the finest groups first (SOQL reference: "GROUP BY ROLLUP", "GROUP BY CUBE"). Throws
 * MALFORMED_QUERY for a mix of both kinds, and for more than three fields of subtotals.
 */
export function groupingSets(clauses: readonly GroupByClause[]): GroupingSets {
  const [first, ...others] = clauses.map(subtotalsOf);
  if ([first, ...others].every((kind) => kind === undefined)) {
    return { clauses, sets: [clauses.map((_, place) => place)] };
  }
  const [clause] = clauses;
  if (others.length > 0 || first === undefined || clause === undefined || !('fn' in clause)) {
    throw malformed('GROUP BY ROLLUP and GROUP BY CUBE take all fields in their parentheses');
  }
  const fields = (clause.fn.parameters ?? []).map(asClause);
  if (fields.length > MOST_FIELDS) throw malformed(`${first} takes at most ${MOST_FIELDS} fields`);
  const places = fields.map((_, place) => place);
  const sets =
    first === 'ROLLUP'
      ? [...places, places.length].map((from) => places.slice(0, places.length - from))
      : subsets(places);
  return { clauses: fields, sets };
}

type Subtotals = 'ROLLUP' | 'CUBE';

function subtotalsOf(clause: GroupByClause): Subtotals | undefined {
  const name = 'fn' in clause ? clause.fn.functionName?.toUpperCase() : undefined;
  return name === 'ROLLUP' || name === 'CUBE' ? name : undefined;
}

function asClause(parameter: string | FunctionExp): GroupByClause {
  return typeof parameter === 'string' ? { field: parameter } : { fn: parameter };
}

/** All subsets of the keys, largest first, as GROUP BY CUBE needs them. */
function subsets(places: readonly number[]): readonly (readonly number[])[] {
  const all = Array.from({ length: 2 ** places.length }, (_, bits) =>
    places.filter((place) => (bits >> place) % 2 === 1),
  );
  return all.toSorted((a, b) => b.length - a.length);
}
