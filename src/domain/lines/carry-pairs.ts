import type { LinePair } from '../record/base.ts';
import type { OfferLine } from '../record/canonical.ts';
import { alignLines } from './align-lines.ts';
import { isAmong, sameId, sameOffer, sameOfferAndAmount } from './line-rules.ts';
import { preferring } from './match-lines.ts';
import { pairsBy } from './pair-lines.ts';

/** The vendor's lines as they were last agreed on, and which CRM line each was. */
export type AgreedLines = { readonly lines: readonly OfferLine[]; readonly pairs: readonly LinePair[] };

/** Two offers of one price are two lines, so an amount alone tells nothing. */
const BY_OFFER = [sameOfferAndAmount, sameOffer];

/**
 * The pairs of the present lines: a vendor line that we sent names its CRM line, one that was there keeps the CRM line
 * it was agreed to be, wherever it stands now, and lines that are new on both sides are one where their offers are.
 */
export function carryPairs(
  agreed: AgreedLines,
  crm: readonly OfferLine[],
  vendor: readonly OfferLine[],
): readonly LinePair[] {
  const formerly = alignLines(agreed.lines, vendor);
  const carried = agreed.pairs.map((pair) => ({ ...pair, position: formerly.indexOf(pair.position) }));
  return pairsBy([sameId, isAmong(carried), ...BY_OFFER], crm, vendor);
}

/**
 * The pairs of lines that both sides agree on, so that lines that say the same are one; what they were before tells
 * twins apart, and lines that a side shows in a normalised form.
 */
export function pairAgreed(
  before: AgreedLines,
  crm: readonly OfferLine[],
  vendor: readonly OfferLine[],
): readonly LinePair[] {
  return pairsBy(preferring(isAmong(carryPairs(before, crm, vendor)), BY_OFFER), crm, vendor);
}
