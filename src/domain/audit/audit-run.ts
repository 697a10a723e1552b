/** The parameters of each step of an audit. The workflow history stores them: ids, instants and numbers only. */
export type AuditRun = {
  readonly tenant: string;
  /** ISO instant; identifies the audit in the ledger. */
  readonly startedAt: string;
  /** How many more records the audit may queue for a sync; 0 if the audit only reports. */
  readonly room: number;
};

/** How many differing records one audit queues for a sync, unless set otherwise. */
export const REPAIR_CAP = 500;
