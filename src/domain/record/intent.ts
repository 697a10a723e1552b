import type { FieldName, Observed } from './canonical.ts';

/** The request body for the vendor, ready to send (sales spec 4.1, 4.2), and the canonical fields in it. */
export type VendorIntent = {
  readonly body: Readonly<Record<string, unknown>>;
  readonly fields: readonly FieldName[];
  readonly record: Observed;
};
