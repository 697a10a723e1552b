import type { FieldName, Observed } from '../../record/canonical.ts';
import type { VendorIntent } from '../../record/intent.ts';
import { lensOf } from '../lens-of.ts';

/** Collects a request body, and the canonical values in it as a later read will show them. */
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

/** The intent of the collected parts (sales spec 4.1, 4.2). */
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
