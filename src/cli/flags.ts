import { InvalidArgumentError } from 'commander';
import type { FieldName } from '../domain/record/canonical.ts';
import { FIELD_NAMES, NARROWABLE } from '../domain/record/fields.ts';
import { type CrmNames, crmFieldOf, fieldNamed } from '../domain/record/mapping-config.ts';
import { CliError, EXIT } from './exit.ts';

/** How many seconds `--wait` waits if it is given without a number. */
export const WAIT_SECONDS = 60;

export function readSeconds(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is no number of seconds.');
}

/**
 * Finds a field by its name at the vendor, or by its Salesforce field in the tenant's mapping or in the default mapping. Throws CliError if
 * no field has this name.
 */
export function chosenField(text: string, names: CrmNames): FieldName {
  const found = fieldNamed(text, names);
  if (found !== null) return found;
  const own = FIELD_NAMES.map((field) => crmFieldOf(field, names));
  const known = [...FIELD_NAMES, ...new Set(own)].join(', ');
  throw new CliError(`No field is called ${text}. The fields are ${known}.`, EXIT.usage);
}

/** Checks that a text has the form of a field name. Whether the field exists is checked later, against the tenant's mapping. */
export function readFieldName(text: string): string {
  if (/^[A-Za-z]\w{0,79}(\.[A-Za-z]\w{0,79})?$/.test(text)) return text;
  throw new InvalidArgumentError('It is no name of a field, such as description or Vendor_Next_Milestone__c.');
}

/** Adds one field name to those given before, for an option that may be repeated. */
export function readFieldNames(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, readFieldName(text)];
}

/**
 * Finds several fields, each by its name at the vendor or by its Salesforce field (see `chosenField`). Undefined if no name was given.
 * Throws CliError for an unknown field, and for a field that a command cannot sync alone, such as the lines.
 */
export function chosenFields(texts: readonly string[] | undefined, names: CrmNames): readonly FieldName[] | undefined {
  const fields = texts?.map((text) => chosenField(text, names));
  const other = fields?.find((field) => !NARROWABLE.includes(field));
  if (other === undefined) return fields && [...new Set(fields)];
  const message = `${other} cannot be chosen alone. These fields can: ${NARROWABLE.join(', ')}.`;
  throw new CliError(message, EXIT.usage);
}

/** Parses an option's instant: a date, or a time with its zone. Returns the instant in ISO. */
export function readInstant(text: string): string {
  const ms = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (Number.isNaN(ms)) throw new InvalidArgumentError('It is no instant; write 2026-01-01 or 2026-01-01T12:00:00Z.');
  return new Date(ms).toISOString();
}

/** Parses an option's share of the vendor's quota: a number more than 0 and at most 1. */
export function readShare(text: string): number {
  const share = Number(text);
  if (!(share > 0 && share <= 1)) throw new InvalidArgumentError('It is no share; write 0.5 for a half.');
  return share;
}

/** Parses an option's number, from 1 to 9999, that limits the length of a list. */
export function readLimit(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is no number from 1 to 9999.');
}
