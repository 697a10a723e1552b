import { isDeepStrictEqual } from 'node:util';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { Quota } from '../../domain/loop/operation-groups.ts';
import { batchByDemand } from '../../platform/batch-by-demand.ts';
import { byTenant } from '../core/by-tenant.ts';
import type { QuotaTable } from '../core/database.ts';
import { inTransaction, plainCalls, plainly, type Statement, type Store } from '../core/store.ts';
import type { QuotaKnown, QuotaLedger, QuotaVerdict } from './quota-ledger.ts';
import { afterAnswer, type QuotaClaim, type QuotaWindow, spareAtMs, takeOne } from './quota-window.ts';

/**
 * The ledger's calls for vendor requests: they take requests out of the quotas and store what the vendor's answers say. Concurrent calls
 * for one quota are combined, so that they use one connection.
 */
export function requestCalls(store: Store): Pick<QuotaLedger, 'reserveRequest' | 'reportQuota' | 'endWaits'> {
  /**
   * For each quota of a tenant: the window (the state of the rate limit) after the last request. An entry is deleted when the next answer
   * about the quota arrives. If this answer reports exactly this window, the stored window is right already, so the answer needs no SQL
   * statement.
   */
  const left = new Map<string, QuotaWindow>();
  const lastKnown = new Map<string, QuotaWindow>();
  const batchers = new Map<string, Batcher>();
  const turns = createSpareTurns();
  const batcherOf = (of: Place): Batcher => {
    const key = keyOf(of);
    const batcher =
      batchers.get(key) ??
      batchByDemand((changes: readonly Change[]) => changeWindow(store, of, changes, lastKnown), MOST_AT_ONCE);
    batchers.set(key, batcher);
    return batcher;
  };
  return {
    ...plainCalls(store, { endWaits }),
    reserveRequest: async (tenant, quota, at, claim = {}) => {
      const of: Place = { tenant, quota };
      const decide = takingOne(Date.parse(at), claim, (window) => turns.next(keyOf(of), window, Date.parse(at)));
      const { verdict, next } = await batcherOf(of)({ decide, known: null, takesTurn: claim.onlySpare === true });
      if (next !== null) left.set(keyOf(of), next);
      return verdict;
    },
    reportQuota: async (tenant, quota, { at, ...answer }) => {
      const of: Place = { tenant, quota };
      const known = left.get(keyOf(of)) ?? null;
      left.delete(keyOf(of));
      const after = (window: QuotaWindow | null): QuotaWindow =>
        afterAnswer(window, { ...answer, atMs: Date.parse(at) });
      // Most answers report exactly the state that their request left, so nothing has to be read or written.
      if (known !== null && isDeepStrictEqual(after(known), known)) return;
      await batcherOf(of)({ decide: (window) => ({ verdict: ALLOWED, next: after(window) }), known });
    },
  };
}

/** The maximum number of requests and answers about one quota that share a transaction. */
const MOST_AT_ONCE = 200;
const ALLOWED: QuotaVerdict = { allowed: true };

/**
 * A request to send, or an answer of the vendor, which may change the window of a quota. `known`: the window as this process last saw it;
 * null if it never did. `takesTurn`: set for a request for spare quota (quota that no user's work needs). If such a request is refused, it
 * gets a retry time of its own. The stored window is therefore read first. A refusal based on a remembered window would be decided again,
 * and would use up a second retry time.
 */
type Change = {
  readonly decide: Decide<QuotaVerdict>;
  readonly known: QuotaWindow | null;
  readonly takesTurn?: boolean;
};
type Batcher = (change: Change) => Promise<Decision<QuotaVerdict>>;

function keyOf({ tenant, quota }: Place): string {
  return `${tenant} ${quota}`;
}

/**
 * Makes the function that decides whether a request may be sent. `turnMs`: returns when a refused request for spare quota (quota that no
 * user's work needs) may be tried again, in epoch milliseconds.
 */
function takingOne(atMs: number, claim: QuotaClaim, turnMs: (window: QuotaWindow) => number): Decide<QuotaVerdict> {
  return (known) => {
    if (known === null) return { verdict: ALLOWED, next: null };
    const next = takeOne(known, atMs, claim);
    if (next !== null) return { verdict: ALLOWED, next };
    const untilMs = claim.onlySpare === true ? turnMs(known) : known.endMs;
    return { verdict: { allowed: false, until: new Date(untilMs).toISOString() }, next };
  };
}

