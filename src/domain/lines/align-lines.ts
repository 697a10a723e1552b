import type { OfferLine } from '../record/canonical.ts';
import { type LineRule, sameAmount, sameOffer, samePlace } from './line-rules.ts';
import { matchLines, preferring } from './match-lines.ts';
import { sameLine } from './same-line.ts';

const RULES: readonly LineRule[] = preferring(samePlace, [sameLine, sameOffer, sameAmount]);

/**
 * Which line of the vendor's former array each present one is, by position; null for a line that was added. A line
 * has no id at the vendor: equal content is surest, then its offer, then its amount, each first where the line still
 * stands in its place. One to one.
 */
export function alignLines(
  before: readonly OfferLine[],
  now: readonly OfferLine[],
): readonly (number | null)[] {
  const formerly = new Map(matchLines(now, before, RULES).map(({ at }) => [at.left, at.right]));
  return now.map((_, position) => formerly.get(position) ?? null);
}
