/** What one audit hands to each of its steps. Goes into its history: ids, instants and numbers alone. */
export type AuditRun = {
  readonly tenant: string;
  /** ISO; names the audit in the ledger. */
  readonly startedAt: string;
  /** How many more records may be marked due; 0 where none is to be repaired. */
  readonly room: number;
};

/** Records that one audit marks due, unless told otherwise. */
export const REPAIR_CAP = 500;
