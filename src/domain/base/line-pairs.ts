import { linesOf } from '../lines/match-lines.ts';
import { idsOfCreatedLines, pairAgreed } from '../lines/pair-lines.ts';
import { type Base, EMPTY_BASE } from '../record/base.ts';
import type { Observed } from '../record/canonical.ts';

/**
 * The new base (last agreed values, `next`) with the pairs of CRM lines and vendor lines that belong together. Pairs of the previous base
 * (`before`) are kept. If the agreed lines changed, `partlyAppliedLines` (lines of a merge that only the vendor has applied) is removed,
 * because it belongs to the earlier agreement.
 */
export function withPairs(next: Base, before: Base | null): Base {
  const { crm, vendor, linePairs: pairs } = before ?? EMPTY_BASE;
  const agreed = { lines: linesOf(vendor), pairs };
  const isSame = isSameList(crm, next.crm) && isSameList(vendor, next.vendor);
  const known = isSame ? next : withoutPartlyApplied(next);
  return { ...known, linePairs: pairAgreed(agreed, linesOf(next.crm), linesOf(next.vendor)) };
}

function isSameList(one: Observed, other: Observed): boolean {
  return JSON.stringify(one.offerLines) === JSON.stringify(other.offerLines);
}

export function withoutPartlyApplied<B extends Base | null>(base: B): B {
  if (base?.partlyAppliedLines === undefined) return base;
  const { partlyAppliedLines: _, ...rest } = base;
  return rest as B;
}

/**
 * The base (last agreed values) after a read of the CRM (`crm`). A line that Lockstep created has a temporary id in the base, until a read
 * shows the line in the CRM. The result has the CRM id instead, in the lines and in the pairs of lines.
 */
export function withCreatedLineIds(base: Base, crm: Observed): Base {
  const lines = linesOf(base.crm);
  const ids = idsOfCreatedLines(lines, linesOf(crm));
  if (ids.size === 0) return base;
  const named = <T extends { readonly crmLineId?: string }>(item: T): T => {
    const crmLineId = ids.get(item.crmLineId ?? '');
    return crmLineId === undefined ? item : { ...item, crmLineId };
  };
  return {
    ...base,
    crm: { ...base.crm, offerLines: lines.map(named) },
    linePairs: base.linePairs.map(named),
  };
}
