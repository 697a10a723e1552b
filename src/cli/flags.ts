import { InvalidArgumentError } from 'commander';
import type { FieldName } from '../domain/record/canonical.ts';
import { FIELD_NAMES, NARROWABLE } from '../domain/record/fields.ts';
import { type CrmNames, crmFieldOf, fieldNamed } from '../domain/record/mapping-config.ts';
import { CliError, EXIT } from './exit.ts';

/** How long `--wait` without a number waits. */
export const WAIT_SECONDS = 60;

export function readSeconds(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is no number of seconds.');
}

/** A mapped field, by its name at the vendor or in Salesforce, where the tenant's own names count too. Throws CliError. */
export function chosenField(text: string, names: CrmNames): FieldName {
  const found = fieldNamed(text, names);
  if (found !== null) return found;
  const own = FIELD_NAMES.map((field) => crmFieldOf(field, names));
  const known = [...FIELD_NAMES, ...new Set(own)].join(', ');
  throw new CliError(`No field is called ${text}. The fields are ${known}.`, EXIT.usage);
}

/** What can be a name of a field, at the vendor or in Salesforce; which of them there are, the tenant's mapping says. */
export function readFieldName(text: string): string {
  if (/^[A-Za-z]\w{0,79}(\.[A-Za-z]\w{0,79})?$/.test(text)) return text;
  throw new InvalidArgumentError(
    'It is no name of a field, such as description or Vendor_Next_Milestone__c.',
  );
}

/** One more of them, of an option that may be given several times. */
export function readFieldNames(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, readFieldName(text)];
}

/** Fields that one field of the opportunity holds, by any of their names; undefined where none was given. Throws CliError. */
export function chosenFields(
  texts: readonly string[] | undefined,
  names: CrmNames,
): readonly FieldName[] | undefined {
  const fields = texts?.map((text) => chosenField(text, names));
  const other = fields?.find((field) => !NARROWABLE.includes(field));
  if (other === undefined) return fields && [...new Set(fields)];
  const message = `${other} is merged part by part; it can be ${NARROWABLE.join(', ')}.`;
  throw new CliError(message, EXIT.usage);
}

/** An option's instant, as a date or with a time and its zone; ISO. */
export function readInstant(text: string): string {
  const ms = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (Number.isNaN(ms))
    throw new InvalidArgumentError('It is no instant; write 2026-01-01 or 2026-01-01T12:00:00Z.');
  return new Date(ms).toISOString();
}

/** An option's share of a whole: more than 0, and at most 1. */
export function readShare(text: string): number {
  const share = Number(text);
  if (!(share > 0 && share <= 1)) throw new InvalidArgumentError('It is no share; write 0.5 for a half.');
  return share;
}
