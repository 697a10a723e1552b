import type { Observed, OfferLine } from '../record/canonical.ts';
import { crmLinesOf, sameOffer, sameOfferAndAmount } from './line-rules.ts';
import { matchLines } from './match-lines.ts';

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
