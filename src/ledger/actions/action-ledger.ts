/** An action is written before it begins, and again when it ends. An attempt without an end was killed, or is under way. */
export type ActionPhase = 'attempted' | 'succeeded' | 'failed';

/** Ids, names of fields and options of an action. Never a secret, never a value of a field. */
export type ActionDetails = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** One entry of the audit log of operators. */
export type ActionEntry = {
  /** The same UUID for an attempt and its end. */
  readonly action: string;
  /** When the entry was written, ISO. */
  readonly at: string;
  readonly phase: ActionPhase;
  /** The command in words, such as `tenants pause`. */
  readonly verb: string;
  readonly tenants: readonly string[];
  readonly details: ActionDetails;
  /** What the operator gave with `--reason`. */
  readonly reason: string | null;
  /** User and host of the operating system. */
  readonly user: string;
  readonly host: string;
  /** Name and code of the error that ended the action. */
  readonly error: string | null;
};

/** An entry with its position in the hash chain. */
export type ChainedAction = ActionEntry & {
  /** The entry's number: 1 for the first entry, without gaps. */
  readonly seq: number;
  /** The PostgreSQL role that was signed in. */
  readonly dbUser: string;
  /** Hash of the entry before; empty for the first. */
  readonly previous: string;
  readonly hash: string;
};

/** A stored entry. `isProven`: whether its hash equals the hash that was sealed with it. */
export type StoredAction = ChainedAction & { readonly isProven: boolean };

/** The audit log of operators. Entries are added and read, never changed. */
export interface ActionLedger {
  recordAction(entry: ActionEntry): Promise<ChainedAction>;
  /** Entries with a number above `seq`, oldest first. */
  actionsAfter(seq: number, limit: number): Promise<readonly StoredAction[]>;
  /** All entries of the last actions, oldest first: since an instant, and about a tenant, unless null. `limit` counts actions. */
  lastActions(since: string | null, tenant: string | null, limit: number): Promise<readonly StoredAction[]>;
}
