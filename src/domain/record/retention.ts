/**
 * For how long Lockstep stores data about the past of a tenant. Data that Lockstep needs to sync a record is not limited: it is stored as
 * long as the record.
 */
export type Retention = {
  /** How long lines of the journal (log of decisions) are stored, in days. Old lines are deleted by whole months. */
  readonly journalDays: number;
  /**
   * How long plans (decisions with the values that they send) are stored, in milliseconds. The outcome of a plan stays in the journal (log
   * of decisions).
   */
  readonly plansMs: number;
  /**
   * For how long Lockstep stores the ids of received messages, in milliseconds. If Salesforce sends a message again within this time,
   * Lockstep recognises the message.
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
