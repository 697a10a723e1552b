import { InvalidArgumentError } from 'commander';
import { VENDOR_KEY } from '../domain/record/link-key.ts';
import { toOpportunityId } from '../domain/record/salesforce-id.ts';

/** Checks an id; an opportunity's is returned in its 18-character form. Throws if it is no id, or mistyped. */
export function readId(text: string): string {
  if (!/^[A-Za-z0-9_.:-]{1,128}$/.test(text)) throw new InvalidArgumentError('It is no id.');
  const opportunityId = toOpportunityId(text);
  if (opportunityId === null && /^006[A-Za-z0-9]{15}$/.test(text))
    throw new InvalidArgumentError('It is no id: its last three characters do not fit the others.');
  return opportunityId ?? text;
}

/** Checks an opportunity's id. Throws for any other id. */
export function readOpportunityId(text: string): string {
  const id = readId(text);
  if (!isOpportunityId(id)) throw new InvalidArgumentError('It is no id of an opportunity.');
  return id;
}

/** Checks a vendor id, also given as the key of its link. Throws if it is an opportunity's id. */
export function readVendorId(text: string): string {
  const id = readId(text);
  if (isOpportunityId(id)) throw new InvalidArgumentError('It is the id of an opportunity, which comes first.');
  return id.startsWith(VENDOR_KEY) ? id.slice(VENDOR_KEY.length) : id;
}

/** Whether an id from `readId` is an opportunity's. */
export function isOpportunityId(id: string): boolean {
  return toOpportunityId(id) === id;
}
