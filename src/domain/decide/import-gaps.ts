import type { CustomerContact, Observed } from '../record/canonical.ts';
import type { Issue } from '../record/issue.ts';
import { ISSUES } from '../record/issues.ts';
import type { CrmObservation } from '../record/observation.ts';
import { fingerprint } from '../values/fingerprint.ts';
import type { DecideInput } from './input.ts';

type Contacts = readonly CustomerContact[];

/** Fingerprint of a contact: its e-mail address without regard to letter case. */
export function fingerprintOfContact(email: unknown): string {
  return fingerprint(['contact', String(email).trim().toLowerCase()]);
}

/**
 * A vendor-created record without the contacts that the CRM refused. `issues`: one for each refused contact, and one for each e-mail
 * address that occurs twice, because the CRM gets one contact per address.
 */
export function withoutContactsNotMade(
  record: Observed,
  { link, sendsRefusedAgain }: Pick<DecideInput, 'link' | 'sendsRefusedAgain'>,
): { readonly record: Observed; readonly issues: readonly Issue[] } {
  const contacts = record.customerContacts;
  if (contacts === undefined) return { record, issues: [] };
  const refused = sendsRefusedAgain ? [] : link.issues.filter(isRefusedContact);
  const fingerprints = new Set(refused.map(({ fingerprint }) => fingerprint));
  const made = contacts.filter(({ email }) => !fingerprints.has(fingerprintOfContact(email)));
  const held = refused.filter(({ fingerprint }) => countOf(fingerprint, contacts) > 0);
  return { record: { ...record, customerContacts: made }, issues: [...held, ...repeated(made)] };
}

/** Issues about contacts missing from an imported opportunity, until the vendor removes the contact or a user adds it in the CRM. */
export function contactsStillNotMade(
  { link }: Pick<DecideInput, 'link'>,
  { graph }: CrmObservation,
  atVendor: Contacts | undefined,
): readonly Issue[] {
  const inCrm = graph.contacts.map(({ Email }) => ({ email: String(Email) }));
  return link.issues.filter(
    (issue) =>
      (isRefusedContact(issue) || isRepeatedContact(issue)) &&
      countOf(issue.fingerprint, atVendor ?? []) > countOf(issue.fingerprint, inCrm),
  );
}

function repeated(contacts: Contacts): readonly Issue[] {
  const fingerprints = contacts.filter(({ email }) => email !== '').map(({ email }) => fingerprintOfContact(email));
  const twice = new Set(fingerprints.filter((fingerprint, place) => fingerprints.indexOf(fingerprint) !== place));
  return [...twice].map((fingerprint) => ({ ...ISSUES.vendorContactRepeated(), fingerprint }));
}

function isRefusedContact({ code, field, fingerprint }: Issue): boolean {
  return code === 'crm-refused' && field === 'customerContacts' && fingerprint !== undefined;
}

function isRepeatedContact({ code, fingerprint }: Issue): boolean {
  return code === 'contact-repeated' && fingerprint !== undefined;
}

function countOf(fingerprint: string | undefined, contacts: readonly Pick<CustomerContact, 'email'>[]): number {
  return contacts.filter(({ email }) => fingerprintOfContact(email) === fingerprint).length;
}

/** Issues about an account's country or state that the import left out, until a user enters it. `fingerprint`: the account's field. */
export function placesStillMissing(
  { link }: Pick<DecideInput, 'link'>,
  { graph: { account } }: CrmObservation,
): readonly Issue[] {
  const isMissing = ({ fingerprint = '' }: Issue): boolean =>
    account !== null && (account[fingerprint] === undefined || account[fingerprint] === null);
  return link.issues.filter(
    (issue) => issue.code === 'does-not-fit' && issue.field === 'customerLegalEntity' && isMissing(issue),
  );
}
