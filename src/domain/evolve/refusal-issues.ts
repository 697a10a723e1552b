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
import { FIELDS } from '../record/fields.ts';
import type { Issue } from '../record/issue.ts';
import { ISSUES } from '../record/issues.ts';
import { crmFieldOf } from '../record/mapping-config.ts';
import type { CrmImport, CrmUpdate, VendorWrite } from '../record/plan.ts';
import type { CrmWriteOutcome, VendorWriteOutcome } from './outcome.ts';

/** The vendor cannot parse a date; the error does not name the field (sales spec 7). */
const BAD_DATE = 'ERR805';

/**
 * Issues about the single values that a vendor refusal names. Empty if the vendor refused the whole request, or a value without which it
 * accepts no new deal.
 */
export function valuesRefusedByVendor({
  plan,
  code,
  fields,
  named,
  offers,
}: Extract<VendorWriteOutcome, { type: 'vendor-refused' }>): readonly Issue[] {
  const { intent, savedAt } = plan;
  const known = [...fieldsNamedByVendor(fields, null), ...named];
  const blamed = known.length === 0 && code === BAD_DATE ? intent.fields.filter(isDate) : known;
  const lines = linesRefusedByVendor(plan, fields, offers);
  const isWhole = (field: FieldName): boolean =>
    (field === 'offerLines' && lines.length > 0) || (plan.next === 'create-at-vendor' && isRequiredOnCreate(field));
  return [
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

/**
 * Issues about the single values that a CRM refusal names. Fields that an import requires are excluded, because the import cannot omit
 * them.
 */
export function valuesRefusedByCrm({
  plan,
  code,
  fields,
  part = null,
}: Extract<CrmWriteOutcome, { type: 'crm-refused' }>): readonly Issue[] {
  if (part?.of === 'line') return lineRefusedByCrm(plan, code, fields, part.created);
  if (part?.of === 'contact') return contactRefusedByCrm(plan, code, fields, part.created);
  // An account's fields do not belong to the opportunity, even if their names are equal.
  if (part?.of === 'account') return [];
  const names = plan.baseAfter;
  const sent = sentToOpportunity(opportunityOf(plan), names);
  const isImport = plan.next === 'create-in-crm';
  const savedAt = savedAtOf(plan);
  return fieldsInCrm(fields, names)
    .filter((field) => sent[field] !== undefined && !(isImport && (FIELDS[field].crmRequired || isNeeded(field))))
    .map((field) => ({
      ...ISSUES.valueRefusedByCrm(field, crmFieldOf(field, names), code),
      fingerprint: fingerprintOf(sent[field], savedAt),
    }));
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
