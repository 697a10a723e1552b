import type { OfferLine } from '../record/canonical.ts';
import { type Before, differing, NEVER, withCells } from './merge-line.ts';

/** What a merge makes of lines, and what the CRM shows of them until it has its half. */
export type HalvesOfLines = {
  readonly crm: readonly OfferLine[];
  readonly forCrm: readonly OfferLine[];
  /** As the vendor was told them. */
  readonly forVendor: readonly OfferLine[];
};

/**
 * What both sides agree on of the lines that they have in common, once the vendor has its half of a merge and the CRM has not: all but
 * the cells that the CRM still has to be given, of which each side keeps what it said before. A line that goes over as a whole is left out.
 */
export function partlyAppliedLines(
  { crm, forCrm, forVendor }: HalvesOfLines,
  agreedOn: (crmLineId: string) => Before | null,
): readonly Before[] {
  const byId = (lines: readonly OfferLine[]) => new Map(lines.map((line) => [line.crmLineId, line]));
  const [shownById, dueById] = [byId(crm), byId(forCrm)];
  return forVendor.flatMap((sent) => {
    const { crmLineId: id } = sent;
    const [shown, due] = [shownById.get(id), dueById.get(id)];
    if (id === undefined || shown === undefined || due === undefined) return [];
    if (shown.offerNameId !== sent.offerNameId || shown.offerNameId !== due.offerNameId) return [];
    const cells = differing(due, shown);
    const before = agreedOn(id) ?? { crm: NEVER, vendor: NEVER };
    return [{ crm: withCells(shown, before.crm, cells), vendor: withCells(sent, before.vendor, cells) }];
  });
}
