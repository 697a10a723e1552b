import { misfits } from '../mapping/index.ts';
import type { CrmFields } from '../record/crm-graph.ts';
import type { Issue } from '../record/issue.ts';
import { ISSUES } from '../record/issues.ts';
import type { DecideInput } from './input.ts';
import { fingerprintOf } from './withheld-values.ts';

const OFFER = 'Product2.Vendor_Offer_Id__c';

/** A new line that was refused, as this version of the opportunity would have got it. */
export function fingerprintOfLine(line: CrmFields, savedAt: string | null): string {
  return fingerprintOf(['line', line], savedAt);
}

export function offerOf(line: CrmFields): string {
  return String(line[OFFER]);
}

type HeldBy = Pick<DecideInput, 'link' | 'crmLimits' | 'sendsRefusedAgain' | 'isManual'>;

/**
 * Offers of the new lines of a write that the CRM cannot hold, as far as it has described its fields, or has refused by
 * themselves, and what is told of each: such a line waits, and the others are written.
 */
export function heldLines(
  created: readonly CrmFields[],
  savedAt: string | null,
  { link, crmLimits, sendsRefusedAgain, isManual }: HeldBy,
): ReadonlyMap<string, Issue> {
  if (isManual) return new Map();
  const refusals = sendsRefusedAgain ? [] : link.issues.filter(({ code }) => code === 'crm-refused');
  return new Map(
    created.flatMap((line) => {
      const { [OFFER]: _, ...row } = line;
      const offer = offerOf(line);
      const fingerprint = fingerprintOfLine(line, savedAt);
      const refused = refusals.find((issue) => issue.fingerprint === fingerprint);
      const [misfit] = misfits(row, crmLimits['OpportunityLineItem'], 'create');
      const issue = refused ?? (misfit && ISSUES.lineDoesNotFit(offer, ...misfit));
      return issue === undefined ? [] : [[offer, issue] as const];
    }),
  );
}

/** The same question without these lines. */
export function withoutLines<I extends Pick<DecideInput, 'unknownOffers'>>(
  input: I,
  heldOffers: ReadonlyMap<string, Issue>,
): I & { readonly heldOffers: ReadonlyMap<string, Issue> } {
  const unknownOffers = new Set([...input.unknownOffers, ...heldOffers.keys()]);
  return { ...input, unknownOffers, heldOffers };
}
