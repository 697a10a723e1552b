import type { FieldName } from '../record/canonical.ts';
import { FIELDS } from '../record/fields.ts';
import { LENSES } from './kinds/index.ts';
import type { Lens } from './lens.ts';
import { OWN_RULES } from './own-rules/index.ts';

/** The lens of a field, for code that treats all fields alike; who calls it hands it values of that field. */
export function lensOf(field: FieldName): Lens<unknown> {
  return OWN_RULES[field] ?? LENSES[FIELDS[field].kind];
}

/** The "unset" of a field: `[]` for lists, `null` for all else. */
export function unsetOf(field: FieldName): null | readonly [] {
  return lensOf(field).unset as null | readonly [];
}
