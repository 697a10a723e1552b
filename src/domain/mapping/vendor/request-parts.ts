import type { FieldName, Observed } from '../../record/canonical.ts';
import type { VendorIntent } from '../../record/intent.ts';
import { ISSUES } from '../../record/issues.ts';
import { crmFieldOf } from '../../record/mapping-config.ts';
import { unlistedCodes } from '../../values/lists.ts';
import type { Lens, ToVendor, VendorTarget } from '../lens.ts';
import { lensOf } from '../lens-of.ts';

/** A request body under construction, and the canonical values in it as a later read will show them. */
export type RequestParts = {
  readonly core: Record<string, unknown>;
  readonly beside: Record<string, unknown>;
  readonly record: Record<string, unknown>;
};

export const noParts = (): RequestParts => ({ core: {}, beside: {}, record: {} });

/** Adds a field's JSON at its place in the request. */
export function addPart(parts: RequestParts, field: FieldName, value: unknown, record: Observed): void {
  const { place, key } = lensOf(field).vendor;
  parts[place][key ?? field] = value;
  Object.assign(parts.record, record);
}

/** A value in the vendor's form. It is held back if the tenant's list of the vendor's codes lacks one of its codes. */
export function toVendor(lens: Lens<unknown>, value: unknown, at: VendorTarget): ToVendor {
  const { field, config, present } = at;
  if (unlistedCodes(field, value, { config, present: present[field] }).length === 0) return lens.toVendor(value, at);
  return { kind: 'withhold', issue: ISSUES.notListed(field, crmFieldOf(field, config)) };
}

/** The finished request, made of the collected JSON and the partner's ids (sales spec 4.1, 4.2). */
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
