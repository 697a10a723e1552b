import type { FieldName, Observed } from '../../record/canonical.ts';
import type { VendorIntent } from '../../record/intent.ts';
import { lensOf } from '../lens-of.ts';

/** Collects a request body together with the canonical fields it carries, as a later read shows them. */
export type RequestParts = {
  readonly core: Record<string, unknown>;
  readonly beside: Record<string, unknown>;
  readonly record: Record<string, unknown>;
};

export const noParts = (): RequestParts => ({ core: {}, beside: {}, record: {} });

/** Puts the JSON of a field where a request carries it. */
export function addPart(parts: RequestParts, field: FieldName, value: unknown, record: Observed): void {
  const { place, key } = lensOf(field).vendor;
  parts[place][key ?? field] = value;
  Object.assign(parts.record, record);
}

/** An intent of what was collected (sales spec 4.1, 4.2). */
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
