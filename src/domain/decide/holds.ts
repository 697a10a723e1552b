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
 * Makes a hold: a mark on an issue that stops Lockstep from sending refused content again. `savedAt`: the version of the opportunity. After
 * a user saves the opportunity again, the hold no longer applies, because the user wants the content to be sent again.
 */
export function holdOf(side: Hold['side'], part: Hold['part'], content: unknown, savedAt: string | null = null): Held {
  return { hold: { side, part, valueFingerprint: fingerprint([side, part, content, savedAt]) } };
}

/** The hold (mark on an issue) that stops a whole refused write from being sent again. */
export function holdOfWrite(write: Pick<VendorWrite, 'intent' | 'savedAt'> | CrmUpdate | CrmImport): Held {
  if ('intent' in write) return holdOf('vendor', 'record', write.intent.body, write.savedAt);
  return holdOf('crm', 'record', write.next === 'write-crm' ? write.write : write.create);
}

/** The hold (mark on an issue) that stops one refused field value from being sent again. */
export function holdOfField(side: Hold['side'], field: string, value: unknown, savedAt: string | null): Held {
  return holdOf(side, 'field', [field, value], savedAt);
}

/** The hold (mark on an issue) that stops a refused line from being sent to the vendor again. */
export function holdOfVendorLine({ offerNameId, amount }: OfferLine, savedAt: string | null): Held {
  return holdOf('vendor', 'line', [offerNameId, amount], savedAt);
}

/**
 * The hold (mark on an issue) that stops a refused contact from being sent again. A contact is identified by its e-mail address, in any
 * letter case.
 */
export function holdOfContact(email: unknown, part: Hold['part'] = 'contact'): Held {
  return holdOf('crm', part, String(email).trim().toLowerCase());
}

type Holding = Pick<DecideInput, 'link' | 'sendsRefusedAgain'>;

/** The link's issue that stops Lockstep from sending the content with this hold; undefined if Lockstep may send it. */
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

/** The given issues, and the link's issues about writes that a side refused as a whole, so that users still see these. */
export function withRefusals(issues: readonly Issue[], link: DecideInput['link']): readonly Issue[] {
  const known = new Set(issues.map((issue) => issue.message));
  return [...issues, ...link.issues.filter(({ hold, message }) => hold?.part === 'record' && !known.has(message))];
}

type Sent = { readonly [F in FieldName]?: unknown };

/**
 * How `withhold` makes a write from a record. `savedAt`: the version of the opportunity. `unfit`: finds values that do not fit the target's
 * fields.
 */
type Making<M> = {
  readonly side: Hold['side'];
  readonly savedAt: string | null;
  readonly make: (record: Observed) => M;
  readonly sent: (made: M) => Sent;
  readonly unfit?: (made: M) => readonly Issue[];
};

/** A write from which `withhold` has removed values that must not be sent. `issues`: why each of them is not sent. */
type Withheld<M> = { readonly record: Observed; readonly made: M; readonly issues: readonly Issue[] };

/** The write of a record without the values that the side has refused or cannot store. */
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
 * The values in a write to the opportunity, by canonical field. CRM fields that do not belong to exactly one canonical field are left out.
 */
export function sentToOpportunity(opportunity: CrmFields, mapping: CrmNames): Sent {
  const fields = fieldsInCrm(Object.keys(opportunity), mapping);
  return Object.fromEntries(fields.map((field) => [field, opportunity[crmFieldOf(field, mapping)]]));
}

/**
 * Issues about values that do not fit the CRM's fields. Lockstep does not send these values, unless a person requested this work on the
 * record.
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
 * Whether the CRM cannot create an opportunity without this field. The currency is among these fields, because a wrong currency would
 * change the meaning of the amounts.
 */
export function isNeeded(field: FieldName): boolean {
  return field === 'currency' || (FIELDS[field].crmRequired && field !== 'status');
}

const OFFER = 'Product2.Vendor_Offer_Id__c';

export function offerOf(line: CrmFields): string {
  return String(line[OFFER]);
}

/**
 * The issues about new lines that the CRM cannot store or has refused, by offer id. Lockstep does not write these lines, but writes all
 * others.
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

/** The lines to send to the vendor, the lines that the vendor has refused, and the issues about the refused lines. */
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
 * Whether the vendor surely has none of these lines. False if the vendor has a line with the offer of one of them, because it may be the
 * same line.
 */
export function areNewToVendor(lines: Lines, present: Lines | undefined): boolean {
  const offers = new Set(present?.map(({ offerNameId }) => offerNameId));
  return lines.every(({ offerNameId }) => !offers.has(offerNameId));
}
