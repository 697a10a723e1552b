/** The parameters of each step of an audit. The workflow history stores them: ids, instants and numbers only. */
export type AuditRun = {
  readonly tenant: string;
  /** ISO instant; identifies the audit in the ledger. */
  readonly startedAt: string;
  /** How many more records the audit may mark due; 0 if the audit only reports. */
  readonly room: number;
};

/** The default number of records that one audit marks due. */
export const REPAIR_CAP = 500;
