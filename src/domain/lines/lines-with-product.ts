import type { Observed, OfferLine } from '../record/canonical.ts';
import type { Issue } from '../record/issue.ts';
import { ISSUES } from '../record/issues.ts';

/** Whether the CRM can store a line: the line has an offer id, and a product of the CRM has that id too. */
export function hasProduct({ offerNameId }: OfferLine, unknownOffers: ReadonlySet<string>): boolean {
  return offerNameId !== null && !unknownOffers.has(offerNameId);
}

/** The issue about a line that the CRM does not get. */
export function lineIssue({ offerNameId }: OfferLine, heldOffers?: ReadonlyMap<string, Issue>): Issue {
  return heldOffers?.get(offerNameId ?? '') ?? ISSUES.vendorLineWithoutProduct(offerNameId);
}

/** The vendor's record without lines that the CRM cannot store or that are withheld; a later pass may create them. */
export function withLinesOfProducts(
  record: Observed,
  unknownOffers: ReadonlySet<string>,
  heldOffers?: ReadonlyMap<string, Issue>,
): { readonly record: Observed; readonly issues: readonly Issue[] } {
  const lines = record.offerLines;
  if (lines === undefined) return { record, issues: [] };
  const offerLines = lines.filter((line) => hasProduct(line, unknownOffers));
  const without = lines.filter((line) => !hasProduct(line, unknownOffers));
  return {
    record: { ...record, offerLines },
    issues: without.map((line) => lineIssue(line, heldOffers)),
  };
}
