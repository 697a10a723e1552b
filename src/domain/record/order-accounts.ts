/**
 * The ways to find the CRM account of an order. These are Lockstep's own keys; the API name of an account field that contains the vendor's
 * site id may be used too.
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
