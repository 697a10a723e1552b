import type { CustomerContact, PartnerContact } from '../../record/canonical.ts';
import type { CrmFields } from '../../record/crm-graph.ts';
import { readText } from '../../values/text.ts';
import type { ToVendor, VendorTarget } from '../lens.ts';

type Row = Readonly<Record<string, unknown>>;

/** Whether the user may see every field of a row. */
export function isShownWhole(fields: Readonly<Record<string, string>>, row: CrmFields): boolean {
  return Object.values(fields).every((field) => row[field] !== undefined);
}

/** A CRM row under the vendor's keys. */
export function underVendorKeys(fields: Readonly<Record<string, string>>, row: CrmFields): Row {
  const cells = Object.entries(fields).map(([key, field]) => [key, readText(row[field]) ?? null]);
  return Object.fromEntries(cells);
}

/**
 * The keys of a vendor row that the mapping knows. One that lacks what the vendor requires, whose value is then `''`, is
 * kept: the list is sent whole, and would lose it.
 */
export function shownContact(
  fields: Readonly<Record<string, string>>,
  required: readonly string[],
  row: Row,
): Row {
  const unset = (key: string): '' | null => (required.includes(key) ? '' : null);
  return Object.fromEntries(Object.keys(fields).map((key) => [key, readText(row[key]) || unset(key)]));
}

/** Contacts as the vendor takes them, the list whole (sales spec 2.7). */
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
 * An unset key is left out on create; on update it is `''`, so that clearing one works whether the vendor replaces a
 * contact or merges it (what it does with arrays is not shown).
 */
function contactBody(contact: CustomerContact | PartnerContact, use: VendorTarget['use']): Row {
  const cells = Object.entries(contact) as [string, string | null][];
  const kept = use === 'update' ? cells : cells.filter(([, value]) => value !== null);
  return Object.fromEntries(kept.map(([key, value]) => [key, value ?? '']));
}
