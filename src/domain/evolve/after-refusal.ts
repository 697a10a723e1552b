import {
  holdOf,
  holdOfContact,
  holdOfField,
  holdOfVendorLine,
  holdOfWrite,
  isNeeded,
  offerOf,
  sentToOpportunity,
} from '../decide/holds.ts';
import { fieldsInCrm, fieldsNamedByVendor, isRequiredOnCreate } from '../mapping/index.ts';
import type { FieldName, OfferLine } from '../record/canonical.ts';
import { AGAIN_VERDICTS } from '../record/field-decision.ts';
import { inOrgWords } from '../record/field-labels.ts';
import { FIELDS } from '../record/fields.ts';
import type { Issue } from '../record/issue.ts';
import { ISSUES } from '../record/issues.ts';
import type { Link } from '../record/link.ts';
import { crmFieldOf } from '../record/mapping-config.ts';
import type { CrmImport, CrmUpdate, VendorWrite, WritePlan } from '../record/plan.ts';
import type { LinkChange } from './change.ts';
import { writeLine } from './journal-lines.ts';
import type { CrmWriteOutcome, VendorWriteOutcome } from './outcome.ts';
import { labelsOf, withSaid } from './refusal-words.ts';

type ByVendor = Extract<VendorWriteOutcome, { type: 'vendor-refused' }>;
type ByCrm = Extract<CrmWriteOutcome, { type: 'crm-refused' }>;

/**
 * A refused write, and what the refusing side said about it. `named` (fields), `offers` (of lines) and `part` (account, line or contact)
 * are present only if the side's answer names them.
 */
type Refusal = Pick<ByVendor | ByCrm, 'plan' | 'generation' | 'code' | 'fields' | 'said' | 'labels'> &
  Partial<Pick<ByVendor, 'named' | 'offers' | 'traceId'> & Pick<ByCrm, 'part'>>;

/**
 * How a permanent refusal of a write changes the link (pair of CRM record and vendor record, with its state). `link`: the link before the
 * write was sent. `at`: the present time, ISO.
 */
export function afterRefusal(link: Link, outcome: Refusal, at: string): LinkChange {
  const { plan, generation, code, traceId } = outcome;
  const answer = `refused ${code}`;
  return {
    ...notApplied({ ...link, base: plan.baseBefore ?? link.base }, plan),
    outcome: answer,
    state: 'parked',
    issues: [...plan.issues, ...holdsAfterRefusal(outcome)],
    ...(goesOnAfterRefusal(outcome) ? {} : { observedGeneration: generation }),
    journal: [writeLine(plan, at, answer, traceId)],
  };
}

/**
 * Whether another write must follow a refused write: the CRM's half of a merge or of an undo, the list itself after a write that only
 * cleared the list, or, if only a part of the write was refused, a write of the rest.
 */
export function goesOnAfterRefusal(outcome: Refusal): boolean {
  if ('intent' in outcome.plan && isWriteToFollow(outcome.plan)) return true;
  return holdsAfterRefusal(outcome).every(({ hold }) => hold?.part !== 'record');
}

/**
 * Whether another write must follow this write to the vendor. Such a write is the CRM's half of a merge or of an undo, or the list itself
 * after a write that only cleared the list.
 */
export function isWriteToFollow({ decisions, baseAfter }: Pick<VendorWrite, 'decisions' | 'baseAfter'>): boolean {
  return baseAfter.goingBack !== undefined || decisions.some((item) => AGAIN_VERDICTS.has(item.verdict));
}

/**
 * The change of a link (pair of CRM record and vendor record, with its state) after an answer which says that a write was not applied. The
 * write is removed from the writes in doubt (without an answer), and earlier writes stay. A CRM update is applied all or none, so its
 * answer is reliable. An import (create of a vendor-created deal in the CRM) is not: its answer may be an error although a part was
 * applied. So nothing is removed for an import.
 */
export function notApplied({ vendorInDoubt, base }: Link, { next }: WritePlan): LinkChange {
  if (next === 'create-in-crm') return {};
  return next === 'write-crm' ? { base } : { vendorInDoubt, base };
}

/**
 * The issues that keep Lockstep from sending refused content again. If the refusal names parts of the write (fields, lines, contacts),
 * there is an issue for each part. If it names none, or a value that a new record must have, one issue concerns the whole write.
 */
export function holdsAfterRefusal(refusal: Refusal): readonly Issue[] {
  const { plan, said, labels = {} } = refusal;
  const holds = inOrgWords(refusedParts(refusal), plan.baseAfter, labels);
  if ('intent' in plan) return holds.map((one) => withSaid(one, 'vendor', said));
  return holds.map((one) => withSaid(one, 'crm', said, labelsOf(refusal)));
}

function refusedParts(refusal: Refusal): readonly Issue[] {
  const { plan } = refusal;
  const parts = 'intent' in plan ? partsRefusedByVendor(plan, refusal) : partsRefusedByCrm(plan, refusal);
  return parts.length > 0 ? parts : [{ ...wholeRefused(refusal), ...holdOfWrite(plan) }];
}

