/**
 * The phase of an operator's action that an entry of the audit log records. Each action has two entries: `attempted` when it starts, and
 * `succeeded` or `failed` when it ends. If the second entry is missing, the action was killed or still runs.
 */
export type ActionPhase = 'attempted' | 'succeeded' | 'failed';

/** Ids, field names and options of an action. Contains no secret and no value of a field. */
export type ActionDetails = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** One entry of the audit log of operators. */
export type ActionEntry = {
  /** The action's UUID, which is the same in its two entries. */
  readonly action: string;
  /** When the entry was written, as ISO instant. */
  readonly at: string;
  readonly phase: ActionPhase;
  /** The command in words, such as `tenants pause`. */
  readonly verb: string;
  readonly tenants: readonly string[];
  readonly details: ActionDetails;
  /** The text of the option `--reason`; null if it was not given. */
  readonly reason: string | null;
  /** The user of the operating system and the machine's host name. For the console, the user is the signed-in person. */
  readonly user: string;
  readonly host: string;
  /** The error that ended the action, by its name and code; null if there was none. */
  readonly error: string | null;
};

/** An entry of the operators' audit log with its position in the hash chain: each entry contains the hash of the previous one. */
export type ChainedAction = ActionEntry & {
  /** The entry's number: 1 for the first entry, without gaps. */
  readonly seq: number;
  /** The PostgreSQL role of the process that wrote the entry. */
  readonly dbUser: string;
  /** Hash of the previous entry; empty for the first entry. */
  readonly previous: string;
  readonly hash: string;
};

/**
 * An entry of the operators' audit log as stored. `isProven`: the entry's hash equals the stored encrypted hash. Only a process with the
 * sealing key (the encryption key that all processes share) can have written such an entry.
 */
export type StoredAction = ChainedAction & { readonly isProven: boolean };

/** The audit log of operators. Entries are added and read, never changed. */
export interface ActionLedger {
  recordAction(entry: ActionEntry): Promise<ChainedAction>;
  /** At most `limit` entries with a number above `seq`, oldest first. */
  actionsAfter(seq: number, limit: number): Promise<readonly StoredAction[]>;
  /**
   * All entries of the last `limit` actions of operators, oldest first. `since` (ISO) leaves out older actions, and `tenant` leaves out
   * actions on other tenants; null leaves out none.
   */
  lastActions(since: string | null, tenant: string | null, limit: number): Promise<readonly StoredAction[]>;
}
