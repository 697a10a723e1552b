import type { OfferLine } from './canonical.ts';
import type { LinePair } from './plan.ts';

export type LineMergeInput = {
  readonly baseCrm: readonly OfferLine[];
  readonly baseVendor: readonly OfferLine[];
  readonly basePairs: readonly LinePair[];
  readonly crm: readonly OfferLine[];
  readonly vendor: readonly OfferLine[];
  /** Pairs of the present lines, by `pairLines`. */
  readonly pairs: readonly LinePair[];
  /** Whether two lines have the same content. */
  readonly same: (a: OfferLine, b: OfferLine) => boolean;
};

export type LineMerge = {
  /** The list both sides should show: the vendor's order first, then lines that only the CRM has. */
  readonly lines: readonly OfferLine[];
  /** True when one line changed on both sides to different values, or was deleted on one and edited on the other. */
  readonly conflict: boolean;
};

/**
 * Three-way merge of offer lines by identity: a line edited, added or removed on one side reaches the other, and
 * lines that did not change stay. `prefer` decides lines that conflict; a deletion never wins over an edit.
 */
export function mergeLines(input: LineMergeInput, prefer: 'crm' | 'vendor'): LineMerge {
  const byCrmId = new Map(input.crm.map((line) => [line.crmLineId, line]));
  const pairAt = new Map(input.pairs.map((pair) => [pair.position, pair.crmLineId]));
  const pairedIds = new Set(input.pairs.map((pair) => pair.crmLineId));
  const merges = [
    ...input.vendor.map((line, position) => {
      const crmLine = byCrmId.get(pairAt.get(position));
      return crmLine === undefined ? vendorOnly(line, input) : onBoth(crmLine, line, input, prefer);
    }),
    ...input.crm.filter((line) => !pairedIds.has(line.crmLineId ?? '')).map((line) => crmOnly(line, input)),
  ];
  return {
    lines: merges.flatMap((merge) => (merge.line === null ? [] : [merge.line])),
    conflict: merges.some((merge) => merge.conflict),
  };
}

type LineOutcome = { readonly line: OfferLine | null; readonly conflict: boolean };

function onBoth(
  crm: OfferLine,
  vendor: OfferLine,
  input: LineMergeInput,
  prefer: 'crm' | 'vendor',
): LineOutcome {
  const keep = (line: OfferLine): OfferLine => ({
    ...line,
    ...(crm.crmLineId === undefined ? {} : { crmLineId: crm.crmLineId }),
  });
  if (input.same(crm, vendor)) return { line: keep(vendor), conflict: false };
  const base = baseOf(crm.crmLineId, input);
  const crmChanged = base === null || !input.same(crm, base.crm);
  const vendorChanged = base === null || !input.same(vendor, base.vendor);
  if (crmChanged && !vendorChanged) return { line: keep(crm), conflict: false };
  if (vendorChanged && !crmChanged) return { line: keep(vendor), conflict: false };
  return { line: keep(prefer === 'crm' ? crm : vendor), conflict: true };
}

/** A vendor line without a CRM line: added at the vendor, or deleted in the CRM since the base. */
function vendorOnly(line: OfferLine, input: LineMergeInput): LineOutcome {
  const present = new Set(input.crm.map((crmLine) => crmLine.crmLineId));
  const deleted = input.basePairs.filter((pair) => !present.has(pair.crmLineId));
  const before = deleted.flatMap((pair) => {
    const candidate = input.baseVendor[pair.position];
    return candidate !== undefined && candidate.offerNameId === line.offerNameId ? [candidate] : [];
  });
  if (before.length === 0) return { line, conflict: false };
  return before.some((candidate) => input.same(candidate, line))
    ? { line: null, conflict: false }
    : { line, conflict: true };
}

/** A CRM line without a vendor line: added in the CRM, or deleted at the vendor since the base. */
function crmOnly(line: OfferLine, input: LineMergeInput): LineOutcome {
  const base = baseOf(line.crmLineId, input);
  if (base === null) return { line, conflict: false };
  return input.same(line, base.crm) ? { line: null, conflict: false } : { line, conflict: true };
}

function baseOf(
  crmLineId: string | undefined,
  input: LineMergeInput,
): { readonly crm: OfferLine; readonly vendor: OfferLine } | null {
  const pair = input.basePairs.find((item) => item.crmLineId === crmLineId);
  const crm = input.baseCrm.find((item) => item.crmLineId === crmLineId);
  const vendor = pair === undefined ? undefined : input.baseVendor[pair.position];
  return crm === undefined || vendor === undefined ? null : { crm, vendor };
}
