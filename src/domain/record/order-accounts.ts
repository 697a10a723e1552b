/**
 * The keys by which the account of an order can be found: the names of Lockstep's own keys, or an account field that contains the vendor's
 * site id.
 */
export const ACCOUNT_KEYS = ['site-id', 'name', 'local-name'] as const;
export type AccountKey = (typeof ACCOUNT_KEYS)[number] | `${string}__c`;

/**
 * A tenant's keys for finding the sold-to account and the bill-to account of an order. They are tried in this order; the first key that
 * finds an account counts.
 */
export type OrderAccounts = {
  readonly soldTo: readonly AccountKey[];
  readonly billTo: readonly AccountKey[];
};
