/** Reasons, by stable code, why a record waits without needing a person, as texts for users. Other reasons are in `issue-catalog.ts`. */
export const WAIT_REASONS = {
  'vendor-unavailable': 'the vendor to answer again',
  'vendor-throttled': "the reset of the vendor's rate limit",
  'vendor-paused': 'the vendor to take our key again',
  'crm-unavailable': 'Salesforce to answer again',
  'crm-throttled': "the reset of Salesforce's limit",
  'crm-budget': "room in our share of the org's daily API calls",
  'crm-paused': 'Salesforce to take our sign-in again',
  'tenant-paused': 'a person to let this tenant go on',
  adoption: "the vendor's search to show the record that carries our reference",
  matching: 'a backfill to match the records of the vendor, one of which it may be',
  turn: 'its turn',
} as const satisfies Readonly<Record<string, string>>;

export type WaitReason = keyof typeof WAIT_REASONS;
