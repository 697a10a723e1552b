import { crmError } from './classify.ts';
import type { CrmError } from './errors.ts';

/**
 * The characters that begin a reference to an earlier sub-request's answer, wherever they occur in a composite request. Salesforce offers
 * no way to escape them.
 */
const OPENING = '@{';

/**
 * Fields with record ids, in which Lockstep itself uses references (`@{name.id}`) to other sub-requests. Such a reference is accepted in
 * these fields, because their values come from Lockstep or Salesforce, never from a user.
 */
const ID_FIELDS: ReadonlySet<string> = new Set(['AccountId', 'ContactId', 'OpportunityId']);
const OURS = /^@\{[a-z]+\d*\.id\}$/;

/**
 * The error for texts in these bodies that Salesforce would take for references to other sub-requests (`@{…}`); it names their fields.
 * Salesforce would replace such a text by another record's data, or refuse the request. Null if there are no such texts.
 */
export function refusedReferences(bodies: readonly unknown[]): CrmError | null {
  const fields = [...new Set(bodies.flatMap((body) => fieldsIn(body, '')))];
  return fields.length === 0 ? null : crmError('permanent', 'REFERENCE_IN_VALUE', { fields });
}

/**
 * Changes a text so that Salesforce stores it as text: inserts a space into each `@{`, which would begin a reference. Only for texts that
 * users read, because the space changes the value.
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
