import type { Observed } from '../record/canonical.ts';
import type { Issue } from '../record/issue.ts';
import { ISSUES } from '../record/issues.ts';

/**
 * A vendor's record without the lines that the CRM cannot hold, because no product carries their offer or they name
 * none. Such lines are no part of what both sides agree on, so that they follow once the product is there.
 */
export function knownLines(
  record: Observed,
  unknownOffers: ReadonlySet<string>,
): { readonly record: Observed; readonly issues: readonly Issue[] } {
  const lines = record.offerLines;
  if (lines === undefined) return { record, issues: [] };
  const known = lines.filter(({ offerNameId }) => offerNameId !== null && !unknownOffers.has(offerNameId));
  if (known.length === lines.length) return { record, issues: [] };
  const unknown = lines.filter((line) => !known.includes(line));
  return {
    record: { ...record, offerLines: known },
    issues: unknown.map(({ offerNameId }) => ISSUES.vendorLineWithoutProduct(offerNameId)),
  };
}
