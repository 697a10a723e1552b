import { InvalidArgumentError } from 'commander';
import { VENDOR_KEY } from '../domain/record/link-key.ts';
import { toOpportunityId } from '../domain/record/salesforce-id.ts';

/** An id as it is looked up, an opportunity's in its 18-character form. Throws where it is none, or mistyped. */
export function readId(text: string): string {
  if (!/^[A-Za-z0-9_.:-]{1,128}$/.test(text)) throw new InvalidArgumentError('It is no id.');
  const opportunityId = toOpportunityId(text);
  if (opportunityId === null && /^006[A-Za-z0-9]{15}$/.test(text))
    throw new InvalidArgumentError('It is no id: its last three characters do not fit the others.');
  return opportunityId ?? text;
}

/** An opportunity's id. Throws where it is another's. */
export function readOpportunityId(text: string): string {
  const id = readId(text);
  if (!isOpportunityId(id)) throw new InvalidArgumentError('It is no id of an opportunity.');
  return id;
}

/** A vendor id, also where it is given as the key of its link. Throws where it is an opportunity's. */
export function readVendorId(text: string): string {
  const id = readId(text);
  if (isOpportunityId(id))
    throw new InvalidArgumentError('It is the id of an opportunity, which comes first.');
  return id.startsWith(VENDOR_KEY) ? id.slice(VENDOR_KEY.length) : id;
}

/** Of an id that `readId` gave. */
export function isOpportunityId(id: string): boolean {
  return toOpportunityId(id) === id;
}
