import { cancellationSignal, heartbeat } from '@temporalio/activity';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Crm, CrmChange, CrmPosition, CrmStream } from '../../src/salesforce/crm.ts';
import { refuseWhilePaused } from '../outage/refuse-while-paused.ts';
import type { ActivityDeps, TenantArgs } from '../support/deps.ts';
import { toFailure } from '../support/to-failure.ts';
import { wakeUnwoken } from './wake-due.ts';

/**
 * How far a stream has been read. A sweep begins one overlap behind `settled`, because rows commit late, and skips
 * the row versions it has `seen`; `page` is where a sweep of several pages goes on.
 */
export type CrmCursor = {
  readonly settled: CrmPosition;
  readonly page: CrmPosition | null;
  readonly seen: Readonly<Record<string, string>>;
  /** Records were marked due with this cursor, and not all of them are known to have been woken. */
  readonly unwoken?: true;
};

/** The objects of a deal's graph: an edit of a line, a role, an account or a contact need not touch the opportunity. */
const STREAMS: readonly CrmStream[] = [
  'Opportunity',
  'OpportunityLineItem',
  'OpportunityContactRole',
  'Account',
  'Contact',
];

/** Changes of this long before the first sweep are taken in; older ones are a backfill's work. */
const FIRST_LOOK_BACK_MS = 86_400_000;
const PAGE_ROWS = 500;
const PAGES_AT_ONCE = 10;

/**
 * Looks through the CRM's changes, stream by stream, and wakes each opportunity they touch once. A page's cursor moves
 * in the transaction that marks its opportunities due, so whatever dies here is found again.
 */
export function createSweepChanges(deps: ActivityDeps) {
  return async function sweepChanges({ tenant }: TenantArgs): Promise<{ found: number; more: boolean }> {
    await refuseWhilePaused(deps, tenant, 'crm-changes');
    await wakeForgotten(deps, tenant);
    const { crm, tenant: file } = deps.runtime(tenant);
    const keys = new Set<string>();
    const marked = new Map<CrmStream, CrmCursor>();
    let pages = 0;
    let more = false;
    for (const stream of STREAMS) {
      do {
        const page = await sweepPage({
          deps,
          crm,
          tenant,
          stream,
          overlapMs: file.salesforce.sweep.overlapMs,
          isMarked: marked.has(stream),
        });
        for (const key of page.keys) keys.add(key);
        if (page.keys.length > 0 || marked.has(stream)) marked.set(stream, page.cursor);
        more = page.more;
        pages += 1;
        heartbeat({ stream, pages });
      } while (more && pages < PAGES_AT_ONCE);
      if (more) break;
    }
    await deps.wake(tenant, [...keys], 'crm');
    for (const [stream, cursor] of marked)
      await deps.ledger.saveCursor(tenant, nameOf(stream), cursor, deps.now());
    return { found: keys.size, more };
  };
}

async function wakeForgotten(deps: ActivityDeps, tenant: string): Promise<void> {
  const stored = await Promise.all(STREAMS.map((stream) => deps.ledger.cursor(tenant, nameOf(stream))));
  const left = (stored as readonly (CrmCursor | null)[]).some((cursor) => cursor?.unwoken === true);
  if (left) await wakeUnwoken(deps, tenant);
}

type Sweep = {
  readonly deps: ActivityDeps;
  readonly crm: Crm;
  readonly tenant: string;
  readonly stream: CrmStream;
  readonly overlapMs: number;
  /** An earlier page of this run has marked records that are not woken yet. */
  readonly isMarked: boolean;
};

async function sweepPage(
  sweep: Sweep,
): Promise<{ readonly keys: readonly string[]; readonly cursor: CrmCursor; readonly more: boolean }> {
  const { deps, tenant, stream, overlapMs } = sweep;
  const name = nameOf(stream);
  const cursor = await cursorOf(deps.ledger, tenant, name, deps.now());
  const page = await readPage(sweep, cursor.page ?? behind(cursor.settled, overlapMs));
  const changes = await concerning(deps, tenant, page.changes);
  const fresh = changes.filter((change) => cursor.seen[change.rowId] !== change.systemModstamp);
  const settled = later(cursor.settled, page.position);
  const next: CrmCursor = {
    settled,
    page: page.more ? page.position : null,
    seen: seenSince(behind(settled, overlapMs).systemModstamp, cursor.seen, changes),
  };
  const ids = [...new Set(fresh.map((change) => change.opportunityId))].map((crmId) => ({ crmId }));
  const position: CrmCursor = ids.length > 0 || sweep.isMarked ? { ...next, unwoken: true } : next;
  const keys = await deps.ledger.markDue(tenant, ids, deps.now(), { stream: name, position });
  return { keys, cursor: next, more: page.more };
}

/** Changes of opportunities that are shared, and of those that are no more and whose links still flow. */
async function concerning(
  { ledger }: ActivityDeps,
  tenant: string,
  changes: readonly CrmChange[],
): Promise<readonly CrmChange[]> {
  const others = changes.filter((change) => !change.mayBeShared).map((change) => change.opportunityId);
  if (others.length === 0) return changes;
  const activeCrmIds = new Set(await ledger.activeCrmIds(tenant, others));
  return changes.filter((change) => change.mayBeShared || activeCrmIds.has(change.opportunityId));
}

function nameOf(stream: CrmStream): string {
  return `crm:${stream}`;
}

async function readPage(sweep: Sweep, from: CrmPosition) {
  try {
    return await sweep.crm.changesAfter(sweep.stream, from, PAGE_ROWS, { signal: cancellationSignal() });
  } catch (error) {
    throw toFailure(error);
  }
}

async function cursorOf(ledger: Ledger, tenant: string, name: string, now: string): Promise<CrmCursor> {
  const stored = (await ledger.cursor(tenant, name)) as CrmCursor | null;
  if (stored !== null) return stored;
  const systemModstamp = new Date(Date.parse(now) - FIRST_LOOK_BACK_MS).toISOString();
  return { settled: { systemModstamp, id: '' }, page: null, seen: {} };
}

function behind(position: CrmPosition, ms: number): CrmPosition {
  return { systemModstamp: new Date(Date.parse(position.systemModstamp) - ms).toISOString(), id: '' };
}

function later(a: CrmPosition, b: CrmPosition): CrmPosition {
  return Date.parse(b.systemModstamp) > Date.parse(a.systemModstamp) ? b : a;
}

/** The row versions that the next sweep will meet again. */
function seenSince(
  since: string,
  before: Readonly<Record<string, string>>,
  changes: readonly CrmChange[],
): Readonly<Record<string, string>> {
  const all = {
    ...before,
    ...Object.fromEntries(changes.map((change) => [change.rowId, change.systemModstamp])),
  };
  return Object.fromEntries(
    Object.entries(all).filter(([, stamp]) => Date.parse(stamp) >= Date.parse(since)),
  );
}
