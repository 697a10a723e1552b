import type { FieldName, Observed } from './canonical.ts';

/**
 * A request body for the vendor, ready to send (sales spec 4.1, 4.2). `fields`: the fields that the body contains, by their names in
 * `FIELDS`. `record`: their values, as a later read will show them.
 */
export type VendorIntent = {
  readonly body: Readonly<Record<string, unknown>>;
  readonly fields: readonly FieldName[];
  readonly record: Observed;
};
