import { fieldsInCrm, misfits } from '../mapping/index.ts';
import type { FieldName, Observed, OfferLine } from '../record/canonical.ts';
import type { CrmFields } from '../record/crm-graph.ts';
import { FIELDS } from '../record/fields.ts';
import type { Held, Hold, Issue } from '../record/issue.ts';
import { ISSUES } from '../record/issues.ts';
import { type CrmNames, crmFieldOf } from '../record/mapping-config.ts';
import type { CrmImport, CrmUpdate, VendorWrite } from '../record/plan.ts';
import { fingerprint } from '../values/fingerprint.ts';
import type { DecideInput } from './input.ts';

/**
 * Makes a hold: the part of an issue that keeps Lockstep from sending refused content again. `savedAt`: the version of the opportunity when
 * the content was sent. After a user saves the opportunity again, the hold does not apply any more, because the user may expect another
 * attempt. Null if a save of the opportunity must not end the hold, for example because there is no opportunity yet.
 */
export function holdOf(side: Hold['side'], part: Hold['part'], content: unknown, savedAt: string | null = null): Held {
  return { hold: { side, part, valueFingerprint: fingerprint([side, part, content, savedAt]) } };
}

/** The hold (part of an issue) that keeps Lockstep from sending a whole refused write again. */
export function holdOfWrite(write: Pick<VendorWrite, 'intent' | 'savedAt'> | CrmUpdate | CrmImport): Held {
  if ('intent' in write) return holdOf('vendor', 'record', write.intent.body, write.savedAt);
  return holdOf('crm', 'record', write.next === 'write-crm' ? write.write : write.create);
}

/** The hold (part of an issue) that keeps Lockstep from sending one refused field value again. */
export function holdOfField(side: Hold['side'], field: string, value: unknown, savedAt: string | null): Held {
  return holdOf(side, 'field', [field, value], savedAt);
}

/** The hold (part of an issue) that keeps Lockstep from sending a line again that the vendor refused. */
export function holdOfVendorLine({ offerNameId, amount }: OfferLine, savedAt: string | null): Held {
  return holdOf('vendor', 'line', [offerNameId, amount], savedAt);
}

/**
 * The hold (part of an issue) that keeps Lockstep from sending a contact again that the CRM refused. A contact is identified by its e-mail
 * address, in any letter case.
 */
export function holdOfContact(email: unknown, part: Hold['part'] = 'contact'): Held {
  return holdOf('crm', part, String(email).trim().toLowerCase());
}

type Holding = Pick<DecideInput, 'link' | 'sendsRefusedAgain'>;

/**
 * The link's issue (stored problem of the pair of records) that keeps Lockstep from sending refused content again. The issue's hold
 * identifies the content. Undefined if Lockstep may send it.
 */
export function issueHolding(
  { hold }: Held,
  {
    link,
    sendsRefusedAgain,
  }: Pick<Holding, 'sendsRefusedAgain'> & { readonly link: Pick<DecideInput['link'], 'issues'> },
): Issue | undefined {
  if (sendsRefusedAgain) return undefined;
  return link.issues.find((issue) => issue.hold?.valueFingerprint === hold.valueFingerprint);
}

/**
 * The given issues, and the link's stored issues about writes that a side refused as a whole. The stored issues are added so that users
 * still see them.
 */
export function withRefusals(issues: readonly Issue[], link: DecideInput['link']): readonly Issue[] {
  const known = new Set(issues.map((issue) => issue.message));
  return [...issues, ...link.issues.filter(({ hold, message }) => hold?.part === 'record' && !known.has(message))];
}

type Sent = { readonly [F in FieldName]?: unknown };

/**
 * The facts that `withhold` needs to make a write to one side without refused or unfit values. `side`: the side (CRM or vendor) that gets
 * the write. `savedAt`: the version of the opportunity. `make`: makes the write from a record. `sent`: returns the values that the write
 * contains. `unfit`: finds values that do not fit the receiving side's fields.
 */
type Making<M> = {
  readonly side: Hold['side'];
  readonly savedAt: string | null;
  readonly make: (record: Observed) => M;
  readonly sent: (made: M) => Sent;
  readonly unfit?: (made: M) => readonly Issue[];
};

/**
 * A write from which `withhold` has removed values that must not be sent. `issues`: for each removed value, why Lockstep does not send it.
 */
type Withheld<M> = { readonly record: Observed; readonly made: M; readonly issues: readonly Issue[] };

