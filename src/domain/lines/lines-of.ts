import type { Observed, OfferLine } from '../record/canonical.ts';

/** The offer lines of a record, none where it does not show them. */
export function linesOf({ offerLines = [] }: Observed): readonly OfferLine[] {
  return offerLines;
}
