import { pairAgreed } from '../lines/carry-pairs.ts';
import { idsOfCreatedLines } from '../lines/created-lines.ts';
import type { Base } from '../record/base.ts';
import type { Observed } from '../record/canonical.ts';

/** A base with the pairs of its lines: its sides agree, and `before` tells what each line was when they last did. */
export function withPairs(next: Base, before: Base | null): Base {
  const agreed = { lines: before?.vendor.offerLines ?? [], pairs: before?.linePairs ?? [] };
  const linePairs = pairAgreed(agreed, next.crm.offerLines ?? [], next.vendor.offerLines ?? []);
  return { ...next, linePairs };
}

/** The base once an observation of the CRM shows the ids of lines that a write of ours created. */
export function withCreatedLineIds(base: Base, crm: Observed): Base {
  const lines = base.crm.offerLines ?? [];
  const ids = idsOfCreatedLines(lines, crm.offerLines ?? []);
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
