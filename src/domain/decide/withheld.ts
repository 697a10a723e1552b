import { fieldsInCrm, misfits } from '../mapping/index.ts';
import type { FieldName, Observed, OfferLine } from '../record/canonical.ts';
import type { CrmFields } from '../record/crm-graph.ts';
import { FIELDS } from '../record/fields.ts';
import type { Issue } from '../record/issue.ts';
import { ISSUES } from '../record/issues.ts';
import { type CrmNames, crmFieldOf } from '../record/mapping-config.ts';
import type { CrmImport, CrmUpdate, VendorWrite } from '../record/plan.ts';
import { fingerprint } from '../values/fingerprint.ts';
import type { DecideInput } from './input.ts';

/** What the vendor is told, and by which version of the opportunity: refused once, it is not sent again by itself. */
export function vendorWritePayload({ intent, savedAt }: Pick<VendorWrite, 'intent' | 'savedAt'>): unknown {
  return [intent.body, savedAt];
}

type Refusal = 'vendor-refused' | 'crm-refused';

const MARKS = { 'vendor-refused': 'refusedFingerprint', 'crm-refused': 'crmRefusedFingerprint' } as const;

/**
 * Whether a side has refused this already, and is not to be asked again. A refusal that nobody is told of any more is tried
 * again; so is each after a time.
 */
export function isRefused(
  content: unknown,
  refusal: Refusal,
  { link, sendsRefusedAgain }: Pick<DecideInput, 'link' | 'sendsRefusedAgain'>,
): boolean {
  if (sendsRefusedAgain || !link.issues.some((issue) => isOfAll(issue) && issue.code === refusal))
    return false;
  return fingerprint(content) === link[MARKS[refusal]];
}

/** These issues, and those of an earlier refusal that is met again: what was refused stays to be seen. */
export function withRefusals(issues: readonly Issue[], link: DecideInput['link']): readonly Issue[] {
  const told = new Set(issues.map((issue) => issue.message));
  const refusals = link.issues.filter(
    (issue) => isOfAll(issue) && issue.code in MARKS && !told.has(issue.message),
  );
  return [...issues, ...refusals];
}

/** Whether a whole request was refused, and not one value of it. */
function isOfAll({ fingerprint }: Issue): boolean {
  return fingerprint === undefined;
}

/** The values that one request gives to fields, by field. */
type Sent = { readonly [F in FieldName]?: unknown };

/** A value that was refused by itself, as this version of the opportunity had it; a user who saves wants it sent again. */
export function fingerprintOf(value: unknown, savedAt: string | null): string {
  return fingerprint([value, savedAt]);
}

/** What is told of values that were refused by themselves, and that would be sent again as they are. */
export function refusedBefore(
  refusal: Refusal,
  sent: Sent,
  savedAt: string | null,
  { link, sendsRefusedAgain }: Pick<DecideInput, 'link' | 'sendsRefusedAgain'>,
): readonly Issue[] {
  if (sendsRefusedAgain) return [];
  return link.issues.filter(
    ({ code, field, fingerprint }) =>
      code === refusal && fingerprint === fingerprintOf(sent[field as FieldName], savedAt),
  );
}

/** A record without the fields that issues are about. */
export function without(record: Observed, issues: readonly Issue[]): Observed {
  const held = fieldsOf(issues);
  return Object.fromEntries(Object.entries(record).filter(([field]) => !held.has(field))) as Observed;
}

export function fieldsOf(issues: readonly Issue[]): ReadonlySet<string | null> {
  return new Set(issues.map(({ field }) => field));
}

/** What a write gives to fields of the opportunity that each hold one field of ours. */
export function sentToOpportunity(opportunity: CrmFields, mapping: CrmNames): Sent {
  const fields = fieldsInCrm(Object.keys(opportunity), mapping);
  return Object.fromEntries(fields.map((field) => [field, opportunity[crmFieldOf(field, mapping)]]));
}

/** What a plan gives to the opportunity. */
export function opportunityOf(plan: CrmUpdate | CrmImport): CrmFields {
  return plan.next === 'write-crm' ? plan.write.opportunity : plan.create.opportunity;
}

/**
 * The values of a write to the opportunity that its fields cannot hold, as the CRM has described them: each is held back by
 * itself before anything is sent. That is known anew each time: what was refused is sent again after a time, and what does not fit
 * only on a person's word.
 */
export function unfitValues(
  opportunity: CrmFields,
  write: 'create' | 'update',
  { config, crmLimits, isManual }: Pick<DecideInput, 'config' | 'crmLimits' | 'isManual'>,
): readonly Issue[] {
  if (isManual) return [];
  const found = misfits(opportunity, crmLimits['Opportunity'], write);
  return fieldsInCrm([...found.keys()], config)
    .filter((field) => write === 'update' || !isNeeded(field))
    .flatMap((field) => {
      const crm = crmFieldOf(field, config);
      const misfit = found.get(crm);
      return misfit === undefined ? [] : [ISSUES.doesNotFit(field, crm, misfit)];
    });
}

/** Whether no opportunity is made without this value: with another currency its amounts would be others. */
export function isNeeded(field: FieldName): boolean {
  return field === 'currency' || (FIELDS[field].crmRequired && field !== 'status');
}

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

type Lines = readonly OfferLine[];

type Refusals = Pick<DecideInput, 'link' | 'sendsRefusedAgain'>;

/** A line that the vendor has refused, as this version of the opportunity had it. */
export function fingerprintOfVendorLine({ offerNameId, amount }: OfferLine, savedAt: string | null): string {
  return fingerprintOf(['line', offerNameId, amount], savedAt);
}

/** Lines without those that the vendor has refused by themselves. */
type LinesForVendor = {
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
  const marks = new Set<string | undefined>(held.map((line) => fingerprintOfVendorLine(line, savedAt)));
  return {
    lines: lines.filter((line) => !isHeld(line)),
    held,
    issues: refused.filter(({ fingerprint }) => marks.has(fingerprint)),
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
