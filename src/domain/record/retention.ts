/** For how long Lockstep stores data about a tenant's past. Data that an existing record needs is stored as long as the record. */
export type Retention = {
  /** How long journal lines are kept, in days. They are deleted by whole months. */
  readonly journalDays: number;
  /** How long plans are kept, in milliseconds. Their outcome stays in the journal. */
  readonly plansMs: number;
  /**
   * For how long Lockstep stores the ids of received messages, in milliseconds. A message that arrives a second time within this time is
   * recognised as a repetition.
   */
  readonly deliveriesMs: number;
};

/**
 * The shortest allowed time to store ids of received messages, in ms. Salesforce sends a message again for up to a day. The extra hour is
 * for late ones.
 */
export const LEAST_DELIVERIES_MS = 25 * 3_600_000;

export const DEFAULT_RETENTION: Retention = {
  journalDays: 730,
  plansMs: 30 * 86_400_000,
  deliveriesMs: LEAST_DELIVERIES_MS,
};