function wholeRefused(refusal: Refusal): Issue {
  const { plan, code, named = [], part } = refusal;
  if ('intent' in plan) return ISSUES.vendorRefused(code, refusal.fields.length > 0 ? refusal.fields : named);
  const fields = labelsOf(refusal);
  if (plan.next === 'write-crm') return ISSUES.crmRefused(code, fields);
  const of = part?.of === 'account' || code === 'UNKNOWN_ACCOUNT_RECORD_TYPE' ? 'account' : 'opportunity';
  return ISSUES.importRefused(plan.create.vendorId, code, fields, of);
}

/** The vendor's code for a date that it cannot parse. The error does not name the field (sales spec 7). */
const BAD_DATE = 'ERR805';

function partsRefusedByVendor(plan: VendorWrite, { code, fields, named = [], offers = [] }: Refusal): readonly Issue[] {
  const { intent, savedAt } = plan;
  const known = [...fieldsNamedByVendor(fields, null), ...named];
  const blamed = known.length === 0 && code === BAD_DATE ? intent.fields.filter(isDate) : known;
  const lines = linesRefusedByVendor(plan, fields, offers);
  const isWhole = (field: FieldName): boolean =>
    (field === 'offerLines' && lines.length > 0) || (plan.next === 'create-at-vendor' && isRequiredOnCreate(field));
  return [
    ...lines.map((line) => ({
      ...ISSUES.lineRefusedByVendor(String(line.offerNameId), code),
      ...holdOfVendorLine(line, savedAt),
    })),
    ...intent.fields
      .filter((field) => blamed.includes(field) && !isWhole(field))
      .map((field) => ({
        ...ISSUES.valueRefusedByVendor(field, code),
        ...holdOfField('vendor', field, intent.record[field], savedAt),
      })),
  ];
}

/** The lines that the vendor's refusal names, by a path such as `offerLines[0]` or by an offer id (id of a vendor's product). */
function linesRefusedByVendor(
  { intent }: VendorWrite,
  fields: readonly string[],
  offers: readonly string[],
): readonly OfferLine[] {
  const paths = fields.map((path) => /^offerLines\[(\d+)\]/.exec(path)?.[1]);
  const places = new Set(paths.filter((place) => place !== undefined).map(Number));
  const lines = intent.record.offerLines ?? [];
  return lines.filter((line, place) => places.has(place) || offers.includes(line.offerNameId ?? ''));
}

/**
 * The issues that keep Lockstep from sending rows or fields again that the CRM refused. Empty if the CRM refused the account, or a field
 * that every import (create of a vendor-created deal) needs. Then nothing of the write may be sent again.
 */
function partsRefusedByCrm(plan: CrmUpdate | CrmImport, refusal: Refusal): readonly Issue[] {
  const { code, fields, part } = refusal;
  const named = labelsOf(refusal);
  const isImport = plan.next === 'create-in-crm';
  const savedAt = isImport ? null : plan.write.ifUnmodifiedSince;
  if (part?.of === 'account') return [];
  if (part?.of === 'contact') {
    // Contacts are created only with a deal, and the deal is created without this contact.
    const contact = isImport ? plan.create.contacts[part.created ?? -1] : undefined;
    return contact === undefined
      ? []
      : [{ ...ISSUES.contactRefusedByCrm(code, named), ...holdOfContact(contact['Email']) }];
  }
  if (part?.of === 'line') return lineRefusedByCrm(plan, code, named, part.created);
  const { opportunity } = isImport ? plan.create : plan.write;
  const names = plan.baseAfter;
  const sent = sentToOpportunity(opportunity, names);
  return fieldsInCrm(fields, names)
    .filter((field) => sent[field] !== undefined && !(isImport && (FIELDS[field].crmRequired || isNeeded(field))))
    .map((field) => ({
      ...ISSUES.valueRefusedByCrm(field, crmFieldOf(field, names), code),
      ...holdOfField('crm', field, sent[field], savedAt),
    }));
}

/**
 * The issue about a line that the CRM refused. If the line is new, Lockstep holds back only this line. If the line exists already, Lockstep
 * holds back all changes of lines, because a write contains all of them as one value (the field `offerLines`).
 */
function lineRefusedByCrm(
  plan: CrmUpdate | CrmImport,
  code: string,
  fields: readonly string[],
  created: number | null,
): readonly Issue[] {
  const isImport = plan.next === 'create-in-crm';
  const savedAt = isImport ? null : plan.write.ifUnmodifiedSince;
  const row = (isImport ? plan.create.lines : plan.write.lines.create)[created ?? -1];
  if (row !== undefined)
    return [{ ...ISSUES.lineRefusedByCrm(offerOf(row), code, fields), ...holdOf('crm', 'line', row, savedAt) }];
  if (isImport) return [];
  const hold = holdOfField('crm', 'offerLines', plan.write.lines, savedAt);
  return [{ ...ISSUES.linesRefusedByCrm(code, fields), ...hold }];
}

function isDate(field: FieldName): boolean {
  return FIELDS[field].kind === 'date';
}
