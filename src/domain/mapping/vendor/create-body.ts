import type { FieldName, Observed } from '../../record/canonical.ts';
import { FIELD_NAMES } from '../../record/fields.ts';
import type { Issue } from '../../record/issue.ts';
import { ISSUES } from '../../record/issues.ts';
import { lensOf } from '../lens-of.ts';
import type { CreateBody, CreateContext } from '../types.ts';
import { addPart, intentOf, noParts, toVendor } from './request-parts.ts';

/**
 * The request body that creates a record at the vendor (sales spec 4.1). Unset optional fields are left out, so that the vendor fills in
 * its documented defaults. `intent` (the request) is null if a required field or the partner's id is missing. If an optional field or a
 * line cannot be sent, only this field or line is left out, with an issue. Pure.
 */
export function createBody(record: Observed, { config, reference }: CreateContext): CreateBody {
  const parts = noParts();
  const issues: Issue[] = [];
  for (const field of FIELD_NAMES) {
    if (record[field] === undefined) continue;
    const target = { field, config, use: 'create', changes: record, target: record, present: {} } as const;
    const result = toVendor(lensOf(field), record[field], target);
    if (result.kind === 'send') addPart(parts, field, result.value, result.record);
    if (result.kind === 'withhold') issues.push(result.issue);
    else issues.push(...(result.leftOut ?? []));
  }
  const missing = REQUIRED.filter((field) => !(field in parts.record));
  if (config.partnerId === '') issues.push(ISSUES.partnerIdMissing());
  const repairs = config.of === 'lead' ? REPAIRS_OF_LEAD : REPAIRS;
  issues.push(...missing.map((field) => ISSUES.requiredOnCreate(field, repairs[field])));
  const complete = missing.length === 0 && config.partnerId !== '';
  return { intent: complete ? intentOf(parts, reference, config.partnerId) : null, issues };
}

/** The fields that the vendor requires in a create. For each, what a sales person must do if the opportunity has no value for it. */
const REPAIRS = {
  name: 'fill in the Opportunity Name',
  status: 'choose a Stage that has a status at the vendor',
  closeDate: 'fill in the Close Date',
  currency: 'fill in the Opportunity Currency, or ask the administrator to set the currency of the tenant file',
  offerLines: 'add a product that has a "Vendor: offer id" to the opportunity',
  customerLegalEntity: 'choose an Account, whose address and vendor fields Lockstep may see',
} as const satisfies Partial<Record<FieldName, string>>;

/** The fields that the vendor requires in a create. For each, what a sales person must do if a lead has no value for it. */
const REPAIRS_OF_LEAD: Readonly<Record<keyof typeof REPAIRS, string>> = {
  name: 'fill in the Company',
  status: 'choose a Lead Status that has a status at the vendor',
  closeDate: 'fill in "Vendor: close date"',
  currency: 'fill in the Lead Currency, or ask the administrator to set the currency of the tenant file',
  offerLines: 'choose a "Vendor: offer", or ask the administrator to set leads.offer in the tenant file',
  customerLegalEntity: 'fill in Company, City and Country',
};

const REQUIRED = Object.keys(REPAIRS) as readonly (keyof typeof REPAIRS)[];

/** Whether the vendor refuses a new deal that has no value in this field. */
export function isRequiredOnCreate(field: FieldName): boolean {
  return field in REPAIRS;
}
