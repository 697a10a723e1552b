/** How long what is past is kept of a tenant. What a live record needs is kept as long as it lives. */
export type Retention = {
  /** Lines of the journal, in days: they go by the month. */
  readonly journalDays: number;
  /** Plans, whose outcome the journal has. */
  readonly plansMs: number;
  /** Deliveries: a redelivery is told from a new message for so long. */
  readonly deliveriesMs: number;
};

/** Salesforce redelivers for a day; an hour more tells a late redelivery from a new message. */
export const LEAST_DELIVERIES_MS = 25 * 3_600_000;

export const DEFAULT_RETENTION: Retention = {
  journalDays: 730,
  plansMs: 30 * 86_400_000,
  deliveriesMs: LEAST_DELIVERIES_MS,
};
