/**
 * The audit log has one entry when an action starts (`attempted`) and another when it ends. Without the second entry, the action was killed
 * or still runs.
 */
export type ActionPhase = 'attempted' | 'succeeded' | 'failed';

/** Ids, names of fields and options of an action. Never a secret, never a value of a field. */
export type ActionDetails = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** One entry of the audit log of operators. */
export type ActionEntry = {
  /** The action's UUID, which its two entries share. */
  readonly action: string;
  /** When the entry was written, as ISO instant. */
  readonly at: string;
  readonly phase: ActionPhase;
  /** The command in words, such as `tenants pause`. */
  readonly verb: string;
  readonly tenants: readonly string[];
  readonly details: ActionDetails;
  /** The text of the option `--reason`. */
  readonly reason: string | null;
  /** The operating system's user, or for the console the signed-in person, and the host name of the machine. */
  readonly user: string;
  readonly host: string;
  /** The error that ended the action, by its name and code. */
  readonly error: string | null;
};

/** An entry with its position in the hash chain. */
export type ChainedAction = ActionEntry & {
  /** The entry's number: 1 for the first entry, without gaps. */
  readonly seq: number;
  /** The PostgreSQL role that was signed in. */
  readonly dbUser: string;
  /** Hash of the previous entry; empty for the first entry. */
  readonly previous: string;
  readonly hash: string;
};

/**
 * An entry as stored. `isProven`: the entry's hash equals the hash that was stored encrypted beside it, so only a process with the sealing
 * key (encryption key) can have written the entry.
 */
export type StoredAction = ChainedAction & { readonly isProven: boolean };

/** The audit log of operators. Entries are added and read, never changed. */
export interface ActionLedger {
  recordAction(entry: ActionEntry): Promise<ChainedAction>;
  /** Entries with a number above `seq`, oldest first. */
  actionsAfter(seq: number, limit: number): Promise<readonly StoredAction[]>;
  /**
   * All entries of the last `limit` actions, oldest first. `since` (ISO) leaves out older actions; `tenant` leaves out actions on other
   * tenants. Null leaves out none.
   */
  lastActions(since: string | null, tenant: string | null, limit: number): Promise<readonly StoredAction[]>;
}
