import type { FieldName, Observed } from '../../record/canonical.ts';
import type { VendorIntent } from '../../record/intent.ts';
import { ISSUES } from '../../record/issues.ts';
import { crmFieldOf } from '../../record/mapping-config.ts';
import { unlistedCodes } from '../../values/lists.ts';
import type { Lens, ToVendor, VendorTarget } from '../lens.ts';
import { lensOf } from '../lens-of.ts';

/**
 * A request body while it is built. `core`: keys inside `leadOpportunity`; `beside`: keys next to it; `record`: the body's values in
 * canonical form (one form for both sides), as a later read will show them.
 */
export type RequestParts = {
  readonly core: Record<string, unknown>;
  readonly beside: Record<string, unknown>;
  readonly record: Record<string, unknown>;
};

export const noParts = (): RequestParts => ({ core: {}, beside: {}, record: {} });

/**
 * Adds a field to a request body. `value`: the field's JSON. `record`: the values in canonical form (one form for both sides), as a later
 * read will show them.
 */
export function addPart(parts: RequestParts, field: FieldName, value: unknown, record: Observed): void {
  const { place, key } = lensOf(field).vendor;
  parts[place][key ?? field] = value;
  Object.assign(parts.record, record);
}

/**
 * Converts a field's value to the vendor's form. If the value contains a code that is not in the tenant's list of the vendor's valid codes,
 * the result is an issue, and the value is not sent.
 */
export function toVendor(lens: Lens<unknown>, value: unknown, at: VendorTarget): ToVendor {
  const { field, config, present } = at;
  if (unlistedCodes(field, value, { config, present: present[field] }).length === 0) return lens.toVendor(value, at);
  return { kind: 'withhold', issue: ISSUES.notListed(field, crmFieldOf(field, config)) };
}

/**
 * Builds the complete request from the JSON that was collected for the fields. Adds the partner reference (`reference`: the id of the CRM
 * record) and, unless it is empty, the partner's id (sales spec 4.1, 4.2).
 */
export function intentOf(parts: RequestParts, reference: string, partnerId: string): VendorIntent {
  return {
    body: {
      ...(partnerId === '' ? {} : { partnerId }),
      leadOpportunity: { partnerLeadOpportunityId: reference, ...parts.core },
      ...parts.beside,
    },
    fields: Object.keys(parts.record) as FieldName[],
    record: parts.record as Observed,
  };
}
