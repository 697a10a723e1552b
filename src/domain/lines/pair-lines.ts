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
 * Pairs CRM lines with vendor lines one to one, in the vendor's order: by offer (vendor's product) and amount, then by offer, then by
 * amount. For each rule, pairs in `knownPairs` come first. A line without a partner is new, or was deleted on the other side. CRM lines
 * without an id are left out. Values count more than known pairs, because a known pair names the vendor line by its position, and positions
 * shift when the vendor removes a line.
 */
export function pairLines(
  crmLines: readonly OfferLine[],
  vendorLines: readonly OfferLine[],
  knownPairs: readonly LinePair[],
): readonly LinePair[] {
  const rules = preferring(isAmong(knownPairs), [sameOfferAndAmount, sameOffer, sameAmount]);
  return pairsBy(rules, crmLines, vendorLines);
}

/** The pairs of CRM line and vendor line that the rules find, one to one, in the vendor's order. */
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
 * For each present line of the vendor, its position in the vendor's earlier list; null for an added line. The vendor's lines have no id, so
 * lines are matched by equal values first, then by offer, then by amount. If several earlier lines match by one rule, the line in the same
 * position comes first. Each earlier line is matched only once.
 */
export function alignLines(before: readonly OfferLine[], now: readonly OfferLine[]): readonly (number | null)[] {
  const formerly = new Map(matchLines(now, before, RULES).map(({ at }) => [at.left, at.right]));
  return now.map((_, position) => formerly.get(position) ?? null);
}

/** The vendor's lines at the last agreement, and the pairs with their CRM lines. */
type AgreedLines = { readonly lines: readonly OfferLine[]; readonly pairs: readonly LinePair[] };

/**
 * Rules that match lines by their offer (vendor's product). An amount alone does not identify a line, because two offers may have the same
 * price.
 */
const BY_OFFER = [sameOfferAndAmount, sameOffer];

/**
 * For each present line of the vendor, the CRM line that belongs to it. `vendor` may contain lines in the form in which Lockstep sent them.
 * Such a line contains the id of its CRM line. A line that both sides had at the last agreement keeps its CRM line, in whatever position it
 * is. Lines that are new on both sides are paired by offer.
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
 * The pairs of CRM line and vendor line after both sides have agreed on all lines. Lines are paired by offer and amount, then by offer. If
 * several lines are identical, the pairs of the last agreement (`before`) decide which belong together.
 */
export function pairAgreed(
  before: AgreedLines,
  crm: readonly OfferLine[],
  vendor: readonly OfferLine[],
): readonly LinePair[] {
  return pairsBy(preferring(isAmong(carryPairs(before, crm, vendor)), BY_OFFER), crm, vendor);
}

/** Prefix of the temporary id of a line that Lockstep creates in the CRM. It is used until a read of the CRM shows the line's id. */
const CREATED = 'created ';

/**
 * The CRM's values after a write that created lines. The CRM's ids of the new lines are not known until a read. So each new line gets a
 * temporary id, under which the base (last agreed values) stores it. A later read can then match the created line, so that it does not
 * count as a user's new line, even if a user has edited it.
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
 * The CRM ids of lines that Lockstep created and that a read of the CRM now shows (`observed`). Until then, the base (last agreed values)
 * has a temporary id for such a line. Key: the temporary id. Value: the CRM id. A created line gets the id of a new CRM line with the same
 * offer and, if possible, the same amount.
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
