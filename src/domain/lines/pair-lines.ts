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
 * Pairs CRM lines with vendor lines one to one, in the vendor's order: by offer and amount, then by offer, then by amount. Each rule tries
 * known pairs first. Lines without a partner are new or deleted. CRM lines without an id are left out. Equal values count more than known
 * positions, because positions shift when the vendor removes a line.
 */
export function pairLines(
  crmLines: readonly OfferLine[],
  vendorLines: readonly OfferLine[],
  knownPairs: readonly LinePair[],
): readonly LinePair[] {
  const rules = preferring(isAmong(knownPairs), [sameOfferAndAmount, sameOffer, sameAmount]);
  return pairsBy(rules, crmLines, vendorLines);
}

/** The pairs that the rules find, one to one, in the vendor's order. */
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
 * The position that each of the vendor's lines had in the earlier array; null for an added line. The vendor's lines have no id. So equal
 * values match first, then the offer, then the amount, and each rule tries the same position first. One to one.
 */
export function alignLines(before: readonly OfferLine[], now: readonly OfferLine[]): readonly (number | null)[] {
  const formerly = new Map(matchLines(now, before, RULES).map(({ at }) => [at.left, at.right]));
  return now.map((_, position) => formerly.get(position) ?? null);
}

/** The vendor's lines at the last agreement, and the pairs with their CRM lines. */
type AgreedLines = { readonly lines: readonly OfferLine[]; readonly pairs: readonly LinePair[] };

/** Rules to match lines by their offer. An amount alone identifies no line, because two offers may have equal prices. */
const BY_OFFER = [sameOfferAndAmount, sameOffer];

/**
 * The pairs of the present lines. A vendor line that Lockstep sent names its CRM line. A line from the last agreement keeps its CRM line,
 * at any position. Lines that are new on both sides are paired by offer.
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

/** The pairs of lines on which both sides agree: lines with equal values. Earlier pairs distinguish identical lines. */
export function pairAgreed(
  before: AgreedLines,
  crm: readonly OfferLine[],
  vendor: readonly OfferLine[],
): readonly LinePair[] {
  return pairsBy(preferring(isAmong(carryPairs(before, crm, vendor)), BY_OFFER), crm, vendor);
}

/** Prefix of the temporary name of a line that Lockstep creates in the CRM, until an observation shows the line's id. */
const CREATED = 'created ';

/** The CRM's record after a write, with temporary names for created lines, so that their first edit is not mistaken for a new line. */
export function nameCreatedLines(observed: Observed): Observed {
  if (observed.offerLines === undefined) return observed;
  const offerLines = observed.offerLines.map((line, at) => ({
    ...line,
    crmLineId: line.crmLineId ?? `${CREATED}${at}`,
  }));
  return { ...observed, offerLines };
}

/**
 * The CRM ids of lines that Lockstep created, by temporary name. A created line gets the id of a new CRM line with the same offer,
 * preferably also with the same amount.
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
