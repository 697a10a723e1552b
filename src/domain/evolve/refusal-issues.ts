import { fingerprintOfContact } from '../decide/import-gaps.ts';
import {
  fingerprintOf,
  fingerprintOfLine,
  fingerprintOfVendorLine,
  isNeeded,
  offerOf,
  opportunityOf,
  sentToOpportunity,
} from '../decide/withheld.ts';
import { fieldsInCrm, fieldsNamedByVendor, isRequiredOnCreate } from '../mapping/index.ts';
import type { FieldName, OfferLine } from '../record/canonical.ts';
import { crmLabel, inOrgWords } from '../record/field-labels.ts';
import { FIELDS } from '../record/fields.ts';
import type { Issue } from '../record/issue.ts';
import { ISSUES } from '../record/issues.ts';
import { crmFieldOf } from '../record/mapping-config.ts';
import type { CrmImport, CrmUpdate, VendorWrite } from '../record/plan.ts';
import { oneLine } from '../values/text.ts';
import type { CrmWriteOutcome, VendorWriteOutcome } from './outcome.ts';

const SPEAKERS = { vendor: 'The vendor', crm: 'Salesforce' } as const;

/** The issue with the side's own text about it, of at most 1,000 characters. `names`: the labels of its fields. */
export function withSaid(
  found: Issue,
  side: 'vendor' | 'crm',
  text: string | null | undefined,
  names: readonly string[] = [],
): Issue {
  const said = oneLine(text ?? null, 1_000);
  const about = names.length === 0 ? '' : ` about ${names.join(', ')}`;
  return said === null ? found : { ...found, said: `${SPEAKERS[side]} says${about}: ${said}` };
}

/** The CRM fields that a refusal names, as quoted labels. */
export function labelsOf({ fields, labels }: Pick<CrmRefusal, 'fields' | 'labels'>): readonly string[] {
  return fields.map((name) => `"${crmLabel(name, labels)}"`);
}

type CrmRefusal = Extract<CrmWriteOutcome, { type: 'crm-refused' }>;
type VendorRefusal = Extract<VendorWriteOutcome, { type: 'vendor-refused' }>;

/** The vendor cannot parse a date; the error does not name the field (sales spec 7). */
const BAD_DATE = 'ERR805';

/**
 * Issues about the single values that a vendor refusal names. Empty if the vendor refused the whole request, or a value without which it
 * accepts no new deal.
 */
export function valuesRefusedByVendor(refusal: VendorRefusal): readonly Issue[] {
  const { plan, code, fields, named, offers, said, labels = {} } = refusal;
  const { intent, savedAt } = plan;
  const known = [...fieldsNamedByVendor(fields, null), ...named];
  const blamed = known.length === 0 && code === BAD_DATE ? intent.fields.filter(isDate) : known;
  const lines = linesRefusedByVendor(plan, fields, offers);
  const isWhole = (field: FieldName): boolean =>
    (field === 'offerLines' && lines.length > 0) || (plan.next === 'create-at-vendor' && isRequiredOnCreate(field));
  const found = [
    ...lines.map((line) => ({
      ...ISSUES.lineRefusedByVendor(String(line.offerNameId), code),
      fingerprint: fingerprintOfVendorLine(line, savedAt),
    })),
    ...intent.fields
      .filter((field) => blamed.includes(field) && !isWhole(field))
      .map((field) => ({
        ...ISSUES.valueRefusedByVendor(field, code),
        fingerprint: fingerprintOf(intent.record[field], savedAt),
      })),
  ];
  return inOrgWords(found, plan.baseAfter, labels).map((one) => withSaid(one, 'vendor', said));
}

/** The lines that a refusal names, by a path such as `offerLines[0]` or by offer id. */
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

/** Issues about the single values that a CRM refusal names. An import's required fields are excluded, because it cannot do without them. */
export function valuesRefusedByCrm(refusal: CrmRefusal): readonly Issue[] {
  const named = labelsOf(refusal);
  return valuesNamedByCrm(refusal, named).map((one) => withSaid(one, 'crm', refusal.said, named));
}

function valuesNamedByCrm(
  { plan, code, fields, part = null, labels = {} }: CrmRefusal,
  named: readonly string[],
): readonly Issue[] {
  if (part?.of === 'line') return lineRefusedByCrm(plan, code, named, part.created);
  if (part?.of === 'contact') return contactRefusedByCrm(plan, code, named, part.created);
  // The fields of an account are none of the opportunity, whatever their names.
  if (part?.of === 'account') return [];
  const names = plan.baseAfter;
  const sent = sentToOpportunity(opportunityOf(plan), names);
  const isImport = plan.next === 'create-in-crm';
  const savedAt = savedAtOf(plan);
  const found = fieldsInCrm(fields, names)
    .filter((field) => sent[field] !== undefined && !(isImport && (FIELDS[field].crmRequired || isNeeded(field))))
    .map((field) => ({
      ...ISSUES.valueRefusedByCrm(field, crmFieldOf(field, names), code),
      fingerprint: fingerprintOf(sent[field], savedAt),
    }));
  return inOrgWords(found, names, labels);
}

/** Issues about refused lines. A refused new line waits alone. If an existing line is refused, all changes of lines wait. */
function lineRefusedByCrm(
  plan: CrmUpdate | CrmImport,
  code: string,
  fields: readonly string[],
  created: number | null,
): readonly Issue[] {
  const savedAt = savedAtOf(plan);
  const lines = plan.next === 'create-in-crm' ? plan.create.lines : plan.write.lines.create;
  const row = created === null ? undefined : lines[created];
  if (row !== undefined)
    return [
      {
        ...ISSUES.lineRefusedByCrm(offerOf(row), code, fields),
        fingerprint: fingerprintOfLine(row, savedAt),
      },
    ];
  if (plan.next === 'create-in-crm') return [];
  return [{ ...ISSUES.linesRefusedByCrm(code, fields), fingerprint: fingerprintOf(plan.write.lines, savedAt) }];
}

/** Issues about a refused contact. Contacts are created only with a deal, and the deal is created without this contact. */
function contactRefusedByCrm(
  plan: CrmUpdate | CrmImport,
  code: string,
  fields: readonly string[],
  created: number | null,
): readonly Issue[] {
  const contact = plan.next === 'write-crm' || created === null ? undefined : plan.create.contacts[created];
  if (contact === undefined) return [];
  return [{ ...ISSUES.contactRefusedByCrm(code, fields), fingerprint: fingerprintOfContact(contact['Email']) }];
}

function savedAtOf(plan: CrmUpdate | CrmImport): string | null {
  return plan.next === 'create-in-crm' ? null : plan.write.ifUnmodifiedSince;
}

function isDate(field: FieldName): boolean {
  return FIELDS[field].kind === 'date';
}
