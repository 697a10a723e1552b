import type { OrderByClause } from '@jetstreamapp/soql-parser-js';
import type { FieldDef } from '../schema/types.ts';
import type { Value } from '../store/row.ts';
import { compareValues } from './compare.ts';

type Comparer<T> = (a: T, b: T) => number;

/** Compares by one clause of ORDER BY. Nulls come first in both directions, unless the clause says NULLS LAST. */
export function comparerOf<T>(clause: OrderByClause, field: FieldDef, of: (subject: T) => Value): Comparer<T> {
  const direction = clause.order === 'DESC' ? -1 : 1;
  const nulls = clause.nulls === 'LAST' ? 1 : -1;
  return (a, b) => {
    const left = of(a);
    const right = of(b);
    if (left === null || right === null) return nulls * (Number(left === null) - Number(right === null));
    return direction * compareValues(field, left, right);
  };
}

/** Sorts by the first clause in which two values differ. The sort is stable. */
export function sortBy<T>(subjects: readonly T[], comparers: readonly Comparer<T>[]): readonly T[] {
  if (comparers.length === 0) return subjects;
  return subjects.toSorted((a, b) => {
    for (const compare of comparers) {
      const result = compare(a, b);
      if (result !== 0) return result;
    }
    return 0;
  });
}
