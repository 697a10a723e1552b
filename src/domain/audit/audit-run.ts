/** The parameters of each step of an audit. The workflow history stores them: ids, instants and numbers only. */
export type AuditRun = {
  readonly tenant: string;
  /** When the audit started, ISO. This instant also identifies the audit in the ledger (Lockstep's database). */
  readonly startedAt: string;
  /** How many more differing records the audit may queue for a sync; 0 if the audit only reports differences. */
  readonly room: number;
};

/** The maximum number of differing records that one audit queues for a sync, unless another number is set. */
export const REPAIR_CAP = 500;
