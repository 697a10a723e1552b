import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it } from 'vitest';
import type { RecordSteps } from '../../../activities/lane/record-steps.ts';
import { createSyncRecords, type LanePart, laneWidth } from '../../../activities/lane/sync-records.ts';
import type { ReportArgs } from '../../../activities/opportunity/report-to-crm.ts';
import type { ActivityDeps } from '../../../activities/support/deps.ts';
import { failure, outage } from '../../../activities/support/to-failure.ts';
import { isBulk } from '../../../src/domain/loop/work-class.ts';
import type { LaneOrder, LaneRecord } from '../../../src/ledger/queue/lane-ledger.ts';

const NOW = '2026-03-01T12:00:00.000Z';

const SUMMARY = {
  next: 'nothing',
  reportDue: false,
  crmId: '006',
  vendorId: null,
  state: 'in-sync',
} as const;
const DONE = { ...SUMMARY, reason: 'done', fields: [], issues: [] };

const record = (key: string, more: Partial<LaneRecord> = {}): LaneRecord => ({
  ...({
    key,
    generation: 1,
    laneGeneration: 1,
    cause: 'crm',
    state: 'in-sync',
    work: 'burst',
    spentPlan: null,
    needsOwn: null,
  } as const),
  ...more,
});

type Lane = {
  readonly records: readonly LaneRecord[];
  /** What is answered for a record; all else is done. */
  readonly plan?: (key: string) => unknown;
  /** Keys that are due still when they leave. */
  readonly stillDue?: readonly string[];
  readonly width?: number;
  readonly stopping?: AbortSignal;
  /** What is left of the vendor's quota. */
  readonly remaining?: number;
  /** The clock, which stands still where it is absent. */
  readonly now?: () => string;
};

/** Runs one look of a lane over these records; what came of it, and what was done besides. */
async function looked({
  records,
  plan = () => DONE,
  stillDue = [],
  width = 3,
  stopping,
  remaining,
  now = () => NOW,
}: Lane) {
  const outcome: string[] = [];
  const orders: LaneOrder[] = [];
  const inLane = new Map(records.map((one) => [one.key, one]));
  const allPlanned = Promise.withResolvers<void>();
  let planned = 0;
  let underWay = 0;
  let most = 0;
  const planSync = async ({ key }: { readonly key: string }) => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise((settle) => setTimeout(settle, 2));
    underWay -= 1;
    planned += 1;
    if (planned === records.length) allPlanned.resolve();
    const answer = await plan(key);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const deps = {
    now,
    laneWidth: width,
    ledger: {
      pauses: async () => [],
      quotas: async () => (remaining === undefined ? [] : [quotaOf(remaining)]),
      nextInLane: async (_: string, order: LaneOrder) => {
        orders.push(order);
        return [...inLane.values()]
          .filter(
            ({ key, work }) =>
              !order.excluding.includes(key) &&
              (order.withBulk || !isBulk(work)) &&
              (order.withEchoes || work !== 'echo'),
          )
          .slice(0, order.limit);
      },
      leaveLane: async (_: string, processed: readonly LaneRecord[]) => {
        const keys = processed.map(({ key }) => key);
        for (const key of keys) inLane.delete(key);
        return keys.filter((key) => stillDue.includes(key));
      },
    },
    delegate: async (_: string, key: string) => {
      outcome.push(`${key} handed over`);
      inLane.delete(key);
    },
    publishStatus: async ({ key, state }: { readonly key: string; readonly state: string }) =>
      void outcome.push(`${key} shown: ${state}`),
    runtime: () => ({ tenant: { vendor: { ratePerSecond: 5 } } }),
    ...(stopping === undefined ? {} : { stopping }),
  } as unknown as ActivityDeps;
  // As if it left with the reports of all the others.
  const reportToCrm = ({ key, byLane }: ReportArgs) => {
    outcome.push(`${key} told${byLane ? ' by the lane' : ''}`);
    return allPlanned.promise;
  };
  const syncRecords = createSyncRecords(deps, () => ({ planSync, reportToCrm }) as unknown as RecordSteps);
  const part: LanePart | Error = await new MockActivityEnvironment()
    .run(syncRecords as never, { tenant: 'acme' } as never)
    .catch((error: unknown) => error as Error)
    .then((result) => result as LanePart | Error);
  return { part, outcome, orders, most, left: [...inLane.keys()] };
}

const many = (count: number, more: Partial<LaneRecord> = {}) =>
  Array.from({ length: count }, (_, n) => record(`K${n}`, more));

/** Of 100 requests a window. */
const quotaOf = (remaining: number) => ({
  ...({ quota: 'vendor-sales', limit: 100, remaining, bulkUsed: 0, seconds: 60 } as const),
  until: '2026-03-01T12:00:30.000Z',
});

it('begins no more than what is left of the quota brings to their end', async () => {
  const { part, most } = await looked({ records: many(20), width: 10, remaining: 9 });
  expect([part, most]).toEqual([{ processed: 20, delegated: 0, more: false, waitMs: 0 }, 4]);
});

