import { z } from 'zod';
import { isIsoDateTime } from './dates.ts';

const UTC = /(?:Z|[+-]00:00)$/;

/** A date-time in a request: ISO 8601 with a zone and a day that exists (sales spec 2). */
export const isoDateTime = z.string().refine(isIsoDateTime, 'not an ISO 8601 date-time').meta({ format: 'date-time' });

/** A date-time in UTC in a request (order spec 4.2). */
export const utcDateTime = z
  .string()
  .refine((value) => isIsoDateTime(value) && UTC.test(value), 'must be a date-time in UTC')
  .meta({ format: 'date-time', pattern: UTC.source });

/**
 * JSON Schema for "at least one of these keys", for rules that zod checks by a function: not all of them absent. As alternatives, code
 * generators would make a type of each and lose the keys' own types.
 */
export function oneOfThem(names: readonly string[]): { readonly not: object } {
  return { not: { properties: Object.fromEntries(names.map((name) => [name, false])) } };
}
