/** How long Lockstep keeps a tenant's past data. Data that a live record needs is kept as long as the record. */
export type Retention = {
  /** How long journal lines are kept, in days. They are deleted by whole months. */
  readonly journalDays: number;
  /** How long plans are kept, in milliseconds. Their outcome stays in the journal. */
  readonly plansMs: number;
  /**
   * How long delivery ids are kept, in milliseconds. A message that arrives twice within this time is recognised as a repeated delivery.
   */
  readonly deliveriesMs: number;
};

/** The shortest retention of delivery ids, in ms. Salesforce redelivers for a day. The extra hour is for late deliveries. */
export const LEAST_DELIVERIES_MS = 25 * 3_600_000;

export const DEFAULT_RETENTION: Retention = {
  journalDays: 730,
  plansMs: 30 * 86_400_000,
  deliveriesMs: LEAST_DELIVERIES_MS,
};
