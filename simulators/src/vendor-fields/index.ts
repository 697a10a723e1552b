import { CATALOG_FIELDS } from './catalog.ts';
import { ENVELOPE_FIELDS } from './envelope.ts';
import { ORDER_FIELDS } from './order.ts';
import { SALES_FIELDS } from './sales.ts';

export { ENVELOPE_FIELDS } from './envelope.ts';
export { fieldText } from './field-group.ts';

/**
 * What the vendor's documents say of each field, once: the doc comments of the client's types and the descriptions of
 * the sandbox's OpenAPI document are made from it.
 */
export const FIELD_GROUPS = {
  ...SALES_FIELDS,
  ...ORDER_FIELDS,
  ...CATALOG_FIELDS,
  ...ENVELOPE_FIELDS,
} as const;

export type FieldGroupName = keyof typeof FIELD_GROUPS;
