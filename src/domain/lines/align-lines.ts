import type { OfferLine } from '../record/canonical.ts';
import { sameLine } from './same-line.ts';

type Rule = (before: OfferLine, now: OfferLine, samePlace: boolean) => boolean;

const sameOffer: Rule = (before, now) => before.offerNameId === now.offerNameId;
const sameAmount: Rule = (before, now) => before.amount !== null && before.amount === now.amount;

/**
 * Which line of the vendor's former array each present one is, by position; null for a line that was added. A line
 * has no id at the vendor: equal content is surest, then its offer, then its amount, each first where the line still
 * stands in its place. One to one.
 */
export function alignLines(
  before: readonly OfferLine[],
  now: readonly OfferLine[],
): readonly (number | null)[] {
  const rules: readonly Rule[] = [sameLine, sameOffer, sameAmount].flatMap((rule: Rule) => [
    (a, b, samePlace) => samePlace && rule(a, b, samePlace),
    rule,
  ]);
  const formerly: (number | null)[] = now.map(() => null);
  const found = new Set<number>();
  for (const rule of rules) {
    for (const [at, line] of now.entries()) {
      if (formerly[at] !== null) continue;
      const position = before.findIndex((old, index) => !found.has(index) && rule(old, line, index === at));
      if (position < 0) continue;
      formerly[at] = position;
      found.add(position);
    }
  }
  return formerly;
}
