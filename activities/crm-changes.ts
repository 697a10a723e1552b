import { cancellationSignal } from '@temporalio/activity';
import type { CrmChange, CrmPosition, CrmStream } from '../src/salesforce/crm.ts';
import type { ActivityDeps } from './deps.ts';
import { refuseWhilePaused } from './observe.ts';
import { toFailure } from './to-failure.ts';

export type SweepStreamArgs = { readonly tenant: string; readonly stream: CrmStream };

/**
 * How far a stream has been read. A sweep begins one overlap behind `settled`, because rows commit late, and skips
 * the row versions it has `seen`; `page` is where a sweep of several pages goes on.
 */
export type CrmCursor = {
  readonly settled: CrmPosition;
  readonly page: CrmPosition | null;
  readonly seen: Readonly<Record<string, string>>;
};

const FIRST_LOOK_BACK_MS = 86_400_000;
const PAGE_ROWS = 500;

/** Reads one page of a stream's changes and marks the opportunities they touch as due, with the cursor. */
export function createSweepStream(deps: ActivityDeps) {
  return async function sweepStream({
    tenant,
    stream,
  }: SweepStreamArgs): Promise<{ found: number; more: boolean }> {
    await refuseWhilePaused(deps, tenant);
    const runtime = deps.runtime(tenant);
    const overlapMs = runtime.tenant.salesforce.sweep.overlapMs;
    const name = `crm:${stream}`;
    const cursor = ((await deps.ledger.cursor(tenant, name)) as CrmCursor | null) ?? firstCursor(deps);
    const from = cursor.page ?? behind(cursor.settled, overlapMs);
    const page = await readPage();
    const fresh = page.changes.filter((change) => cursor.seen[change.rowId] !== change.systemModstamp);
    const settled = later(cursor.settled, page.position);
    const next: CrmCursor = {
      settled,
      page: page.more ? page.position : null,
      seen: seenSince(behind(settled, overlapMs).systemModstamp, cursor.seen, page.changes),
    };
    const crmIds = [...new Set(fresh.map((change) => change.opportunityId))].map((crmId) => ({ crmId }));
    const keys = await deps.ledger.markDue(tenant, crmIds, deps.now(), { stream: name, position: next });
    await deps.poke(tenant, keys, 'crm');
    return { found: crmIds.length, more: page.more };

    async function readPage() {
      try {
        return await runtime.crm.changesAfter(stream, from, PAGE_ROWS, { signal: cancellationSignal() });
      } catch (error) {
        throw toFailure(error);
      }
    }
  };
}

function firstCursor(deps: ActivityDeps): CrmCursor {
  const systemModstamp = new Date(Date.parse(deps.now()) - FIRST_LOOK_BACK_MS).toISOString();
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