/**
 * Gives each refused request for spare quota (quota that no user's work needs) a retry time of its own, at the pace at which requests
 * become spare. With a common retry time, all but the first request would be refused again.
 */
function createSpareTurns(): { next: (quota: string, window: QuotaWindow, atMs: number) => number } {
  const given = new Map<string, readonly number[]>();
  return {
    next: (quota, window, atMs) => {
      const ahead = (given.get(quota) ?? []).filter((turnMs) => turnMs > atMs);
      const turnMs = Math.ceil(Math.max(atMs + 1, spareAtMs(window, ahead.length + 1)));
      given.set(quota, [...ahead, turnMs]);
      return turnMs;
    },
  };
}

/** Applies requests and the vendor's answers to one quota's window, in order. `lastKnown`: the windows as this process last wrote them. */
async function changeWindow(
  store: Store,
  of: Place,
  changes: readonly Change[],
  lastKnown: Map<string, QuotaWindow>,
): Promise<readonly Decision<QuotaVerdict>[]> {
  const decide = (known: QuotaWindow | null) => inOrder(changes, known);
  const [only] = changes;
  const remembered = (changes.length === 1 ? only?.known : null) ?? lastKnown.get(keyOf(of)) ?? null;
  const known = changes.some(({ takesTurn }) => takesTurn) ? null : remembered;
  const decision = (await decidedUnread(store, of, known, decide)) ?? (await changed(store, of, decide));
  if (decision.next === null) lastKnown.delete(keyOf(of));
  else lastKnown.set(keyOf(of), decision.next);
  return decision.verdict;
}

/**
 * Decides on the basis of the window that this process remembers, without reading the stored window. The decision counts only if its write
 * succeeds, because the write compares the remembered window with the stored one. Returns null if the stored window must be read. This is
 * so if another process has changed the window. It is also so if the decision writes nothing, because it may then rest on an outdated
 * window.
 */
async function decidedUnread<Verdict>(
  store: Store,
  of: Place,
  known: QuotaWindow | null,
  decide: Decide<Verdict>,
): Promise<Decision<Verdict> | null> {
  if (known === null) return null;
  const decision = decide(known);
  const { next } = decision;
  if (next === null || isDeepStrictEqual(known, next)) return null;
  return (await plainly(() => keeps(store, of, known, next))) ? decision : null;
}

/**
 * Applies several requests and answers of the vendor to a window, in order. Returns the decision about each of them, and the last window.
 */
function inOrder(changes: readonly Change[], known: QuotaWindow | null): Decision<readonly Decision<QuotaVerdict>[]> {
  let window = known;
  let next: QuotaWindow | null = null;
  const verdict = changes.map(({ decide }) => {
    const decision = decide(window);
    if (decision.next !== null) {
      next = decision.next;
      window = decision.next;
    }
    return decision;
  });
  return { verdict, next };
}

const endWaits: Statement<QuotaLedger, 'endWaits'> = async ({ db }, tenant, at) => {
  const { numAffectedRows: windows = 0n } = await sql`update quota
    set window_end = ${at}::timestamptz, window_start = least(window_start, ${at}::timestamptz)
    where tenant = ${tenant} and window_end > ${at}::timestamptz and remaining = 0`.execute(db);
  const { numAffectedRows: links = 0n } = await sql`update links set retry_at = ${at}::timestamptz
    where tenant = ${tenant} and retry_at > ${at}::timestamptz and state <> 'superseded'`.execute(db);
  return Number(windows + links);
};

type Place = { readonly tenant: string; readonly quota: Quota };

/** The decision about a request or an answer of the vendor. `next`: the window after it; null if the window does not change. */
type Decision<Verdict> = { readonly verdict: Verdict; readonly next: QuotaWindow | null };
/**
 * Computes the effect of a request or of an answer of the vendor on a quota's window: whether a request may be sent (an answer is always
 * `allowed`), and the new window. `known`: the quota's known window; null if nothing is known about the quota.
 */
type Decide<Verdict> = (known: QuotaWindow | null) => Decision<Verdict>;

