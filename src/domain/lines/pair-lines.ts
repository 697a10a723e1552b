import type { LinePair } from '../record/base.ts';
import type { OfferLine } from '../record/canonical.ts';
import {
  crmLinesOf,
  isAmong,
  type PairRule,
  sameAmount,
  sameOffer,
  sameOfferAndAmount,
} from './line-rules.ts';
import { matchLines, preferring } from './match-lines.ts';

/**
 * Which CRM line is which of the vendor's lines: by content, by the pairs of the last agreement, by offer, by amount.
 * One to one; lines without a partner are new or deleted. CRM lines without an id are left out. Pairs come in the
 * order of the vendor's array.
 *
 * Equal content comes before the remembered position, because positions shift when the vendor removes a line; a
 * remembered pair of one offer comes before a stranger of that offer.
 */
export function pairLines(
  crmLines: readonly OfferLine[],
  vendorLines: readonly OfferLine[],
  knownPairs: readonly LinePair[],
): readonly LinePair[] {
  const rules = preferring(isAmong(knownPairs), [sameOfferAndAmount, sameOffer, sameAmount]);
  return pairsBy(rules, crmLines, vendorLines);
}

/** The pairs that these rules find, one to one, in the order of the vendor's array. */
export function pairsBy(
  rules: readonly PairRule[],
  crmLines: readonly OfferLine[],
  vendorLines: readonly OfferLine[],
): readonly LinePair[] {
  return matchLines(crmLinesOf(crmLines), vendorLines, rules)
    .map(({ left, at }) => ({ crmLineId: left.crmLineId, position: at.right }))
    .toSorted((one, other) => one.position - other.position);
}
