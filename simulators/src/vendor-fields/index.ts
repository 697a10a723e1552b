import { CATALOG_FIELDS } from './catalog.ts';
import { ENVELOPE_FIELDS } from './envelope.ts';
import { ORDER_FIELDS } from './order.ts';
import { SALES_FIELDS } from './sales.ts';

export { ENVELOPE_FIELDS } from './envelope.ts';
export { fieldText } from './field-group.ts';

/**
 * Texts on all fields from the vendor's documents. The doc comments of the client's types and the descriptions in the sandbox's OpenAPI
 * document are generated from them.
 */
export const FIELD_GROUPS = {
  ...SALES_FIELDS,
  ...ORDER_FIELDS,
  ...CATALOG_FIELDS,
  ...ENVELOPE_FIELDS,
} as const;

export type FieldGroupName = keyof typeof FIELD_GROUPS;
