/**
 * For how long Lockstep stores data about the past of a tenant. Data that the sync of a record needs is not limited: it is stored as long
 * as the record.
 */
export type Retention = {
  /** How long journal lines are kept, in days. They are deleted by whole months. */
  readonly journalDays: number;
  /** How long plans are kept, in milliseconds. Their outcome stays in the journal. */
  readonly plansMs: number;
  /**
   * For how long Lockstep stores the ids of received messages, in milliseconds. A message that is sent again within this time is
   * recognised.
   */
  readonly deliveriesMs: number;
};

/**
 * The minimum time for which ids of received messages are stored, in ms: 25 hours. Salesforce repeats a message for up to a day, and a
 * repetition may be late.
 */
export const LEAST_DELIVERIES_MS = 25 * 3_600_000;

export const DEFAULT_RETENTION: Retention = {
  journalDays: 730,
  plansMs: 30 * 86_400_000,
  deliveriesMs: LEAST_DELIVERIES_MS,
};
