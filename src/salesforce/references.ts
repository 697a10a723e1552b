import { crmError } from './classify.ts';
import type { CrmError } from './errors.ts';

/**
 * The characters that begin a reference to an earlier sub-request's answer, wherever they occur in a composite request. Salesforce offers
 * no way to escape them.
 */
const OPENING = '@{';

/** Fields that contain ids of records. Their values come from Lockstep or Salesforce, never from a user. */
const ID_FIELDS: ReadonlySet<string> = new Set(['AccountId', 'ContactId', 'OpportunityId']);
const OURS = /^@\{[a-z]+\d*\.id\}$/;

/**
 * The error for values that Salesforce would take for references to other sub-requests; it names their fields. Null if there are no such
 * values. Salesforce would replace such a value by another record's data, or refuse the request.
 */
export function refusedReferences(bodies: readonly unknown[]): CrmError | null {
  const fields = [...new Set(bodies.flatMap((body) => fieldsIn(body, '')))];
  return fields.length === 0 ? null : crmError('permanent', 'REFERENCE_IN_VALUE', { fields });
}

/**
 * Changes a text so that Salesforce stores it as text: inserts a space into each `@{`, which would begin a reference. Only for texts that
 * users read.
 */
export function withoutReferences<Value>(value: Value): Value | string {
  return typeof value === 'string' ? value.replaceAll(OPENING, '@ {') : value;
}

function fieldsIn(value: unknown, field: string): readonly string[] {
  if (typeof value === 'string')
    return value.includes(OPENING) && !(ID_FIELDS.has(field) && OURS.test(value)) ? [field] : [];
  if (Array.isArray(value)) return value.flatMap((each) => fieldsIn(each, field));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => fieldsIn(each, name));
}
