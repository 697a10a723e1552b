import type { Base, LinePair } from '../record/base.ts';
import type { OfferLine } from '../record/canonical.ts';
import { alignLines } from './align-lines.ts';
import { pairLines } from './pair-lines.ts';

type Agreed = { readonly lines: readonly OfferLine[]; readonly pairs: readonly LinePair[] };

/**
 * The pairs of the present lines: a vendor line that we sent names its CRM line, one that was there keeps the CRM line
 * it was agreed to be, wherever it stands now, and lines that are new on both sides are one where their offers are.
 */
export function carryPairs(
  agreed: Agreed,
  crm: readonly OfferLine[],
  vendor: readonly OfferLine[],
): readonly LinePair[] {
  const present = new Set(crm.map((line) => line.crmLineId));
  const paired = new Map<number, string>();
  const taken = new Set<string>();
  const take = (position: number, id: string | undefined): void => {
    if (id === undefined || !present.has(id) || taken.has(id) || paired.has(position)) return;
    paired.set(position, id);
    taken.add(id);
  };
  vendor.forEach((line, position) => {
    take(position, line.crmLineId);
  });
  alignLines(agreed.lines, vendor).forEach((formerly, position) => {
    take(position, agreed.pairs.find((pair) => pair.position === formerly)?.crmLineId);
  });
  const free = vendor.flatMap((line, at) => (paired.has(at) ? [] : [{ line, at }]));
  const open = crm.filter((line) => !taken.has(line.crmLineId ?? ''));
  const lines = free.map((item) => item.line);
  for (const { crmLineId, position } of pairLines(open, lines, [])) {
    const line = crm.find((one) => one.crmLineId === crmLineId);
    const other = free[position];
    // Two offers of one price are two lines.
    if (other !== undefined && line?.offerNameId === other.line.offerNameId) take(other.at, crmLineId);
  }
  const pairs = [...paired].map(([position, crmLineId]) => ({ crmLineId, position }));
  return pairs.sort((a, b) => a.position - b.position);
}

/**
 * A base with the pairs of its lines. Its sides agree, so lines that say the same are one; what they were before tells
 * twins apart, and lines that a side shows in a normalised form.
 */
export function withPairs(next: Base, before: Base | null): Base {
  const agreed = { lines: before?.vendor.offerLines ?? [], pairs: before?.linePairs ?? [] };
  const [crm, vendor] = [next.crm.offerLines ?? [], next.vendor.offerLines ?? []];
  const offerOf = new Map(crm.map((line) => [line.crmLineId, line.offerNameId]));
  const linePairs = pairLines(crm, vendor, carryPairs(agreed, crm, vendor)).filter(
    ({ crmLineId, position }) => offerOf.get(crmLineId) === vendor[position]?.offerNameId,
  );
  return { ...next, linePairs };
}
