import type { Observed, Text } from '../record/canonical.ts';
import type { CrmFields } from '../record/crm-graph.ts';
import { scopeOf } from '../record/scope.ts';

/**
 * What a vendor-created deal and an opportunity may be recognised by. `customer` is the account's identity: at least one
 * of site id, DUNS, VAT and registration number is the same, and none that both have differs.
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

/** One customer and one name for the deal. Either alone is shared by many deals. */
export const DEFAULT_MATCH_KEYS: readonly MatchKey[] = ['customer', 'name'];

/** `field` is a field of Opportunity, or of its account as `Account.<field>`. */
export type MatchCondition = { readonly field: string; readonly value: string };

/** All groups have to hold, each by at least one of its conditions. */
export type MatchCriteria = readonly (readonly MatchCondition[])[];

export type MatchVerdict =
  | { readonly verdict: 'none' }
  | { readonly verdict: 'one'; readonly crmId: string }
  | { readonly verdict: 'several'; readonly crmIds: readonly string[] }
  /** None that is shared, but these would be the deal if they were. */
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

/**
 * What candidates must have in common with a vendor record. Null when nothing can match: no keys are declared, or the
 * record lacks one of them. Pure.
 */
export function matchCriteria(record: Observed, keys: readonly MatchKey[]): MatchCriteria | null {
  const groups = keys.map((key) => conditionsOf(record, key));
  return groups.length === 0 || groups.some((group) => group.length === 0) ? null : groups;
}

/**
 * Which opportunity a vendor-created record is. Candidates are rows with `Id`, the fields of `scopeOf`, `IsClosed`,
 * `Vendor_Id__c` and those of the criteria; one that is deleted, closed or already a vendor record's is none. Texts are
 * compared without letter case and outer blanks. Pure.
 */
export function matchDeal(
  record: Observed,
  candidates: readonly CrmFields[],
  keys: readonly MatchKey[],
): MatchVerdict {
  const groups = matchCriteria(record, keys);
  if (groups === null) return { verdict: 'none' };
  const matching = candidates.filter((row) => isFree(row) && groups.every((group) => agrees(group, row)));
  const shared = idsOf(matching.filter((row) => scopeOf(row).inScope));
  const [crmId] = shared;
  if (shared.length > 1) return { verdict: 'several', crmIds: shared };
  if (crmId !== undefined) return { verdict: 'one', crmId };
  return matching.length === 0 ? { verdict: 'none' } : { verdict: 'unshared', crmIds: idsOf(matching) };
}

function idsOf(rows: readonly CrmFields[]): readonly string[] {
  return [...new Set(rows.map((row) => String(row['Id'])))].sort();
}

function isFree(row: CrmFields): boolean {
  return row['IsDeleted'] !== true && row['IsClosed'] === false && !row['Vendor_Id__c'];
}

/** Of what both have, something is the same and nothing differs. */
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
