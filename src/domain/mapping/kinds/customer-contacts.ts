import type { CustomerContact } from '../../record/canonical.ts';
import type { CrmFields } from '../../record/crm-graph.ts';
import { ISSUES } from '../../record/issues.ts';
import { type CrmValueRead, type Lens, neverToCrm, unknown } from '../lens.ts';
import { isShownWhole, sendContacts, shownContact, underVendorKeys } from './contact-rows.ts';
import { foldCase } from './email.ts';
import { keepRows } from './keep-values.ts';
import { keyOfRows, mapRows } from './rows.ts';

type Contacts = readonly CustomerContact[];

/** For each key of a contact at the vendor (sales spec 2.7), the field of the CRM's contact that contains the value. */
const CONTACT_FIELDS = {
  email: 'Email',
  firstName: 'FirstName',
  lastName: 'LastName',
  phoneNumber: 'Phone',
  salutation: 'Salutation',
  jobTitle: 'Title',
} as const satisfies Record<keyof CustomerContact, string>;

const CONTACT_KEYS = Object.keys(CONTACT_FIELDS) as readonly (keyof CustomerContact)[];

/**
 * Translates the customer's contacts between the CRM and the vendor. A CRM contact may belong to several deals, so a sync of one deal never
 * changes an existing contact.
 */
export const CUSTOMER_CONTACTS: Lens<Contacts> = {
  unset: [],
  scalar: false,
  crmFields: () => ({ Contact: Object.values(CONTACT_FIELDS) }),
  vendor: { place: 'beside', readAs: ['customerContact', 'customerContacts'] },
  key: (value) =>
    keyOfRows(value, (row) => CONTACT_KEYS.map((key) => (key === 'email' ? foldCase(row[key]) : row[key]))),
  fromCrm: (graph) => contactsOfCrm(graph.contacts),
  fromVendor: (value) =>
    mapRows(value, (rows) => rows.map((row) => shownContact(CONTACT_FIELDS, REQUIRED, row) as CustomerContact)),
  toCrm: neverToCrm,
  toNewCrm: (contacts) => ({ contacts: uniqueByEmail(contacts.filter(isComplete)).map(contactRow) }),
  forVendor: (crm, { agreed, vendor }) => keepRows(crm, agreed, vendor, ({ email }) => email.toLowerCase()),
  toVendor: sendContacts,
};

/**
 * Reads the contacts of a deal. Incomplete contacts and contacts with a repeated address are left out and reported as issues. The value is
 * undefined (unknown) if a field of a contact is hidden from the integration user.
 */
function contactsOfCrm(rows: readonly CrmFields[]): CrmValueRead<Contacts> {
  if (rows.some((row) => !isShownWhole(CONTACT_FIELDS, row)))
    return unknown(ISSUES.notReadable('customerContacts', 'a contact of the deal'));
  const contacts = eachOnce(rows).map((row) => underVendorKeys(CONTACT_FIELDS, row));
  const complete = contacts.filter(isComplete);
  const value = uniqueByEmail(complete);
  const issues = [
    ...(complete.length < contacts.length ? [ISSUES.contactIncomplete()] : []),
    ...(value.length < complete.length ? [ISSUES.contactRepeated()] : []),
  ];
  return { value, issues };
}

/** The contact rows without repetitions. A contact with several roles in a deal appears several times in a read. */
function eachOnce(rows: readonly CrmFields[]): readonly CrmFields[] {
  const isFirst = ({ Id }: CrmFields, place: number): boolean =>
    Id === undefined || rows.findIndex((row) => row['Id'] === Id) === place;
  return rows.filter(isFirst);
}

/** A new contact as a read of the CRM will return it: every field is present, and unset fields are null. */
export function withAllContactFields(row: CrmFields): CrmFields {
  const unset = Object.values(CONTACT_FIELDS).map((field) => [field, null]);
  return { ...Object.fromEntries(unset), ...row };
}

/** The fields of a new CRM contact, for a vendor-created deal. Unset fields are left out. */
function contactRow(contact: CustomerContact): CrmFields {
  const cells = CONTACT_KEYS.map((key) => [CONTACT_FIELDS[key], contact[key]] as const);
  return Object.fromEntries(cells.filter(([, value]) => value !== null));
}

/** Keys of a contact that the vendor requires (sales spec 2.7). */
const REQUIRED = ['email', 'firstName', 'lastName'];

function isComplete(row: Readonly<Record<string, unknown>>): row is CustomerContact {
  return REQUIRED.every((key) => Boolean(row[key]));
}

function uniqueByEmail(contacts: Contacts): Contacts {
  const seen = new Set<string>();
  return contacts.filter(({ email }) => {
    const key = email.toLowerCase();
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
