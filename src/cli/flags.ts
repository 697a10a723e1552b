import { InvalidArgumentError } from 'commander';
import type { FieldName } from '../domain/record/canonical.ts';
import { FIELD_NAMES, FIELDS, NARROWABLE } from '../domain/record/fields.ts';

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

/** One more field that one field of the opportunity holds, of an option that may be given several times. */
export function readFields(text: string, before: readonly FieldName[] = []): readonly FieldName[] {
  const field = readField(text);
  if (!NARROWABLE.includes(field))
    throw new InvalidArgumentError(`It can be ${NARROWABLE.join(', ')}: the others are merged part by part.`);
  return [...new Set([...before, field])];
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
