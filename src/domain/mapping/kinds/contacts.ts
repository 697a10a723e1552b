import type { CustomerContact, PartnerContact } from '../../record/canonical.ts';
import type { CrmFields } from '../../record/crm-graph.ts';
import { ISSUES } from '../../record/issues.ts';
import { readText } from '../../values/text.ts';
import type { Part } from '../types.ts';

/** Contact fields of the CRM and the vendor's keys they stand for (sales spec 2.7). */
export const CONTACT_FIELDS = {
  email: 'Email',
  firstName: 'FirstName',
  lastName: 'LastName',
  phoneNumber: 'Phone',
  salutation: 'Salutation',
  jobTitle: 'Title',
} as const satisfies Record<keyof CustomerContact, string>;

const OWNER_FIELDS = {
  salesRepEmail: 'Email',
  salesRepFirstName: 'FirstName',
  salesRepLastName: 'LastName',
} as const satisfies Record<keyof PartnerContact, string>;

type Row = Readonly<Record<string, unknown>>;

/**
 * The contacts of a deal's contact roles. One that lacks what the vendor requires is left out and reported; of
 * several with one e-mail address the first counts. Unknown when the user may not see one of the fields.
 */
export function crmCustomerContacts(contacts: readonly CrmFields[]): Part {
  const fields = Object.values(CONTACT_FIELDS);
  if (contacts.some((contact) => fields.some((field) => contact[field] === undefined))) return UNKNOWN;
  const complete = contacts.map(customerContactOfCrm).filter((contact) => contact !== undefined);
  const issues = complete.length < contacts.length ? [ISSUES.contactIncomplete()] : [];
  return { record: { customerContacts: uniqueByEmail(complete) }, issues };
}

/** The owner as partner contact; left out and reported when incomplete, because an empty list would clear the vendor's. */
export function crmPartnerContacts(owner: CrmFields | null): Part {
  if (owner === null || Object.values(OWNER_FIELDS).some((field) => owner[field] === undefined))
    return UNKNOWN;
  const contact = readRow(OWNER_FIELDS, owner);
  if (!isPartnerContact(contact)) return { record: {}, issues: [ISSUES.ownerIncomplete()] };
  return { record: { partnerContacts: [contact] }, issues: [] };
}

/** `customerContact` of a read; entries without the required keys are no contacts and are left out. */
export function vendorCustomerContacts(rows: readonly Row[]): readonly CustomerContact[] {
  return uniqueByEmail(rows.map((row) => customerContact(row)).filter((contact) => contact !== undefined));
}

/** `partnerContact` of a read. */
export function vendorPartnerContacts(rows: readonly Row[]): readonly PartnerContact[] {
  return rows.map((row) => pick(Object.keys(OWNER_FIELDS), row)).filter(isPartnerContact);
}

/**
 * The vendor's form. An unset key is left out on create; on update it is `''`, so that clearing one works whether
 * the vendor replaces a contact or merges it (what it does with arrays is not shown).
 */
export function contactBody(
  contact: CustomerContact | PartnerContact,
  use: 'create' | 'update',
): Readonly<Record<string, string>> {
  const cells = Object.entries(contact) as [string, string | null][];
  const kept = use === 'update' ? cells : cells.filter(([, value]) => value !== null);
  return Object.fromEntries(kept.map(([key, value]) => [key, value ?? '']));
}

/** Contact fields for a vendor-created deal; unset ones are left out. */
export function contactOfVendor(contact: CustomerContact): CrmFields {
  const keys = Object.keys(CONTACT_FIELDS) as readonly (keyof CustomerContact)[];
  const cells = keys.map((key) => [CONTACT_FIELDS[key], contact[key]] as const);
  return Object.fromEntries(cells.filter(([, value]) => value !== null));
}

/** The row that contact fields read as once they are written: an unset one is null. */
export function contactRow(fields: CrmFields): CrmFields {
  const unset = Object.values(CONTACT_FIELDS).map((field) => [field, null]);
  return { ...Object.fromEntries(unset), ...fields };
}

const UNKNOWN: Part = { record: {}, issues: [] };

function customerContactOfCrm(row: CrmFields): CustomerContact | undefined {
  return customerContact(readRow(CONTACT_FIELDS, row));
}

function customerContact(row: Row): CustomerContact | undefined {
  const contact = pick(Object.keys(CONTACT_FIELDS), row);
  const complete = Boolean(contact['email'] && contact['firstName'] && contact['lastName']);
  return complete ? (contact as unknown as CustomerContact) : undefined;
}

function isPartnerContact(row: Row): row is PartnerContact {
  return Boolean(row['salesRepEmail'] && row['salesRepFirstName'] && row['salesRepLastName']);
}

function readRow(fields: Readonly<Record<string, string>>, row: CrmFields): Row {
  return Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [key, readText(row[field]) ?? null]),
  );
}

function pick(keys: readonly string[], row: Row): Row {
  return Object.fromEntries(keys.map((key) => [key, readText(row[key]) ?? null]));
}

function uniqueByEmail(contacts: readonly CustomerContact[]): readonly CustomerContact[] {
  const seen = new Set<string>();
  return contacts.filter(({ email }) => {
    const key = email.toLowerCase();
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
