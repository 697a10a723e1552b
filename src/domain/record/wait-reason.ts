/**
 * Reasons why a record waits although no user or operator needs to act, by stable code. Each text completes the words "waits for".
 * `issue-catalog.ts` has all other reasons.
 */
export const WAIT_REASONS = {
  'vendor-unavailable': 'the vendor to answer again',
  'vendor-throttled': "the reset of the vendor's rate limit",
  'vendor-paused': 'the vendor to accept our key again',
  'crm-unavailable': 'Salesforce to answer again',
  'crm-throttled': "the reset of Salesforce's limit",
  'crm-budget': "free calls in our share of the org's daily API calls",
  'crm-paused': 'Salesforce to accept our sign-in again',
  'tenant-paused': 'an operator to resume this tenant',
  adoption: "the vendor's search to show the deal that carries our reference",
  matching: 'a backfill to match it with the deals of the vendor',
  turn: 'a free worker',
} as const satisfies Readonly<Record<string, string>>;

export type WaitReason = keyof typeof WAIT_REASONS;
