import type { FieldName } from '../../domain/record/canonical.ts';
import { FIELD_NAMES, NARROWABLE } from '../../domain/record/fields.ts';
import { type CrmNames, fieldNamed } from '../../domain/record/mapping-config.ts';
import { Refusal } from './refusal.ts';

/**
 * Finds a mapped field by its vendor name, its Salesforce name or the tenant's own name for it. Throws `Refusal` if no field has this name.
 */
export function chosenField(text: string, names: CrmNames): FieldName {
  const found = fieldNamed(text, names);
  if (found !== null) return found;
  throw new Refusal('invalid', `No field is called ${text}. The fields are ${FIELD_NAMES.join(', ')}.`);
}

/**
 * Finds mapped fields by their vendor names, their Salesforce names or the tenant's own names. Undefined if `texts` is undefined. Throws
 * `Refusal` for an unknown field, and for a field that cannot be chosen alone (it is not in `NARROWABLE`).
 */
export function chosenFields(texts: readonly string[] | undefined, names: CrmNames): readonly FieldName[] | undefined {
  const fields = texts?.map((text) => chosenField(text, names));
  const other = fields?.find((field) => !NARROWABLE.includes(field));
  if (other === undefined) return fields && [...new Set(fields)];
  throw new Refusal('invalid', `${other} cannot be chosen alone. These fields can: ${NARROWABLE.join(', ')}.`);
}
