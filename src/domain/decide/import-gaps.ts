import type { CustomerContact, Observed } from '../record/canonical.ts';
import type { CrmGraph } from '../record/crm-graph.ts';
import type { Hold, Issue } from '../record/issue.ts';
import { ISSUES } from '../record/issues.ts';
import { holdOfContact, issueHolding } from './holds.ts';
import type { DecideInput } from './input.ts';

type Contacts = readonly Pick<CustomerContact, 'email'>[];

/**
 * The record of a vendor-created deal, without the contacts that the CRM refused. `issues`: one for each refused contact, and one for each
 * e-mail address that occurs twice, because the CRM gets only one contact per address.
 */
export function withoutContactsNotMade(
  record: Observed,
  input: Pick<DecideInput, 'link' | 'sendsRefusedAgain'>,
): { readonly record: Observed; readonly issues: readonly Issue[] } {
  const contacts = record.customerContacts;
  if (contacts === undefined) return { record, issues: [] };
  const issueOf = ({ email }: CustomerContact): Issue | undefined => issueHolding(holdOfContact(email), input);
  const made = contacts.filter((contact) => issueOf(contact) === undefined);
  const held = new Set(contacts.flatMap((contact) => issueOf(contact) ?? []));
  return { record: { ...record, customerContacts: made }, issues: [...held, ...repeated(made)] };
}

function repeated(contacts: Contacts): readonly Issue[] {
  const emails = contacts.filter(({ email }) => email !== '').map(({ email }) => email.trim().toLowerCase());
  const twice = new Set(emails.filter((email, place) => emails.indexOf(email) !== place));
  return [...twice].map((email) => ({ ...ISSUES.vendorContactRepeated(), ...holdOfContact(email, 'contact-again') }));
}

/** The deal's CRM records, and the id and contacts of its vendor record. */
type Shown = { readonly graph: CrmGraph; readonly vendorId: string | null; readonly atVendor: Contacts };

/**
 * For each part of a vendor-created deal that Lockstep could not store in the CRM (a contact, a part of the address, the vendor id): the
 * function that tests whether the CRM still lacks it.
 */
const IS_MISSING: { readonly [P in Hold['part']]?: (hold: Hold, shown: Shown) => boolean } = {
  // If the vendor has removed the contact from its record, the contact does not count as missing in the CRM.
  contact: (hold, { graph, atVendor }) => countOf(hold, atVendor) > countOf(hold, emailsOf(graph)),
  'contact-again': (hold, { graph, atVendor }) => countOf(hold, atVendor) > countOf(hold, emailsOf(graph)),
  place: ({ valueFingerprint }, { graph: { account } }) =>
    account !== null && (account[valueFingerprint] ?? null) === null,
  'vendor-id': (_, { graph, vendorId }) => graph.opportunity['Vendor_Id__c'] !== vendorId,
};

/**
 * The issues of the link (pair of CRM record and vendor record) about content that the CRM still lacks, because Lockstep could not store it
 * when it created the opportunity. `atVendor`: the contacts of the vendor's record.
 */
export function stillMissing(
  { issues, vendorId }: Pick<DecideInput['link'], 'issues' | 'vendorId'>,
  graph: CrmGraph,
  atVendor: Contacts = [],
): readonly Issue[] {
  const shown = { graph, vendorId, atVendor };
  return issues.filter(({ hold }) => hold !== undefined && IS_MISSING[hold.part]?.(hold, shown) === true);
}

function emailsOf({ contacts }: CrmGraph): Contacts {
  return contacts.map(({ Email }) => ({ email: String(Email) }));
}

function countOf({ part, valueFingerprint }: Hold, contacts: Contacts): number {
  return contacts.filter(({ email }) => holdOfContact(email, part).hold.valueFingerprint === valueFingerprint).length;
}
