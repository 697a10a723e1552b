import type { CustomerContact, PartnerContact } from '../../record/canonical.ts';
import type { CrmFields } from '../../record/crm-graph.ts';
import { readText } from '../../values/text.ts';
import type { ToVendor, VendorTarget } from '../lens.ts';

type Row = Readonly<Record<string, unknown>>;

/** Whether the integration user may read every mapped field of a CRM row. `fields`: the CRM field for each key of the vendor. */
export function isShownWhole(fields: Readonly<Record<string, string>>, row: CrmFields): boolean {
  return Object.values(fields).every((field) => row[field] !== undefined);
}

export function underVendorKeys(fields: Readonly<Record<string, string>>, row: CrmFields): Row {
  const cells = Object.entries(fields).map(([key, field]) => [key, readText(row[field]) ?? null]);
  return Object.fromEntries(cells);
}

/**
 * A contact in the vendor's answer, reduced to the mapped keys. A missing required value becomes `''`. The contact then stays in the list:
 * Lockstep always sends the whole list, so a missing contact would be removed.
 */
export function shownContact(fields: Readonly<Record<string, string>>, required: readonly string[], row: Row): Row {
  const unset = (key: string): '' | null => (required.includes(key) ? '' : null);
  return Object.fromEntries(Object.keys(fields).map((key) => [key, readText(row[key]) || unset(key)]));
}

/** Converts a list of contacts to JSON for a request to the vendor. A request always contains the whole list (sales spec 2.7). */
export function sendContacts(
  contacts: readonly (CustomerContact | PartnerContact)[],
  { field, use }: VendorTarget,
): ToVendor {
  if (contacts.length === 0) return { kind: 'unset' };
  return {
    kind: 'send',
    value: contacts.map((contact) => contactBody(contact, use)),
    record: { [field]: contacts },
  };
}

/**
 * The JSON of a contact in a request to the vendor. In a create, unset keys are left out. In an update, unset keys are sent as `''`,
 * because the documents do not say whether the vendor replaces or merges a contact.
 */
function contactBody(contact: CustomerContact | PartnerContact, use: VendorTarget['use']): Row {
  const cells = Object.entries(contact) as [string, string | null][];
  const kept = use === 'update' ? cells : cells.filter(([, value]) => value !== null);
  return Object.fromEntries(kept.map(([key, value]) => [key, value ?? '']));
}
