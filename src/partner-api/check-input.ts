import type { z } from 'zod';
import { type NearestFields, PartnerApiError } from './errors.ts';
import { fieldPaths, formatPath } from './field-paths.ts';
import type { Endpoint } from './request.ts';
import { nearestName } from './schema/nearest.ts';

type Faults = { readonly fields: readonly string[]; readonly nearest: NearestFields };

/**
 * Checks the input of an operation, before the request is sent, against the field names and strict rules of the vendor's documents. Throws
 * a PartnerApiError of kind `invalid` if the input breaks one of them.
 */
export function checkInput(endpoint: Endpoint, schema: z.ZodType, input: unknown): void {
  const faults = faultsOf(schema, input);
  if (faults === null) return;
  throw new PartnerApiError({ ...endpoint, kind: 'invalid', sent: 'no', code: 'INPUT', ...faults });
}

/**
 * The invalid fields of an input; null if all are valid. If reading the input throws, because it has a getter that throws, the whole input
 * counts as invalid.
 */
function faultsOf(schema: z.ZodType, input: unknown): Faults | null {
  try {
    const { error } = schema.safeParse(input);
    if (error === undefined) return null;
    return { fields: fieldPaths(error.issues), nearest: nearestFields(schema, error.issues) };
  } catch {
    return { fields: ['(body)'], nearest: {} };
  }
}

/**
 * For each field of the input that the documents do not show: the documented field with the most similar name, or null if none is similar.
 * Both are given as paths, such as `leadOpportunity.currency`.
 */
function nearestFields(schema: z.ZodType, issues: readonly z.core.$ZodIssue[]): NearestFields {
  const found = issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [];
    return issue.keys.map((name) => {
      const nearest = nearestName(schema, issue.path, name);
      const path = formatPath([...issue.path, name]);
      return [path, nearest === null ? null : formatPath([...issue.path, nearest])] as const;
    });
  });
  return Object.fromEntries(found);
}
