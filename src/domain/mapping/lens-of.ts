import type { FieldName } from '../record/canonical.ts';
import { FIELDS } from '../record/fields.ts';
import { LENSES } from './kinds/index.ts';
import type { Lens } from './lens.ts';
import { OWN_RULES } from './own-rules/index.ts';

/**
 * The lens (pair of translation functions between CRM and vendor) of a field, for code that handles any field. The type of the value is
 * lost, so the caller must pass only values of this field.
 */
export function lensOf(field: FieldName): Lens<unknown> {
  return OWN_RULES[field] ?? LENSES[FIELDS[field].kind];
}

/** A field's "unset" value: `[]` for lists, else `null`. */
export function unsetOf(field: FieldName): null | readonly [] {
  return lensOf(field).unset as null | readonly [];
}
