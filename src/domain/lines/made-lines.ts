import type { Base } from '../record/base.ts';
import type { Observed } from '../record/canonical.ts';
import { pairLines } from './pair-lines.ts';

/** Our own names of lines that a write makes in the CRM, until a look shows their ids. */
const MADE = 'made ';

/**
 * What the CRM shows once a write is applied, its new lines under names of ours: without one, the first edit of such a
 * line looked like a line that both sides added.
 */
export function withMadeLines(shown: Observed): Observed {
  if (shown.offerLines === undefined) return shown;
  const offerLines = shown.offerLines.map((line, at) => ({
    ...line,
    crmLineId: line.crmLineId ?? `${MADE}${at}`,
  }));
  return { ...shown, offerLines };
}

/** The base once a look shows the lines that we made: of one offer, the one that says the same first. */
export function withMadeLinesSeen(base: Base, shown: Observed): Base {
  const lines = base.crm.offerLines ?? [];
  const made = lines.filter((line) => line.crmLineId?.startsWith(MADE));
  if (made.length === 0) return base;
  const known = new Set(lines.map((line) => line.crmLineId));
  const fresh = (shown.offerLines ?? []).filter((line) => !known.has(line.crmLineId));
  const offerOf = new Map(fresh.map((line) => [line.crmLineId, line.offerNameId]));
  const ids = new Map(
    pairLines(fresh, made, [])
      .filter(({ crmLineId, position }) => offerOf.get(crmLineId) === made[position]?.offerNameId)
      .map(({ crmLineId, position }) => [made[position]?.crmLineId, crmLineId]),
  );
  const offerLines = lines.map((line) => {
    const crmLineId = ids.get(line.crmLineId);
    return crmLineId === undefined ? line : { ...line, crmLineId };
  });
  const linePairs = base.linePairs.map((pair) => ({
    ...pair,
    crmLineId: ids.get(pair.crmLineId) ?? pair.crmLineId,
  }));
  return { ...base, crm: { ...base.crm, offerLines }, linePairs };
}
