import type { LinePair } from '../record/base.ts';
import type { Observed, OfferLine } from '../record/canonical.ts';

/** The CRM's line as the vendor can show it: with the vendor's own revenue type where it has no code for the CRM's. */
export function asVendorCanShow(
  crm: OfferLine,
  vendor: OfferLine,
  hasCode: (revenueType: string) => boolean,
): OfferLine {
  const { revenueType } = crm;
  return revenueType === null || hasCode(revenueType) ? crm : { ...crm, revenueType: vendor.revenueType };
}

/**
 * Whether the vendor shows another revenue type of a line than the CRM, whose own has no code. The vendor's silence about
 * one that it could not have been told is no difference.
 */
export function hasUnmappedRevenueType(
  crm: Observed,
  agreed: { readonly vendor: Observed; readonly linePairs: readonly LinePair[] },
  hasCode: (revenueType: string) => boolean,
): boolean {
  return agreed.linePairs.some(({ crmLineId, position }) => {
    const own = crm.offerLines?.find((line) => line.crmLineId === crmLineId);
    const theirs = agreed.vendor.offerLines?.[position];
    if (own === undefined || !theirs?.revenueType) return false;
    return asVendorCanShow(own, theirs, hasCode) !== own;
  });
}
