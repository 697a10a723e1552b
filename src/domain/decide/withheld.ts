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

/** The content of a vendor write with the opportunity's version. Its fingerprint prevents a second send after a refusal. */
export function vendorWritePayload({ intent, savedAt }: Pick<VendorWrite, 'intent' | 'savedAt'>): unknown {
  return [intent.body, savedAt];
}

type Refusal = 'vendor-refused' | 'crm-refused';

const FINGERPRINTS = {
  'vendor-refused': 'refusedFingerprint',
  'crm-refused': 'crmRefusedFingerprint',
} as const;

/** Whether a side has refused this content before. False if the link has no such issue any more, or if refused values are sent again. */
export function isRefused(
  content: unknown,
  refusal: Refusal,
  { link, sendsRefusedAgain }: Pick<DecideInput, 'link' | 'sendsRefusedAgain'>,
): boolean {
  if (sendsRefusedAgain || !link.issues.some((issue) => isOfAll(issue) && issue.code === refusal)) return false;
  return fingerprint(content) === link[FINGERPRINTS[refusal]];
}

/** The issues together with the link's earlier issues about refused requests, so that these stay visible. */
export function withRefusals(issues: readonly Issue[], link: DecideInput['link']): readonly Issue[] {
  const known = new Set(issues.map((issue) => issue.message));
  const refusals = link.issues.filter(
    (issue) => isOfAll(issue) && issue.code in FINGERPRINTS && !known.has(issue.message),
  );
  return [...issues, ...refusals];
}

/** Whether the issue is about a whole refused request. An issue about one value has a fingerprint. */
function isOfAll({ fingerprint }: Issue): boolean {
  return fingerprint === undefined;
}

type Sent = { readonly [F in FieldName]?: unknown };

/** Fingerprint of a refused value. It includes the opportunity's version, because a user who saves wants the value sent again. */
export function fingerprintOf(value: unknown, savedAt: string | null): string {
  return fingerprint([value, savedAt]);
}

/** The link's issues about values that a side refused, if this request would send them unchanged. */
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

export function without(record: Observed, issues: readonly Issue[]): Observed {
  const held = fieldsOf(issues);
  return Object.fromEntries(Object.entries(record).filter(([field]) => !held.has(field))) as Observed;
}

export function fieldsOf(issues: readonly Issue[]): ReadonlySet<string | null> {
  return new Set(issues.map(({ field }) => field));
}

/** The values of a write to the opportunity, by canonical field. Only CRM fields that correspond to one canonical field are included. */
export function sentToOpportunity(opportunity: CrmFields, mapping: CrmNames): Sent {
  const fields = fieldsInCrm(Object.keys(opportunity), mapping);
  return Object.fromEntries(fields.map((field) => [field, opportunity[crmFieldOf(field, mapping)]]));
}

export function opportunityOf(plan: CrmUpdate | CrmImport): CrmFields {
  return plan.next === 'write-crm' ? plan.write.opportunity : plan.create.opportunity;
}

/** Issues about values that do not fit the CRM's fields. They are withheld before anything is sent, unless a person requested the pass. */
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

/** Whether Lockstep creates no opportunity without this field. A wrong currency would change the amounts. */
export function isNeeded(field: FieldName): boolean {
  return field === 'currency' || (FIELDS[field].crmRequired && field !== 'status');
}

const OFFER = 'Product2.Vendor_Offer_Id__c';

/** Fingerprint of a new line that the CRM refused, with the opportunity's version. */
export function fingerprintOfLine(line: CrmFields, savedAt: string | null): string {
  return fingerprintOf(['line', line], savedAt);
}

export function offerOf(line: CrmFields): string {
  return String(line[OFFER]);
}

type HeldBy = Pick<DecideInput, 'link' | 'crmLimits' | 'sendsRefusedAgain' | 'isManual'>;

/** By offer id, the issues about new lines that the CRM cannot store or has refused. These lines wait; the others are written. */
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

/** The input with the offers of withheld lines added to `unknownOffers`, so that the plan leaves these lines out. */
export function withoutLines<I extends Pick<DecideInput, 'unknownOffers'>>(
  input: I,
  heldOffers: ReadonlyMap<string, Issue>,
): I & { readonly heldOffers: ReadonlyMap<string, Issue> } {
  const unknownOffers = new Set([...input.unknownOffers, ...heldOffers.keys()]);
  return { ...input, unknownOffers, heldOffers };
}

type Lines = readonly OfferLine[];

type Refusals = Pick<DecideInput, 'link' | 'sendsRefusedAgain'>;

/** Fingerprint of a line that the vendor refused, with the opportunity's version. */
export function fingerprintOfVendorLine({ offerNameId, amount }: OfferLine, savedAt: string | null): string {
  return fingerprintOf(['line', offerNameId, amount], savedAt);
}

/** Lines for the vendor, and the held lines that it has refused. */
type LinesForVendor = {
  readonly lines: Lines;
  readonly held: Lines;
  /** The issues about the refused lines. */
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
  const fingerprints = new Set<string | undefined>(held.map((line) => fingerprintOfVendorLine(line, savedAt)));
  return {
    lines: lines.filter((line) => !isHeld(line)),
    held,
    issues: refused.filter(({ fingerprint }) => fingerprints.has(fingerprint)),
  };
}

export function withoutHeld(record: Observed, held: Lines): Observed {
  const { offerLines } = record;
  if (offerLines === undefined || held.length === 0) return record;
  const isHeld = ({ crmLineId }: OfferLine): boolean => held.some((line) => line.crmLineId === crmLineId);
  return { ...record, offerLines: offerLines.filter((line) => !isHeld(line)) };
}

/** Whether the vendor surely has none of these lines. A vendor line with the same offer may be the same line. */
export function areNewToVendor(lines: Lines, present: Lines | undefined): boolean {
  const offers = new Set(present?.map(({ offerNameId }) => offerNameId));
  return lines.every(({ offerNameId }) => !offers.has(offerNameId));
}
