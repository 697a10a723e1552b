import { InvalidArgumentError } from 'commander';
import type { FieldName } from '../domain/record/canonical.ts';
import { FIELD_NAMES, FIELDS } from '../domain/record/fields.ts';

/** How long `--wait` without a number waits. */
export const WAIT_SECONDS = 60;

export function readSeconds(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is no number of seconds.');
}

/** A mapped field, by its name at the vendor or in Salesforce. */
export function readField(text: string): FieldName {
  const found = FIELD_NAMES.find((name) => name === text || FIELDS[name].crm === text);
  if (found === undefined) throw new InvalidArgumentError(`The fields are ${FIELD_NAMES.join(', ')}.`);
  return found;
}