/** The write of a record to one side, without the values that this side has refused or cannot store. */
export function withhold<M>(
  record: Observed,
  { side, savedAt, make, sent, unfit }: Making<M>,
  input: Holding,
): Withheld<M> {
  const made = make(record);
  const refused = Object.entries(sent(made)).flatMap(
    ([field, value]) => issueHolding(holdOfField(side, field, value, savedAt), input) ?? [],
  );
  const issues = [...(unfit?.(made) ?? []), ...refused];
  if (issues.length === 0) return { record, made, issues };
  const rest = without(record, issues);
  return { record: rest, made: make(rest), issues };
}

function without(record: Observed, issues: readonly Issue[]): Observed {
  const held = fieldsOf(issues);
  return Object.fromEntries(Object.entries(record).filter(([field]) => !held.has(field))) as Observed;
}

export function fieldsOf(issues: readonly Issue[]): ReadonlySet<string | null> {
  return new Set(issues.map(({ field }) => field));
}

/**
 * The values in a write to the opportunity, by their fields' names in `FIELDS`. CRM fields that belong to no field of `FIELDS` are left
 * out.
 */
export function sentToOpportunity(opportunity: CrmFields, mapping: CrmNames): Sent {
  const fields = fieldsInCrm(Object.keys(opportunity), mapping);
  return Object.fromEntries(fields.map((field) => [field, opportunity[crmFieldOf(field, mapping)]]));
}

/**
 * Issues about values that do not fit the CRM's fields, for example because they are too long. Lockstep does not send these values. If a
 * person requested this work on the record (`isManual`), Lockstep sends them nevertheless, so that the CRM itself decides whether they fit.
 * There are then no issues.
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

/**
 * Whether an import (create of a vendor-created deal in the CRM) must contain this field, so that Lockstep does not omit the field when its
 * value does not fit. These fields are the currency and all fields that the CRM requires, except the status. The currency is among them,
 * because with a wrong currency the amounts would mean something else.
 */
export function isNeeded(field: FieldName): boolean {
  return field === 'currency' || (FIELDS[field].crmRequired && field !== 'status');
}

const OFFER = 'Product2.Vendor_Offer_Id__c';

export function offerOf(line: CrmFields): string {
  return String(line[OFFER]);
}

/**
 * For each offer id (id of a vendor's product), the issue about a new line that the CRM cannot store or has refused. Lockstep does not
 * write these lines, but writes all others. Empty if a person requested this work on the record (`isManual`), because Lockstep then tries
 * to write these lines too.
 */
export function heldLines(
  created: readonly CrmFields[],
  savedAt: string | null,
  input: Holding & Pick<DecideInput, 'crmLimits' | 'isManual'>,
): ReadonlyMap<string, Issue> {
  if (input.isManual) return new Map();
  return new Map(
    created.flatMap((line) => {
      const { [OFFER]: _, ...row } = line;
      const offer = offerOf(line);
      const [misfit] = misfits(row, input.crmLimits['OpportunityLineItem'], 'create');
      const refused = issueHolding(holdOf('crm', 'line', line, savedAt), input);
      const issue = refused ?? (misfit && ISSUES.lineDoesNotFit(offer, ...misfit));
      return issue === undefined ? [] : [[offer, issue] as const];
    }),
  );
}

type Lines = readonly OfferLine[];

/**
 * The lines of a deal, split by whether the vendor has refused them: the lines to send, the refused lines (`held`), and the issues about
 * the refused lines.
 */
export function withoutRefusedLines(lines: Lines, savedAt: string | null, input: Holding) {
  const issueOf = (line: OfferLine): Issue | undefined => issueHolding(holdOfVendorLine(line, savedAt), input);
  const held = lines.filter(issueOf);
  return {
    lines: lines.filter((line) => !held.includes(line)),
    held,
    issues: [...new Set(held.flatMap((line) => issueOf(line) ?? []))],
  };
}

export function withoutHeld(record: Observed, held: Lines): Observed {
  const { offerLines } = record;
  if (offerLines === undefined || held.length === 0) return record;
  const isHeld = ({ crmLineId }: OfferLine): boolean => held.some((line) => line.crmLineId === crmLineId);
  return { ...record, offerLines: offerLines.filter((line) => !isHeld(line)) };
}

/**
 * Whether the vendor surely has none of these lines, which it has refused before. Lockstep can then omit them from a sent list, and the
 * vendor does not lose a line. False if a line of the vendor has the offer (vendor's product) of one of these lines, because the two may be
 * the same line. `present`: the vendor's lines.
 */
export function areNewToVendor(lines: Lines, present: Lines | undefined): boolean {
  const offers = new Set(present?.map(({ offerNameId }) => offerNameId));
  return lines.every(({ offerNameId }) => !offers.has(offerNameId));
}
