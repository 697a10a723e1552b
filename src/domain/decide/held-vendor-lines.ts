import type { Observed, OfferLine } from '../record/canonical.ts';
import type { Issue } from '../record/issue.ts';
import type { DecideInput } from './input.ts';
import { fingerprintOf } from './withheld-values.ts';

type Lines = readonly OfferLine[];

type Refusals = Pick<DecideInput, 'link' | 'sendsRefusedAgain'>;

/** A line that the vendor has refused, as this version of the opportunity had it. */
export function fingerprintOfVendorLine({ offerNameId, amount }: OfferLine, savedAt: string | null): string {
  return fingerprintOf(['line', offerNameId, amount], savedAt);
}

/** Lines without those that the vendor has refused by themselves. */
export type LinesForVendor = {
  readonly lines: Lines;
  readonly held: Lines;
  /** What is told of them. */
  readonly issues: readonly Issue[];
};

export function withoutRefusedLines(
  lines: Lines,
  savedAt: string | null,
  { link, sendsRefusedAgain }: Refusals,
): LinesForVendor {
  const refused = sendsRefusedAgain ? [] : link.issues.filter(({ code }) => code === 'vendor-refused');
  const isHeld = (line: OfferLine): boolean =>
    refused.some(({ fingerprint }) => fingerprint === fingerprintOfVendorLine(line, savedAt));
  const held = lines.filter(isHeld);
  const fingerprints = new Set<string | undefined>(
    held.map((line) => fingerprintOfVendorLine(line, savedAt)),
  );
  return {
    lines: lines.filter((line) => !isHeld(line)),
    held,
    issues: refused.filter(({ fingerprint }) => fingerprints.has(fingerprint)),
  };
}

/** The record without these lines. */
export function withoutHeld(record: Observed, held: Lines): Observed {
  const { offerLines } = record;
  if (offerLines === undefined || held.length === 0) return record;
  const isHeld = ({ crmLineId }: OfferLine): boolean => held.some((line) => line.crmLineId === crmLineId);
  return { ...record, offerLines: offerLines.filter((line) => !isHeld(line)) };
}

/**
 * Whether the vendor has none of these lines, so that a list without them takes nothing from it. Where it shows another line
 * of the same offer, that may be the same one.
 */
export function areNewToVendor(lines: Lines, present: Lines | undefined): boolean {
  const offers = new Set(present?.map(({ offerNameId }) => offerNameId));
  return lines.every(({ offerNameId }) => !offers.has(offerNameId));
}
