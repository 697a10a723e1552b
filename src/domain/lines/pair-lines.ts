import type { LinePair } from '../record/base.ts';
import type { Observed, OfferLine } from '../record/canonical.ts';
import {
  crmLinesOf,
  isAmong,
  type LineRule,
  matchLines,
  type PairRule,
  preferring,
  sameAmount,
  sameId,
  sameLine,
  sameOffer,
  sameOfferAndAmount,
  samePlace,
} from './match-lines.ts';

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
function pairsBy(
  rules: readonly PairRule[],
  crmLines: readonly OfferLine[],
  vendorLines: readonly OfferLine[],
): readonly LinePair[] {
  return matchLines(crmLinesOf(crmLines), vendorLines, rules)
    .map(({ left, at }) => ({ crmLineId: left.crmLineId, position: at.right }))
    .toSorted((one, other) => one.position - other.position);
}

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

/** The vendor's lines as they were last agreed on, and which CRM line each was. */
type AgreedLines = { readonly lines: readonly OfferLine[]; readonly pairs: readonly LinePair[] };

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

/** Begins our own names of lines that a write creates in the CRM, until an observation shows their ids. */
const CREATED = 'created ';

/**
 * What the CRM shows once a write is applied, the lines that it creates under names of ours: without one, the first
 * edit of such a line looked like a line that both sides added.
 */
export function nameCreatedLines(observed: Observed): Observed {
  if (observed.offerLines === undefined) return observed;
  const offerLines = observed.offerLines.map((line, at) => ({
    ...line,
    crmLineId: line.crmLineId ?? `${CREATED}${at}`,
  }));
  return { ...observed, offerLines };
}

/**
 * By our names, the ids of created lines that an observation of the CRM shows: each is a line of its offer that was
 * not known yet, the one that says the same first.
 */
export function idsOfCreatedLines(
  known: readonly OfferLine[],
  observed: readonly OfferLine[],
): ReadonlyMap<string, string> {
  const lines = crmLinesOf(known);
  const created = lines.filter((line) => line.crmLineId.startsWith(CREATED));
  const knownIds = new Set(lines.map((line) => line.crmLineId));
  const fresh = crmLinesOf(observed).filter((line) => !knownIds.has(line.crmLineId));
  const matches = matchLines(fresh, created, [sameOfferAndAmount, sameOffer]);
  return new Map(matches.map(({ left, right }) => [right.crmLineId, left.crmLineId]));
}