it('begins beside the first few, once they have reported their share, all that the quota has room for', async () => {
  const { most, orders } = await looked({ records: many(40), width: 40, remaining: 100 });
  expect([most, orders.slice(0, 2).map(({ limit }) => limit)]).toEqual([40, [16, 24]]);
});

it('begins no more of bulk work than its share of the quota brings to their end', async () => {
  const bulk = many(40, { work: { bulk: 0.1 } });
  const { most, orders } = await looked({ records: bulk, width: 30, remaining: 100 });
  // Of what share they are the first of them tell.
  expect([most, orders[0]?.limit]).toEqual([16, 16]);
  expect(orders.slice(1).every(({ limit }) => limit <= 5)).toBe(true);
});

it('gives the place of a record to the next while it only waits to be reported', async () => {
  const plan = () => ({ ...DONE, reportDue: true });
  const { part, most, outcome } = await looked({ records: many(9), width: 2, plan });
  expect([part, most]).toEqual([{ processed: 9, delegated: 0, more: false, waitMs: 0 }, 2]);
  expect(outcome).toEqual(many(9).map(({ key }) => `${key} told by the lane`));
});

it('carries all records of the lane, so many at once', async () => {
  const { part, outcome, most, left } = await looked({ records: many(20), width: 4 });
  expect(part).toEqual({ processed: 20, delegated: 0, more: false, waitMs: 0 });
  expect([outcome, most, left]).toEqual([[], 4, []]);
});

it.each([
  ['a side that fails', failure('TRANSIENT', 'HTTP 503')],
  ['a record that moved on, or is another writer’s', failure('STALE', 'it has left before')],
  ['a bug', new TypeError('no such thing')],
  ['a limit that says nothing of its end', failure('THROTTLED', 'later')],
])('leaves a record to its own workflow after %s, and goes on with the others', async (_, error) => {
  const { part, outcome, left } = await looked({
    records: many(3),
    plan: (key) => (key === 'K1' ? error : DONE),
  });
  expect(part).toEqual({ processed: 2, delegated: 1, more: false, waitMs: 0 });
  expect([outcome, left]).toEqual([['K1 handed over'], []]);
});

it.each([['is to be looked for at the vendor', { ...DONE, next: 'search-vendor', reportedMissing: false }]])(
  'leaves a record to its own workflow that %s',
  async (_, summary) => {
    const { outcome } = await looked({ records: many(1), plan: () => summary });
    expect(outcome).toEqual(['K0 handed over']);
  },
);

it.each(['a write is open', 'unanswered'] as const)(
  'does not touch a record of which %s: that is for its own workflow',
  async (needsOwn) => {
    const { part, outcome, most } = await looked({ records: many(2, { needsOwn, cause: 'vendor' }) });
    expect(part).toMatchObject({ processed: 0, delegated: 2 });
    expect([outcome.length, outcome[0], most]).toEqual([2, 'K0 handed over', 0]);
  },
);

it('leaves to its own workflow what is due still in the end', async () => {
  const { outcome } = await looked({ records: many(2), stillDue: ['K1'] });
  expect(outcome).toEqual(['K1 handed over']);
});

it('shows what waits for a person, and what does no longer', async () => {
  const { outcome } = await looked({
    records: [record('K0'), record('K1', { state: 'conflict' }), record('K2')],
    plan: (key) => (key === 'K0' ? { ...DONE, next: 'parked', state: 'parked' } : DONE),
  });
  expect(outcome.sort()).toEqual(['K0 shown: parked', 'K1 shown: in-sync']);
});

it('waits for a quota with what it has left, and begins nothing more', async () => {
  const used = failure('THROTTLED', 'used up', { retryAfterMs: 7_000 });
  const { part, outcome, left } = await looked({ records: many(10), width: 2, plan: () => used });
  expect(part).toEqual({ processed: 0, delegated: 0, more: true, waitMs: 7_000 });
  expect([outcome, left.length]).toEqual([[], 10]);
});

it('goes on with what is no bulk work while the share of that is used up', async () => {
  const bulk = many(3, { work: { bulk: 0.5 } });
  const used = failure('THROTTLED', 'used up', { retryAfterMs: 7_000 });
  const records = [...bulk, record('A'), record('B')];
  const plan = (key: string) => (key.startsWith('K') ? used : DONE);
  const { part, left } = await looked({ records, width: 2, plan });
  expect(part).toMatchObject({ processed: 2, waitMs: 7_000 });
  expect(left).toEqual(['K0', 'K1', 'K2']);
});

it('ends where bulk work may go on, and does not wait again for what is over', async () => {
  let ms = Date.parse(NOW);
  const used = failure('THROTTLED', 'used up', { retryAfterMs: 2_000 });
  const records = [record('bulk', { work: { bulk: 0.5 } }), ...['a', 'b', 'c', 'd', 'e'].map((key) => record(key))];
  const plan = (key: string) => {
    if (key !== 'bulk') ms += 1_000;
    return key === 'bulk' ? used : DONE;
  };
  const { part, left } = await looked({ records, plan, width: 1, now: () => new Date(ms).toISOString() });
  expect(part).toMatchObject({ more: true, waitMs: 0 });
  expect(left).toContain('bulk');
  expect(left.length).toBeGreaterThan(1);
});

