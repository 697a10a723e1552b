import { actionHash } from '../../ledger/actions/action-hash.ts';
import type { ActionLedger, ChainedAction, StoredAction } from '../../ledger/actions/action-ledger.ts';

/**
 * An action of an operator with its outcome. `endedAt` and `outcome` are null if the audit log has no entry about the end of the action,
 * for example because the process was killed. Instants are ISO.
 */
export type LoggedAction = Omit<ChainedAction, 'phase' | 'at' | 'action' | 'previous' | 'hash' | 'seq'> & {
  readonly seq: number;
  readonly attemptedAt: string;
  readonly endedAt: string | null;
  readonly outcome: 'succeeded' | 'failed' | null;
};

export type AuditLog = { readonly shape: 'audit-log/1'; readonly actions: readonly LoggedAction[] };

/** Reads the last actions of operators from the audit log, oldest first. Each action is returned with its outcome. */
export async function readAuditLog(
  ledger: Pick<ActionLedger, 'lastActions'>,
  { since, tenant, limit }: { readonly since: string | null; readonly tenant: string | null; readonly limit: number },
): Promise<AuditLog> {
  const entries = await ledger.lastActions(since, tenant, limit);
  const actions = [...Map.groupBy(entries, ({ action }) => action).values()].map(loggedAction);
  return { shape: 'audit-log/1', actions };
}

function loggedAction(entries: readonly StoredAction[]): LoggedAction {
  const [first] = entries as [StoredAction];
  const end = entries.find(({ phase }) => phase !== 'attempted');
  const { verb, reason, user, host, dbUser } = first;
  const { tenants, details, error } = end ?? first;
  return {
    ...{ seq: first.seq, verb, tenants, details, reason, user, host, dbUser, error },
    attemptedAt: first.at,
    endedAt: end?.at ?? null,
    outcome: end === undefined || end.phase === 'attempted' ? null : end.phase,
  };
}

/**
 * The number and hash of an entry in the audit log. An operator stores them outside the database, and can later prove with them that the
 * entry still exists.
 */
export type Anchor = { readonly seq: number; readonly hash: string };

/**
 * The problems that a check of the audit log can find. Each text continues a sentence that begins with the number of an entry; "it" is this
 * entry.
 */
export const AUDIT_LOG_PROBLEMS = {
  missing: 'entries before it are missing',
  moved: 'it does not follow the entry before it',
  changed: 'it was changed after it was written',
  unproven: 'it was written without the sealing key',
  'anchor-missing': 'it is gone, and all after it',
  'anchor-differs': 'it is another one than was kept',
} as const;

export type AuditLogProblem = { readonly seq: number; readonly problem: keyof typeof AUDIT_LOG_PROBLEMS };

export type AuditLogCheck = {
  readonly shape: 'audit-log-check/1';
  readonly entries: number;
  /**
   * The last entry of the log; null if the log is empty. An operator can store it outside the ledger (Lockstep's database) and give it to a
   * later check. Only with such an entry can the check notice that the newest entries were removed.
   */
  readonly last: Anchor | null;
  /** The first hundred problems that the check of the log found. */
  readonly problems: readonly AuditLogProblem[];
};

const AT_ONCE = 1_000;
const SHOWN = 100;

/**
 * Reads the whole audit log. Checks that a process with the sealing key (the encryption key that all processes share) wrote each entry, and
 * that no entry was changed, removed or moved. If the newest entries were removed, the rest is still a valid chain of hashes. Only an
 * anchor (a stored number and hash) of a removed entry then shows the loss.
 */
export async function verifyAuditLog(
  ledger: Pick<ActionLedger, 'actionsAfter'>,
  anchors: readonly Anchor[],
): Promise<AuditLogCheck> {
  const problems: AuditLogProblem[] = [];
  const hashes = new Map(anchors.map(({ seq }) => [seq, null as string | null]));
  let last: Anchor | null = null;
  let entries = 0;
  for (let isWhole = false; !isWhole; ) {
    // Lockstep writes no numbers below 1 and none above `MAX_SAFE_INTEGER`. Such rows are read too, so that the check reports them. After a
    // row with an unsafe number, no further page can be read, because JavaScript rounds that number.
    const page = await ledger.actionsAfter(last?.seq ?? Number.MIN_SAFE_INTEGER, AT_ONCE);
    for (const entry of page) {
      problems.push(...problemsOf(entry, last));
      if (hashes.has(entry.seq)) hashes.set(entry.seq, entry.hash);
      last = { seq: entry.seq, hash: entry.hash };
      entries += 1;
    }
    isWhole = page.length < AT_ONCE || !Number.isSafeInteger(last?.seq);
  }
  for (const { seq, hash } of anchors) {
    const found = hashes.get(seq) ?? null;
    if (found === null) problems.push({ seq, problem: 'anchor-missing' });
    else if (found !== hash) problems.push({ seq, problem: 'anchor-differs' });
  }
  return { shape: 'audit-log-check/1', entries, last, problems: problems.slice(0, SHOWN) };
}

function problemsOf(entry: StoredAction, before: Anchor | null): readonly AuditLogProblem[] {
  const { seq, previous, hash, isProven } = entry;
  const found: readonly (readonly [AuditLogProblem['problem'], boolean])[] = [
    ['missing', seq !== (before?.seq ?? 0) + 1],
    ['moved', previous !== (before?.hash ?? '')],
    ['changed', hash !== actionHash(entry)],
    ['unproven', !isProven],
  ];
  return found.flatMap(([problem, isThere]) => (isThere ? [{ seq, problem }] : []));
}
