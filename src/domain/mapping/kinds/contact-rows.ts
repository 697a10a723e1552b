import type { CustomerContact, PartnerContact } from '../../record/canonical.ts';
import type { CrmFields } from '../../record/crm-graph.ts';
import { readText } from '../../values/text.ts';
import type { ToVendor, VendorTarget } from '../lens.ts';

type Row = Readonly<Record<string, unknown>>;

/** Whether the integration user may read every field of a row. */
export function isShownWhole(fields: Readonly<Record<string, string>>, row: CrmFields): boolean {
  return Object.values(fields).every((field) => row[field] !== undefined);
}

export function underVendorKeys(fields: Readonly<Record<string, string>>, row: CrmFields): Row {
  const cells = Object.entries(fields).map(([key, field]) => [key, readText(row[field]) ?? null]);
  return Object.fromEntries(cells);
}

/** The mapped keys of a vendor row. A missing required value becomes `''`, because the list is sent whole and must keep the row. */
export function shownContact(fields: Readonly<Record<string, string>>, required: readonly string[], row: Row): Row {
  const unset = (key: string): '' | null => (required.includes(key) ? '' : null);
  return Object.fromEntries(Object.keys(fields).map((key) => [key, readText(row[key]) || unset(key)]));
}

/** Contacts in the vendor's form; the list is sent whole (sales spec 2.7). */
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
 * The vendor's form of a contact. An unset key is left out on create and is `''` on update, so that it is cleared whether the vendor
 * replaces or merges a contact (the documents do not say which).
 */
function contactBody(contact: CustomerContact | PartnerContact, use: VendorTarget['use']): Row {
  const cells = Object.entries(contact) as [string, string | null][];
  const kept = use === 'update' ? cells : cells.filter(([, value]) => value !== null);
  return Object.fromEntries(kept.map(([key, value]) => [key, value ?? '']));
}
