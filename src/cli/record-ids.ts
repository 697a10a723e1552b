import { InvalidArgumentError } from 'commander';
import { VENDOR_KEY } from '../domain/record/link-key.ts';
import { toDealId } from '../domain/record/salesforce-id.ts';

/** Help text of an argument that `readId` reads. */
export const ID_HELP = 'Salesforce id of an opportunity or lead (15 or 18 characters), vendor id, or key of a link';

/**
 * Checks an id: of an opportunity or lead, of a vendor record, or the key of a link (stored pair of CRM record and vendor record). Returns
 * the id of an opportunity or lead in its 18-character form, and any other id unchanged. Throws if the text contains a character that no id
 * has, or if the last three characters (the checksum) of an opportunity's or lead's id are wrong.
 */
export function readId(text: string): string {
  if (!/^[A-Za-z0-9_.:-]{1,128}$/.test(text)) throw new InvalidArgumentError('It is no id.');
  const opportunityId = toDealId(text);
  if (opportunityId === null && /^(006|00Q)[A-Za-z0-9]{15}$/.test(text))
    throw new InvalidArgumentError('It is no id: its last three characters do not fit the others.');
  return opportunityId ?? text;
}

/** Checks the id of an opportunity or lead, and returns it in its 18-character form. Throws for any other id. */
export function readOpportunityId(text: string): string {
  const id = readId(text);
  if (!isOpportunityId(id)) throw new InvalidArgumentError('It is no id of an opportunity.');
  return id;
}

/**
 * Returns the vendor id from a vendor id or from the key of a vendor-created deal's link, which contains the vendor id. Throws for the id
 * of an opportunity or lead.
 */
export function readVendorId(text: string): string {
  const id = readId(text);
  if (isOpportunityId(id)) throw new InvalidArgumentError('It is the id of an opportunity, which comes first.');
  return id.startsWith(VENDOR_KEY) ? id.slice(VENDOR_KEY.length) : id;
}

/** Whether an id that `readId` returned is an id of an opportunity or a lead. */
export function isOpportunityId(id: string): boolean {
  return toDealId(id) === id;
}