/**
 * Applies a decision to a quota's window: reads the window, decides, and writes the new window if the stored one has not changed since. If
 * another process has changed it, decides again under a row lock.
 */
async function changed<Verdict>(store: Store, of: Place, decide: Decide<Verdict>): Promise<Decision<Verdict>> {
  const known = await plainly(() => readWindow(store, of));
  const decision = decide(known);
  const { next } = decision;
  if (next === null) return decision;
  if (known !== null && (await plainly(() => keeps(store, of, known, next)))) return decision;
  return inTransaction(store, (tx) => changedLocked(tx, of, decide));
}

/**
 * Applies a decision to a quota's window under a row lock. If another process inserts the quota's first row at the same time, the
 * transaction fails with a unique-key error and is repeated.
 */
async function changedLocked<Verdict>(store: Store, of: Place, decide: Decide<Verdict>): Promise<Decision<Verdict>> {
  const known = await readWindow(store, of, 'for update');
  const decision = decide(known);
  const { next } = decision;
  if (next === null) return decision;
  if (known !== null) await changeOf(store, of, next).execute();
  else
    await store.db
      .insertInto('quota')
      .values({ tenant: of.tenant, domain: of.quota, ...toColumns(next) })
      .execute();
  return decision;
}

export const quotas: Statement<QuotaLedger, 'quotas'> = async (store, tenant) => {
  return (await quotasOf(store, [tenant])).get(tenant) ?? [];
};

export async function quotasOf(
  { db }: Store,
  tenants: readonly string[],
): Promise<ReadonlyMap<string, readonly QuotaKnown[]>> {
  const rows = await db
    .selectFrom('quota')
    .selectAll()
    .where('tenant', '=', sql<string>`any(${[...tenants]}::text[])`)
    .orderBy('domain')
    .execute();
  return byTenant(rows, (row) => ({
    quota: row.domain,
    limit: row.quota_limit,
    remaining: row.remaining,
    bulkUsed: row.bulk_used,
    until: row.window_end.toISOString(),
    seconds: row.window_seconds,
  }));
}

async function readWindow({ db }: Store, { tenant, quota }: Place, lock?: 'for update'): Promise<QuotaWindow | null> {
  const query = db.selectFrom('quota').selectAll().where('tenant', '=', tenant).where('domain', '=', quota);
  const row = await (lock === undefined ? query : query.forUpdate()).executeTakeFirst();
  return row === undefined ? null : toWindow(row);
}

/**
 * Replaces the stored window `known` by `next` (compare and set). Returns false if the stored window is no longer `known`. If `known` and
 * `next` are equal, returns true without a statement.
 */
async function keeps(store: Store, of: Place, known: QuotaWindow, next: QuotaWindow): Promise<boolean> {
  if (isDeepStrictEqual(known, next)) return true;
  const { quota_limit, remaining, bulk_used, window_seconds, assumed } = toColumns(known);
  const { numUpdatedRows } = await changeOf(store, of, next)
    .where('quota_limit', 'is not distinct from', quota_limit)
    .where('remaining', 'is not distinct from', remaining)
    .where('bulk_used', '=', bulk_used)
    .where('window_start', '=', new Date(known.startMs))
    .where('window_end', '=', new Date(known.endMs))
    .where('window_seconds', '=', window_seconds)
    .where('assumed', '=', assumed)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

function changeOf({ db }: Store, { tenant, quota }: Place, next: QuotaWindow) {
  return db.updateTable('quota').set(toColumns(next)).where('tenant', '=', tenant).where('domain', '=', quota);
}

function toWindow(row: Selectable<QuotaTable>): QuotaWindow {
  return {
    limit: row.quota_limit,
    remaining: row.remaining,
    bulkUsed: row.bulk_used,
    startMs: row.window_start.getTime(),
    endMs: row.window_end.getTime(),
    seconds: row.window_seconds,
    assumed: row.assumed,
  };
}

function toColumns(window: QuotaWindow) {
  return {
    quota_limit: window.limit,
    remaining: window.remaining,
    bulk_used: window.bulkUsed,
    window_start: new Date(window.startMs).toISOString(),
    window_end: new Date(window.endMs).toISOString(),
    window_seconds: window.seconds,
    assumed: window.assumed,
  } satisfies Omit<Insertable<QuotaTable>, 'tenant' | 'domain'>;
}
