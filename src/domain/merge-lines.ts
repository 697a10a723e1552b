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

/**
 * What each side should show, the vendor's order first, then lines that only the CRM has. The two differ in lines
 * that nobody changed and that each side shows in a form of its own.
 */
export type LineMerge = {
  readonly forCrm: readonly OfferLine[];
  readonly forVendor: readonly OfferLine[];
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
      const id = pairAt.get(position);
      const crmLine = id === undefined ? undefined : byCrmId.get(id);
      return crmLine === undefined ? vendorOnly(line, input) : onBoth(crmLine, line, input, prefer);
    }),
    ...input.crm.filter((line) => !pairedIds.has(line.crmLineId ?? '')).map((line) => crmOnly(line, input)),
  ];
  return {
    forCrm: merges.flatMap((merge) => (merge.crm === null ? [] : [merge.crm])),
    forVendor: merges.flatMap((merge) => (merge.vendor === null ? [] : [merge.vendor])),
    conflict: merges.some((merge) => merge.conflict),
  };
}

type LineOutcome = {
  readonly crm: OfferLine | null;
  readonly vendor: OfferLine | null;
  readonly conflict: boolean;
};

function both(line: OfferLine | null, conflict: boolean): LineOutcome {
  return { crm: line, vendor: line, conflict };
}

function onBoth(
  crm: OfferLine,
  vendor: OfferLine,
  input: LineMergeInput,
  prefer: 'crm' | 'vendor',
): LineOutcome {
  const { crmLineId } = crm;
  const taken: OfferLine = { ...vendor, ...(crmLineId === undefined ? {} : { crmLineId }) };
  if (input.same(crm, vendor)) return both(taken, false);
  const base = baseOf(crmLineId, input);
  const crmChanged = base === null || !input.same(crm, base.crm);
  const vendorChanged = base === null ? !wasThere(vendor, input) : !input.same(vendor, base.vendor);
  if (!crmChanged && !vendorChanged) return { crm, vendor: taken, conflict: false };
  if (crmChanged && !vendorChanged) return both(crm, false);
  if (vendorChanged && !crmChanged) return both(taken, false);
  return both(prefer === 'crm' ? crm : taken, true);
}

/** A vendor line without a CRM line: added at the vendor, or deleted in the CRM since the base. */
function vendorOnly(line: OfferLine, input: LineMergeInput): LineOutcome {
  if (wasThere(line, input)) return both(null, false);
  const present = new Set(input.crm.map((crmLine) => crmLine.crmLineId));
  const deleted = input.basePairs.filter((pair) => !present.has(pair.crmLineId));
  const conflict = deleted.some((pair) => input.baseVendor[pair.position]?.offerNameId === line.offerNameId);
  return both(line, conflict);
}

/** A CRM line without a vendor line: added in the CRM, or deleted at the vendor since the base. */
function crmOnly(line: OfferLine, input: LineMergeInput): LineOutcome {
  const base = baseOf(line.crmLineId, input);
  if (base === null) return both(line, false);
  return input.same(line, base.crm) ? both(null, false) : both(line, true);
}

/**
 * Whether a vendor line is one of the base whose CRM line is gone or now stands for another: the vendor did not
 * touch it.
 */
function wasThere(line: OfferLine, input: LineMergeInput): boolean {
  return input.basePairs.some((pair) => {
    const before = input.baseVendor[pair.position];
    if (before === undefined || !input.same(before, line)) return false;
    const now = input.pairs.find((item) => item.crmLineId === pair.crmLineId);
    const partner = now === undefined ? undefined : input.vendor[now.position];
    return partner === undefined || !input.same(partner, before);
  });
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
