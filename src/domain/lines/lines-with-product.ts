import type { Observed, OfferLine } from '../record/canonical.ts';
import type { Issue } from '../record/issue.ts';
import { ISSUES } from '../record/issues.ts';

/** Whether the CRM can hold a line: it names an offer, and a product carries that. */
export function hasProduct({ offerNameId }: OfferLine, unknownOffers: ReadonlySet<string>): boolean {
  return offerNameId !== null && !unknownOffers.has(offerNameId);
}

/** What is told of a line that the CRM does not get. */
export function lineIssue({ offerNameId }: OfferLine, heldOffers?: ReadonlyMap<string, Issue>): Issue {
  return heldOffers?.get(offerNameId ?? '') ?? ISSUES.vendorLineWithoutProduct(offerNameId);
}

/**
 * A vendor's record without the lines that the CRM cannot hold, because no product carries their offer or they name
 * none, or because they are held back. Such lines are no part of what both sides agree on, so that they follow once the product is there.
 */
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
