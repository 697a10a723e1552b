import type { LinePair } from '../record/base.ts';
import type { OfferLine } from '../record/canonical.ts';
import type { LineConflict } from '../record/field-decision.ts';
import { sameLine } from './match-lines.ts';
import { type Before, type LineOutcome, mergeLine } from './merge-line.ts';
import { alignLines, carryPairs } from './pair-lines.ts';

export type LineMergeInput = {
  readonly baseCrm: readonly OfferLine[];
  readonly baseVendor: readonly OfferLine[];
  readonly basePairs: readonly LinePair[];
  /**
   * Lines of an earlier merge that the vendor has applied and the CRM has not. Each has the values that count as agreed until the CRM has
   * applied the merge too (see the function `partlyAppliedLines`).
   */
  readonly partlyApplied?: readonly Before[];
  readonly crm: readonly OfferLine[];
  readonly vendor: readonly OfferLine[];
  /** Whether the vendor has a code for a revenue type of the CRM. */
  hasCode(revenueType: string): boolean;
};

/**
 * The merged lines as each side (CRM and vendor) gets them: first in the vendor's order, then lines that only the CRM has. Both lists have
 * the same lines. Values differ only where a side trims or rounds them, or where the vendor has no code for a revenue type of the CRM.
 */
export type LineMerge = {
  readonly forCrm: readonly OfferLine[];
  readonly forVendor: readonly OfferLine[];
  /** Lines in which both sides changed the same value, and lines that one side deleted and the other edited. */
  readonly conflicts: readonly LineConflict[];
};

/**
 * Three-way merge of lists of lines. A line that one side edited, added or removed is changed in the same way on the other side. If both
 * sides edited a line, `prefer` decides the values that both changed. An edit wins over a deletion.
 */
export function mergeLines(input: LineMergeInput, prefer: 'crm' | 'vendor'): LineMerge {
  const partners = partnersOf(input);
  const paired = new Set(partners.map((partner) => partner.crm));
  const merges = [
    ...partners.map(({ vendor, crm, before }) =>
      crm === null ? vendorOnly(vendor, before) : mergeLine(crm, vendor, before, { prefer, hasCode: input.hasCode }),
    ),
    ...input.crm.filter((line) => !paired.has(line)).map((line) => crmOnly(line, input)),
  ];
  return {
    forCrm: merges.flatMap((merge) => (merge.crm === null ? [] : [merge.crm])),
    forVendor: merges.flatMap((merge) => (merge.vendor === null ? [] : [merge.vendor])),
    conflicts: merges.flatMap((merge) => (merge.conflict === null ? [] : [merge.conflict])),
  };
}

/**
 * A vendor line and the CRM line for it. `crm`: null if a CRM user deleted the line, or if the line is new at the vendor. `before`: both
 * sides' values at the last agreement; null for a line added since.
 */
type Partners = {
  readonly vendor: OfferLine;
  readonly crm: OfferLine | null;
  readonly before: Before | null;
};

/**
 * The vendor's lines in the vendor's order, each with the CRM line for it. If a user deleted a line and entered it again, it counts as the
 * same line.
 */
function partnersOf(input: LineMergeInput): readonly Partners[] {
  const { baseVendor, basePairs, crm, vendor } = input;
  const byId = new Map(crm.map((line) => [line.crmLineId, line]));
  const agreed = new Map(basePairs.map((pair) => [pair.position, pair.crmLineId]));
  const pairs = carryPairs({ lines: baseVendor, pairs: basePairs }, crm, vendor);
  const now = new Map(pairs.map((pair) => [pair.position, pair.crmLineId]));
  const formerly = alignLines(baseVendor, vendor);
  return vendor.map((line, at) => {
    const before = baseOf(now.get(at), input) ?? baseOf(agreed.get(formerly[at] ?? -1), input);
    return { vendor: line, crm: byId.get(now.get(at)) ?? null, before };
  });
}

function both(line: OfferLine | null, conflict: LineConflict | null = null): LineOutcome {
  return { crm: line, vendor: line, conflict };
}

/**
 * Merges a vendor line that has no CRM line: it was added at the vendor (`before` is null), or deleted in the CRM. If the vendor edited a
 * line that the CRM deleted, the line stays.
 */
function vendorOnly(line: OfferLine, before: Before | null): LineOutcome {
  if (before === null) return both(line);
  return sameLine(line, before.vendor) ? both(null) : both(line, { winner: 'vendor', crm: null, vendor: line });
}

/**
 * Merges a CRM line that has no vendor line: it was added in the CRM, or deleted at the vendor. If the CRM edited a line that the vendor
 * deleted, the line stays.
 */
function crmOnly(line: OfferLine, input: LineMergeInput): LineOutcome {
  const base = baseOf(line.crmLineId, input);
  if (base === null) return both(line);
  return sameLine(line, base.crm) ? both(null) : both(line, { winner: 'crm', crm: line, vendor: null });
}

function baseOf(crmLineId: string | undefined, input: LineMergeInput): Before | null {
  const since = crmLineId && input.partlyApplied?.find(({ crm }) => crm.crmLineId === crmLineId);
  return since || agreedLine(crmLineId, input);
}

/**
 * The values that a CRM line and its vendor line had at the last agreement; null if the sides have never agreed that the two are the same
 * line.
 */
export function agreedLine(
  crmLineId: string | undefined,
  { basePairs, baseCrm, baseVendor }: Pick<LineMergeInput, 'basePairs' | 'baseCrm' | 'baseVendor'>,
): Before | null {
  const pair = basePairs.find((item) => item.crmLineId === crmLineId);
  const crm = baseCrm.find((item) => item.crmLineId === crmLineId);
  const vendor = pair === undefined ? undefined : baseVendor[pair.position];
  return crm === undefined || vendor === undefined ? null : { crm, vendor };
}
