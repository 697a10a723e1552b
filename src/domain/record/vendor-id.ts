import { referenceKind } from './reference.ts';

/** Letters, digits and the marks that ids are made of: nothing that needs a quote, a blank or a line of its own. */
const SHAPE = /^[A-Za-z0-9_-][A-Za-z0-9_.:+=/#~-]{0,63}$/;

/**
 * Whether a text can be the vendor's id of a record: 1 to 64 printable characters, and not an opportunity's id, which names
 * a record of the CRM. The documents show no form, so that this is the widest that ids of workflows, paths and logs take.
 */
export function isVendorId(text: unknown): text is string {
  return typeof text === 'string' && SHAPE.test(text) && referenceKind(text) !== 'ours';
}
