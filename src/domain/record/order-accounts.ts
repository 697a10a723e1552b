/**
 * The keys by which a tenant can choose how the CRM account of an order is found: by the vendor's site id, or by the site's name or local
 * name, which must be the account's name. Instead of such a key, the tenant may give the API name of an account field that contains the
 * vendor's site id.
 */
export const ACCOUNT_KEYS = ['site-id', 'name', 'local-name'] as const;
export type AccountKey = (typeof ACCOUNT_KEYS)[number] | `${string}__c`;

/**
 * The keys by which Lockstep finds the sold-to account and the bill-to account of an order. They are tried in the order of the list; the
 * first key that finds an account counts.
 */
export type OrderAccounts = {
  readonly soldTo: readonly AccountKey[];
  readonly billTo: readonly AccountKey[];
};
