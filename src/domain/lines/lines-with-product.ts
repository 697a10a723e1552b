import type { Observed, OfferLine } from '../record/canonical.ts';
import type { Issue } from '../record/issue.ts';
import { ISSUES } from '../record/issues.ts';

/** Offers (products at the vendor) whose lines Lockstep does not create in the CRM. */
export type OffersLeftOut = {
  /** Offers (products at the vendor) for which the CRM has no product. */
  readonly unknownOffers?: ReadonlySet<string>;
  /**
   * For each offer (product at the vendor) that has a CRM product: the issue that nevertheless keeps new lines with this offer out of the
   * CRM.
   */
  readonly heldOffers?: ReadonlyMap<string, Issue>;
};

/**
 * The issue (reason for users) that says why Lockstep does not create a vendor's line in the CRM; undefined if the CRM can store the line.
 */
export function lineIssue({ offerNameId }: OfferLine, { unknownOffers, heldOffers }: OffersLeftOut): Issue | undefined {
  const held = heldOffers?.get(offerNameId ?? '');
  if (held !== undefined || (offerNameId !== null && unknownOffers?.has(offerNameId) !== true)) return held;
  return ISSUES.vendorLineWithoutProduct(offerNameId);
}

/**
 * The vendor's record without lines that the CRM cannot store, or that an issue keeps out of the CRM. Lockstep may create these lines
 * later, for example once the CRM has a product for the offer.
 */
export function withLinesOfProducts(
  record: Observed,
  offers: OffersLeftOut,
): { readonly record: Observed; readonly issues: readonly Issue[] } {
  const lines = record.offerLines;
  if (lines === undefined) return { record, issues: [] };
  return {
    record: { ...record, offerLines: lines.filter((line) => lineIssue(line, offers) === undefined) },
    issues: lines.flatMap((line) => lineIssue(line, offers) ?? []),
  };
}
