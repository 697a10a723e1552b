/** Where two items stand, each in its own list. */
export type Places = { readonly left: number; readonly right: number };

/** Whether two items are one: by what they say, or by where they stand. */
export type Rule<L, R> = (left: L, right: R, at: Places) => boolean;

/** Two items that are one. */
export type Match<L, R> = { readonly left: L; readonly right: R; readonly at: Places };

/**
 * Which left item is which right one, one to one, in the order they were found. The rules come surest first: each
 * takes the left items that are still free, in order, and gives each the first free right one that it holds for.
 */
export function matchLines<L, R>(
  left: readonly L[],
  right: readonly R[],
  rules: readonly Rule<L, R>[],
): readonly Match<L, R>[] {
  const matches: Match<L, R>[] = [];
  const freeLeft = new Map(left.entries());
  const freeRight = new Map(right.entries());
  for (const rule of rules) {
    for (const [leftAt, item] of freeLeft) {
      for (const [rightAt, other] of freeRight) {
        const at = { left: leftAt, right: rightAt };
        if (!rule(item, other, at)) continue;
        matches.push({ left: item, right: other, at });
        freeLeft.delete(leftAt);
        freeRight.delete(rightAt);
        break;
      }
    }
  }
  return matches;
}

/** Each of the rules twice: for items that the hint favours, then for any. */
export function preferring<L, R>(hint: Rule<L, R>, rules: readonly Rule<L, R>[]): readonly Rule<L, R>[] {
  return rules.flatMap((rule) => [(left, right, at) => hint(left, right, at) && rule(left, right, at), rule]);
}
