import type { PartnerContact } from '../../record/canonical.ts';
import type { CrmFields } from '../../record/crm-graph.ts';
import { ISSUES } from '../../record/issues.ts';
import { type CrmValueRead, type Lens, neverToCrm, notInNewCrm, UNKNOWN } from '../lens.ts';
import { isShownWhole, sendContacts, shownContact, underVendorKeys } from './contact-rows.ts';
import { foldCase } from './email.ts';
import { keepRows } from './keep-values.ts';
import { keyOfRows, mapRows } from './rows.ts';

type Contacts = readonly PartnerContact[];

/** For each key of the partner's contact at the vendor (sales spec 2.7), the field of the CRM's user that contains the value. */
const OWNER_FIELDS = {
  salesRepEmail: 'Email',
  salesRepFirstName: 'FirstName',
  salesRepLastName: 'LastName',
} as const satisfies Record<keyof PartnerContact, string>;

/**
 * Translates the partner's sales person between the CRM and the vendor. In the CRM, the sales person is the opportunity's owner, whom
 * Lockstep never changes.
 */
export const PARTNER_CONTACTS: Lens<Contacts> = {
  unset: [],
  scalar: false,
  crmFields: () => ({ User: Object.values(OWNER_FIELDS) }),
  vendor: { place: 'beside', readAs: ['partnerContact', 'partnerContacts'] },
  key: (value) =>
    keyOfRows(value, (row) => [foldCase(row['salesRepEmail']), row['salesRepFirstName'], row['salesRepLastName']]),
  fromCrm: (graph) => contactOfOwner(graph.owner),
  fromVendor: (value) =>
    mapRows(value, (rows) =>
      rows.map((row) => shownContact(OWNER_FIELDS, Object.keys(OWNER_FIELDS), row) as PartnerContact),
    ),
  toCrm: neverToCrm,
  forVendor: (crm, { agreed, vendor }) =>
    keepRows(crm, agreed, vendor, ({ salesRepEmail }) => salesRepEmail.toLowerCase()),
  toNewCrm: notInNewCrm,
  toVendor: sendContacts,
};

/**
 * Reads the opportunity's owner as the only contact. If the owner lacks a name or an address, the value is unknown and an issue is
 * returned, because an empty list would clear the vendor's contacts.
 */
function contactOfOwner(owner: CrmFields | null): CrmValueRead<Contacts> {
  if (owner === null || !isShownWhole(OWNER_FIELDS, owner)) return UNKNOWN;
  const contact = underVendorKeys(OWNER_FIELDS, owner);
  if (!isComplete(contact)) return { value: undefined, issues: [ISSUES.ownerIncomplete()] };
  return { value: [contact], issues: [] };
}

function isComplete(row: Readonly<Record<string, unknown>>): row is PartnerContact {
  return Boolean(row['salesRepEmail'] && row['salesRepFirstName'] && row['salesRepLastName']);
}
