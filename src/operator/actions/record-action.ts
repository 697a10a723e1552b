import type { ActionDetails, ActionEntry, ActionLedger } from '../../ledger/actions/action-ledger.ts';

/** The operating system's user who runs a command, and the name of the machine. */
export type Actor = { readonly user: string; readonly host: string };

/** An operator's action before it begins, in the form in which the audit log stores it. */
export type Action = {
  /** The command in words, such as `tenants pause`. */
  readonly verb: string;
  readonly tenants: readonly string[];
  /** Ids, and names of fields and options. Never a secret, and never a value of a field. */
  readonly details: ActionDetails;
  readonly reason: string | null;
};

/**
 * The facts about an action that are known only at its end. `tenants` replaces the tenants that were recorded when the action began;
 * `details` are added.
 */
export type ActionOutcome = {
  readonly hasFailed: boolean;
  readonly tenants?: readonly string[];
  readonly details?: ActionDetails;
};

export type ActionPorts = {
  /** Returns the audit log; null before the database's first migration, which creates it. */
  readonly log: () => Promise<Pick<ActionLedger, 'recordAction'> | null>;
  readonly actor: Actor;
  readonly newId: () => string;
  readonly now: () => string;
  readonly warn: (line: string) => void;
};

/**
 * Writes an entry to the audit log, calls `work`, and writes a second entry about the end. If the first entry cannot be written, `work` is
 * not called. If the database has no audit log yet, both entries are written at the end. Throws the error of `work`, or the error that
 * prevented the first entry.
 */
export async function recorded<T>(
  ports: ActionPorts,
  action: Action,
  work: () => Promise<T>,
  outcomeOf: (answer: T) => ActionOutcome,
): Promise<T> {
  const entry = { ...action, ...ports.actor, action: ports.newId(), error: null };
  const attempt: ActionEntry = { ...entry, at: ports.now(), phase: 'attempted' };
  const log = await ports.log();
  await log?.recordAction(attempt);
  const end = async (ending: Pick<ActionEntry, 'phase'> & Partial<ActionEntry>): Promise<void> => {
    const late = log ?? (await ports.log());
    if (log === null) await late?.recordAction(attempt);
    await late?.recordAction({ ...entry, ...ending, at: ports.now() });
  };
  let answer: T;
  try {
    answer = await work();
  } catch (error) {
    await end({ phase: 'failed', error: nameOf(error) }).catch(() => undefined);
    throw error;
  }
  const { hasFailed, tenants = entry.tenants, details = {} } = outcomeOf(answer);
  const ending = { tenants, details: { ...entry.details, ...details } };
  await end({ ...ending, phase: hasFailed ? 'failed' : 'succeeded' }).catch((error: Error) =>
    ports.warn(`The audit log shows no end of this command: ${error.message}`),
  );
  return answer;
}

/** Name and code of an error for the audit log. The error's message is left out, because it may quote values. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as { readonly code?: unknown };
  const isCode = typeof code === 'string' && /^[\w-]{1,60}$/.test(code);
  return isCode ? `${error.name} ${code}` : error.name;
}
