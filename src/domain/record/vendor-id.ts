import { toOpportunityId } from './salesforce-id.ts';

/**
 * The pattern of a vendor id: letters, digits and the usual punctuation of ids, without white space and without characters that must be
 * quoted in a shell or URL.
 */
const SHAPE = /^[A-Za-z0-9_-][A-Za-z0-9_.:+=/#~-]{0,63}$/;

/**
 * Whether a text can be the vendor's id of a record: 1 to 64 printable characters that are safe in workflow ids, paths and logs. The
 * vendor's documents define no format. An opportunity's id is refused, because it names a CRM record.
 */
export function isVendorId(text: unknown): text is string {
  return typeof text === 'string' && SHAPE.test(text) && toOpportunityId(text) === null;
}
