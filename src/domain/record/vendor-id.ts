import { toOpportunityId } from './salesforce-id.ts';

/** Matches letters, digits and the usual punctuation of ids, without white space or characters that need quoting. */
const SHAPE = /^[A-Za-z0-9_-][A-Za-z0-9_.:+=/#~-]{0,63}$/;

/**
 * Whether a text can be the vendor's id of a record: 1 to 64 printable characters, and no opportunity id, which would name a CRM record.
 * The documents define no format, so every character that is safe in workflow ids, paths and logs is allowed.
 */
export function isVendorId(text: unknown): text is string {
  return typeof text === 'string' && SHAPE.test(text) && toOpportunityId(text) === null;
}
