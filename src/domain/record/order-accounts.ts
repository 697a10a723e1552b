/** What the account of an order is found by: keys of ours, or a field of the account that holds the vendor's site id. */
export const ACCOUNT_KEYS = ['site-id', 'name', 'local-name'] as const;
export type AccountKey = (typeof ACCOUNT_KEYS)[number] | `${string}__c`;

/** A tenant's rules for the accounts of an order; the first that finds one wins. */
export type OrderAccounts = {
  readonly soldTo: readonly AccountKey[];
  readonly billTo: readonly AccountKey[];
};
