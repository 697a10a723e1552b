import type { FieldName } from '../../domain/record/canonical.ts';
import { FIELD_NAMES } from '../../domain/record/fields.ts';
import { type CrmNames, fieldNamed } from '../../domain/record/mapping-config.ts';
import { Refusal } from './refusal.ts';

/** Finds a mapped field by its vendor name, its Salesforce name or the tenant's own name for it. Throws `Refusal`. */
export function chosenField(text: string, names: CrmNames): FieldName {
  const found = fieldNamed(text, names);
  if (found !== null) return found;
  throw new Refusal('invalid', `No field is called ${text}. The fields are ${FIELD_NAMES.join(', ')}.`);
}
