import type { FieldName, Observed } from './canonical.ts';

/** A request body for the vendor, ready to send (sales spec 4.1, 4.2), and which canonical fields it contains. */
export type VendorIntent = {
  readonly body: Readonly<Record<string, unknown>>;
  readonly fields: readonly FieldName[];
  readonly record: Observed;
};