/** Each tick of the clock lets one more of the deferred echoes through. */
function spareEach(ms: number) {
  let nowMs = Date.parse(NOW);
  let spare = 0;
  return {
    now: () => new Date(nowMs).toISOString(),
    plan: (key: string) => {
      nowMs += ms;
      spare += 1;
      if (key.startsWith('E') && spare % 3 !== 0) return failure('THROTTLED', 'none is spare', { retryAfterMs: ms });
      return DONE;
    },
  };
}

it('reads echoes in the same look once requests are spare, with what else there is', async () => {
  const echoes = Array.from({ length: 6 }, (_, n) => record(`E${n}`, { work: 'echo' }));
  const { part, left } = await looked({ records: [...echoes, ...many(30)], width: 4, ...spareEach(10) });
  expect(left.every((key) => key.startsWith('E'))).toBe(true);
  expect(left.length).toBeLessThan(4);
  expect(part).toMatchObject({ processed: 36 - left.length });
});

it('waits a while where only echoes are left, however soon one of them may be read', async () => {
  const echoes = Array.from({ length: 3 }, (_, n) => record(`E${n}`, { work: 'echo' }));
  const none = failure('THROTTLED', 'none is spare', { retryAfterMs: 10 });
  const { part } = await looked({ records: echoes, width: 4, plan: () => none });
  expect(part).toEqual({ processed: 0, delegated: 0, more: true, waitMs: 1_000 });
});

it('does not wait for echoes with what else is left', async () => {
  const echo = record('E0', { work: 'echo' });
  const none = failure('THROTTLED', 'none is spare', { retryAfterMs: 60_000 });
  const plan = (key: string) => (key === 'E0' ? none : DONE);
  const { part, left } = await looked({ records: [echo, ...many(1_100)], width: 200, plan });
  expect(left.length).toBeGreaterThan(1);
  expect(part).toMatchObject({ more: true, waitMs: 0 });
});

it('fails where a group is out, with all records left where they are', async () => {
  const out = outage('salesforce', 'INVALID_LOGIN');
  const { part, outcome, left } = await looked({ records: many(10), width: 2, plan: () => out });
  expect(part).toBeInstanceOf(ApplicationFailure);
  expect(part).toMatchObject({ type: 'SYSTEMIC' });
  expect([outcome, left.length]).toEqual([[], 10]);
});

it('begins nothing more once its worker ends', async () => {
  const ending = new AbortController();
  const plan = () => {
    ending.abort();
    return DONE;
  };
  const { part } = await looked({ records: many(10), width: 2, plan, stopping: ending.signal });
  expect(part).toEqual({ processed: 2, delegated: 0, more: true, waitMs: 0 });
});

it('leaves a record in the lane that its ending worker could not finish, and says that there is more', async () => {
  const ending = new AbortController();
  const plan = async (key: string) => {
    if (key !== 'K2') return DONE;
    await new Promise((settle) => setTimeout(settle, 40));
    ending.abort();
    return failure('TRANSIENT', 'cut off');
  };
  const { part, left } = await looked({ records: many(3), plan, stopping: ending.signal });
  expect([part, left]).toEqual([expect.objectContaining({ processed: 2, more: true }), ['K2']]);
});

it('goes on counting where the try before it died', async () => {
  const deps = {
    now: () => NOW,
    ledger: { pauses: async () => [], quotas: async () => [], nextInLane: async () => [] },
    runtime: () => ({ tenant: { vendor: { ratePerSecond: 5 } } }),
  } as unknown as ActivityDeps;
  const syncRecords = createSyncRecords(deps, () => ({}) as RecordSteps);
  const before = { heartbeatDetails: { processed: 30, delegated: 1 } };
  const part = await new MockActivityEnvironment(before).run(syncRecords as never, { tenant: 'acme' } as never);
  expect(part).toEqual({ processed: 30, delegated: 1, more: false, waitMs: 0 });
});

it('sends requests at the rate that the quota allows, if the tenant file gives none', async () => {
  const raised: (readonly [string, number])[] = [];
  const quota = { quota: 'vendor-sales', limit: 600, remaining: 600, bulkUsed: 0, until: NOW, seconds: 60 };
  const deps = {
    now: () => NOW,
    ledger: { pauses: async () => [], quotas: async () => [quota], nextInLane: async () => [] },
    runtime: () => ({ tenant: { vendor: { ratePerSecond: 5, rateByQuota: true } } }),
    vendorPace: { raise: (tenant: string, perSecond: number) => void raised.push([tenant, perSecond]) },
  } as unknown as ActivityDeps;
  const syncRecords = createSyncRecords(deps, () => ({}) as RecordSteps);
  await new MockActivityEnvironment().run(syncRecords as never, { tenant: 'acme' } as never);
  expect(raised).toEqual([['acme', 10]]);
});

it.each([
  [0.5, 16],
  [5, 100],
  [1_000, 200],
])('at %d requests a second has %d records under way', (rate, width) => {
  expect(laneWidth(rate)).toBe(width);
});
