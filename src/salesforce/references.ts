import { crmError } from './classify.ts';
import type { CrmError } from './errors.ts';

/** What Salesforce takes for a reference to an earlier part's answer, wherever it stands in a text. It knows no escape. */
const OPENING = '@{';

/** Fields that hold ids of records: what stands there is ours, or came from Salesforce. */
const ID_FIELDS: ReadonlySet<string> = new Set(['AccountId', 'ContactId', 'OpportunityId']);
const OURS = /^@\{[a-z]+\d*\.id\}$/;

/**
 * The error of bodies that hold a value which Salesforce would replace by something of another record, or refuse a whole
 * composite request for; it names their fields. Null where there is none. References of our own stand alone, in fields of
 * ids.
 */
export function refusedReferences(bodies: readonly unknown[]): CrmError | null {
  const fields = [...new Set(bodies.flatMap((body) => fieldsIn(body, '')))];
  return fields.length === 0 ? null : crmError('permanent', 'REFERENCE_IN_VALUE', { fields });
}

/** A text of our own making, for people to read, that Salesforce stores instead of reading it. */
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
