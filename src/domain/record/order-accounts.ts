/** Keys that find the account of an order: Lockstep's own keys, or an account field with the vendor's site id. */
export const ACCOUNT_KEYS = ['site-id', 'name', 'local-name'] as const;
export type AccountKey = (typeof ACCOUNT_KEYS)[number] | `${string}__c`;

/**
 * A tenant's keys for finding the sold-to and the bill-to account of an order. They are tried in this sequence, and the first that finds an
 * account wins.
 */
export type OrderAccounts = {
  readonly soldTo: readonly AccountKey[];
  readonly billTo: readonly AccountKey[];
};
