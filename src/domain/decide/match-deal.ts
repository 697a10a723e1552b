import type { Observed, Text } from '../record/canonical.ts';
import type { CrmFields } from '../record/crm-graph.ts';
import { scopeOf } from '../record/scope.ts';

/**
 * Keys by which Lockstep searches the opportunity of a vendor-created deal. Each key but `customer` compares one value of the two records.
 * `customer` compares site id, DUNS, VAT and registration number of the account: at least one of these must be equal, and none that both
 * sides have may differ.
 */
export const MATCH_KEYS = [
  'customer',
  'account-site-id',
  'account-duns',
  'account-vat',
  'account-registration',
  'account-name',
  'name',
  'close-date',
] as const;
export type MatchKey = (typeof MATCH_KEYS)[number];

/**
 * The match keys of tenants that choose none: customer and name. Both must match, because many deals have the same customer or the same
 * name.
 */
export const DEFAULT_MATCH_KEYS: readonly MatchKey[] = ['customer', 'name'];

/** A condition on one field. `field`: a field of Opportunity, or a field of its account as `Account.<field>`. */
export type MatchCondition = { readonly field: string; readonly value: string };

/**
 * The conditions for an opportunity to match a vendor record. They are in groups, one for each key. In every group, at least one condition
 * must be met, and none may be violated. A condition on a field that is empty in the opportunity counts as neither.
 */
export type MatchCriteria = readonly (readonly MatchCondition[])[];

export type MatchVerdict =
  | { readonly verdict: 'none' }
  | { readonly verdict: 'one'; readonly crmId: string }
  | { readonly verdict: 'several'; readonly crmIds: readonly string[] }
  /**
   * No opportunity that is shared with the vendor matches the vendor record. These opportunities match it but are not shared, so users
   * would have to share one of them.
   */
  | { readonly verdict: 'unshared'; readonly crmIds: readonly string[] };

const IDENTITY = {
  'account-site-id': 'Account.Vendor_Site_Id__c',
  'account-duns': 'Account.Vendor_DUNS__c',
  'account-vat': 'Account.Vendor_VAT_Number__c',
  'account-registration': 'Account.Vendor_Registration_Id__c',
} as const satisfies Partial<Record<MatchKey, string>>;

const FIELDS = {
  ...IDENTITY,
  'account-name': 'Account.Name',
  name: 'Name',
  'close-date': 'CloseDate',
} as const satisfies Record<Exclude<MatchKey, 'customer'>, string>;

/** The account fields by which `customerAgrees` identifies a company. */
export const IDENTITY_FIELDS: readonly string[] = [...Object.values(IDENTITY), FIELDS['account-name']];

/** The conditions for an opportunity to match a vendor record. Null if no keys are configured or the record lacks a key's value. Pure. */
export function matchCriteria(record: Observed, keys: readonly MatchKey[]): MatchCriteria | null {
  const groups = keys.map((key) => conditionsOf(record, key));
  return groups.length === 0 || groups.some((group) => group.length === 0) ? null : groups;
}

/**
 * Finds the opportunity to which a vendor-created record belongs. `candidates`: rows with `Id`, `IsClosed`, `Vendor_Id__c`, the fields that
 * `scopeOf` reads to decide whether a record is shared, and the fields that the keys compare. Rows that are deleted, closed or have a
 * vendor id never match. The comparison ignores letter case and outer blanks. Pure.
 */
export function matchDeal(record: Observed, candidates: readonly CrmFields[], keys: readonly MatchKey[]): MatchVerdict {
  const groups = matchCriteria(record, keys);
  if (groups === null) return { verdict: 'none' };
  const matching = candidates.filter((row) => isFree(row) && groups.every((group) => agrees(group, row)));
  const shared = idsOf(matching.filter((row) => scopeOf(row).inScope));
  const [crmId] = shared;
  if (shared.length > 1) return { verdict: 'several', crmIds: shared };
  if (crmId !== undefined) return { verdict: 'one', crmId };
  return matching.length === 0 ? { verdict: 'none' } : { verdict: 'unshared', crmIds: idsOf(matching) };
}

/**
 * Whether a vendor record's customer is the account of this row. Compares the identifiers (such as DUNS or VAT number) that both sides
 * have. At least one must be equal, and none may differ. If they have no identifier in common, compares the names. `row`: fields of the
 * account as `Account.<field>`. Pure.
 */
export function customerAgrees(record: Observed, row: CrmFields): boolean {
  const shared = conditionsOf(record, 'customer').filter(({ field }) => folded(row[field]) !== '');
  return agrees(shared.length > 0 ? shared : conditionsOf(record, 'account-name'), row);
}

function idsOf(rows: readonly CrmFields[]): readonly string[] {
  return [...new Set(rows.map((row) => String(row['Id'])))].sort();
}

function isFree(row: CrmFields): boolean {
  return row['IsDeleted'] !== true && row['IsClosed'] === false && !row['Vendor_Id__c'];
}

/**
 * Whether the row meets at least one of these conditions and violates none. A condition on a field that is empty in the row counts as
 * neither.
 */
function agrees(group: readonly MatchCondition[], row: CrmFields): boolean {
  const shared = group.filter(({ field }) => folded(row[field]) !== '');
  return shared.length > 0 && shared.every(({ field, value }) => folded(row[field]) === folded(value));
}

function conditionsOf(record: Observed, key: MatchKey): readonly MatchCondition[] {
  if (key !== 'customer') return condition(FIELDS[key], shownBy(record, key));
  const identities = Object.keys(IDENTITY) as (keyof typeof IDENTITY)[];
  return identities.flatMap((identity) => condition(IDENTITY[identity], shownBy(record, identity)));
}

function condition(field: string, value: Text | undefined): readonly MatchCondition[] {
  const text = value?.trim() ?? '';
  return text === '' ? [] : [{ field, value: text }];
}

function shownBy(record: Observed, key: Exclude<MatchKey, 'customer'>): Text | undefined {
  const entity = record.customerLegalEntity;
  switch (key) {
    case 'account-site-id':
      return record.customerSiteId;
    case 'account-duns':
      return entity?.dunsNumber;
    case 'account-vat':
      return entity?.vatNumber;
    case 'account-registration':
      return entity?.registrationId;
    case 'account-name':
      return entity?.name;
    case 'name':
      return record.name;
    case 'close-date':
      return record.closeDate;
  }
}

function folded(value: unknown): string {
  return String(value ?? '')
    .trim()
    .toLowerCase();
}
