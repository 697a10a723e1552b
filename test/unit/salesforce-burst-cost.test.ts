import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Batchers, createBatchers } from '../../src/salesforce/batchers.ts';
import { createRowSizes } from '../../src/salesforce/row-sizes.ts';
import type { RestAnswer, RestRequest, Session } from '../../src/salesforce/session.ts';
import { createVisibleFields } from '../../src/salesforce/visible-fields.ts';

const RECORDS = 1_000;
/** The share of a change in a request; what a few partly filled requests at either end cost is in it. */
const MOST_CALLS_A_CHANGE = 0.047;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const idOf = (n: number): string => `006${String(n).padStart(12, '0')}AAA`;
const sleep = (ms: number): Promise<void> => new Promise((settle) => setTimeout(settle, ms));

type Graph = { readonly graphId: string; readonly compositeRequest: readonly Part[] };

type Part = {
  readonly referenceId: string;
  readonly method: string;
  readonly url: string;
  readonly httpHeaders?: Readonly<Record<string, string>>;
  readonly body?: { readonly records?: readonly unknown[] };
};

const inThePast = ({ httpHeaders }: Part): boolean =>
  httpHeaders?.['If-Unmodified-Since']?.endsWith('2000 00:00:00 GMT') === true;

/** What an org answers graphs in which conditions count. */
function graphsAnswered(graphs: readonly Graph[]) {
  return graphs.map(({ graphId, compositeRequest }) => {
    const isSuccessful = !compositeRequest.some(inThePast);
    const compositeResponse = compositeRequest.map((part) => ({
      referenceId: part.referenceId,
      httpStatusCode: isSuccessful ? 204 : inThePast(part) ? 412 : 400,
      body: isSuccessful || inThePast(part) ? [] : [{ errorCode: 'PROCESSING_HALTED', message: '' }],
    }));
    return { graphId, isSuccessful, graphResponse: { compositeResponse } };
  });
}

/** An org whose requests take their time, more with each update. */
function slowOrg() {
  const calls: { readonly updates: number; readonly graphs: number }[] = [];
  const graphsIn = (url: string) => (decodeURIComponent(url).match(/'006\w{15}'/g) ?? []).map(rowOf);
  const page = (url: string) => ({ totalSize: graphsIn(url).length, done: true, records: graphsIn(url) });
  async function request({ path, body }: RestRequest): Promise<RestAnswer> {
    const { compositeRequest: parts = [], graphs = [] } = (body ?? {}) as {
      readonly compositeRequest?: readonly Part[];
      readonly graphs?: readonly Graph[];
    };
    const all = [...parts, ...graphs.flatMap(({ compositeRequest }) => compositeRequest)];
    const updates = all.filter(({ referenceId }) => /^opportunity\d/.test(referenceId)).length;
    const rows = (part: Pick<Part, 'body'>) =>
      part.body?.records?.map(() => ({ success: true, id: 'a00', errors: [] }));
    const asked = [path, ...parts.map(({ url }) => url)].flatMap(graphsIn);
    calls.push({ updates, graphs: asked.length });
    await sleep(80 + updates * 20);
    const compositeResponse = parts.map(({ referenceId, method, url, ...part }) => ({
      referenceId,
      httpStatusCode: method === 'GET' ? 200 : 204,
      body: method === 'GET' ? page(url) : (rows(part) ?? null),
    }));
    if (graphs.length > 0) return { body: { graphs: graphsAnswered(graphs) }, date: null, userId: null };
    return { body: parts.length > 0 ? { compositeResponse } : page(path), date: null, userId: null };
  }
  const session: Session = {
    ...{ request, root: '/v', writeHeaders: {} },
    userId: async () => null,
    signIns: () => 1,
    close: async () => undefined,
  };
  return { session, calls };
}

function rowOf(quoted: string) {
  const stamp = '2026-01-31T10:00:00.000+0000';
  return { Id: quoted.slice(1, -1), IsDeleted: false, SystemModstamp: stamp, Vendor_Share__c: true };
}

function updateOf(n: number) {
  const lines = { create: [], update: [], delete: [] };
  const opportunity = { Name: 'x' };
  const ifUnmodifiedSince = '2026-01-31T10:00:00.000Z';
  const write = { opportunityId: idOf(n), ifUnmodifiedSince, opportunity, lines, account: null };
  return { write, readAt: '2026-01-31T11:00:00.000Z', sync: { Last_Synced__c: ifUnmodifiedSince } };
}

/**
 * Plays records that one poll has found: they come in `everyMs` apart, as many at once as a tenant may hold of a worker, are
 * read, decided on and written; what was said of the wait of most of them is taken back once that is settled.
 */
async function play(
  everyMs: number,
  decideMs: number,
  useGraphs: boolean,
): Promise<ReturnType<typeof slowOrg>['calls']> {
  const { session, calls } = slowOrg();
  let onTheirWay = RECORDS;
  const batchers: Batchers = createBatchers(
    {
      session,
      sizes: createRowSizes(Date.now),
      fields: createVisibleFields(session, { multiCurrency: false, now: Date.now }),
    },
    { multiCurrency: false, now: Date.now, useGraphs, onTheirWay: async () => Math.min(onTheirWay, 200) },
  );
  const slots = createSlots(AT_ONCE);
  const work = Array.from({ length: RECORDS }, async (_, n) => {
    await sleep(n * everyMs);
    await slots.hold(() => batchers.graphs.ask(idOf(n), undefined, true));
    await sleep(decideMs * (1 + ((n * 7) % 13)));
    await slots.hold(() => batchers.updates.ask(updateOf(n), undefined, true));
    onTheirWay -= 1;
    await sleep(decideMs);
    if (n % 5 > 0) await slots.hold(() => batchers.reports.ask(reportOf(n), undefined, true));
  });
  let isOver = false;
  const over = Promise.all(work).then(() => {
    isOver = true;
  });
  while (!isOver) await vi.advanceTimersByTimeAsync(1_000);
  await over;
  return calls;
}

/**
 * The same by a tenant's lane, where a record keeps its place from its look at the vendor until it is written, and only then
 * another one begins.
 */
async function playLane({ width, vendorMs }: { readonly width: number; readonly vendorMs: number }): Promise<number> {
  const { session, calls } = slowOrg();
  let onTheirWay = RECORDS;
  const batchers: Batchers = createBatchers(
    {
      session,
      sizes: createRowSizes(Date.now),
      fields: createVisibleFields(session, { multiCurrency: false, now: Date.now }),
    },
    { multiCurrency: false, now: Date.now, useGraphs: false, onTheirWay: async () => onTheirWay },
  );
  const places = createSlots(width);
  const work = Array.from({ length: RECORDS }, (_, n) =>
    places.hold(async () => {
      await sleep(vendorMs * (1 + ((n * 7) % 13) / 13));
      await batchers.graphs.ask(idOf(n), undefined, true);
      await sleep(5 * (1 + ((n * 7) % 13)));
      await batchers.updates.ask(updateOf(n), undefined, true);
      onTheirWay -= 1;
    }),
  );
  let isOver = false;
  const over = Promise.all(work).then(() => {
    isOver = true;
  });
  while (!isOver) await vi.advanceTimersByTimeAsync(1_000);
  await over;
  return calls.length;
}

/** Three quarters of a worker's slots. */
const AT_ONCE = 201;

function createSlots(count: number) {
  let free = count;
  const line: (() => void)[] = [];
  return {
    async hold<T>(work: () => Promise<T>): Promise<T> {
      if (free > 0) free -= 1;
      else await new Promise<void>((settle) => line.push(settle));
      try {
        return await work();
      } finally {
        const next = line.shift();
        if (next === undefined) free += 1;
        else next();
      }
    },
  };
}

function reportOf(n: number) {
  return { opportunityId: idOf(n), opportunity: {}, sync: { Sync_State__c: 'In sync' } };
}

describe.each([
  { way: 'parts of composite requests', useGraphs: false },
  { way: 'composite graphs', useGraphs: true },
] as const)(`${RECORDS} vendor changes of one poll, as $way`, ({ useGraphs }) => {
  it.each([
    { perSecond: 100, decideMs: 5, asGraphs: 0.025 },
    { perSecond: 20, decideMs: 50, asGraphs: 0.026 },
    { perSecond: 10, decideMs: 50, asGraphs: 0.026 },
    { perSecond: 5, decideMs: 100, asGraphs: 0.03 },
    // So few come together in the time that a call may wait that readings go along as before.
    { perSecond: 3, decideMs: 200, asGraphs: MOST_CALLS_A_CHANGE },
  ])('cost few calls where the machine takes in $perSecond a second', async ({ perSecond, decideMs, asGraphs }) => {
    const calls = await play(1_000 / perSecond, decideMs, useGraphs);
    expect(calls.reduce((sum, { updates }) => sum + updates, 0)).toBe(RECORDS);
    expect(calls.length / RECORDS).toBeLessThanOrEqual(useGraphs ? asGraphs : MOST_CALLS_A_CHANGE);
  });
});

it.each([
  { width: 120, vendorMs: 1_000 },
  { width: 120, vendorMs: 2_000 },
  { width: 200, vendorMs: 300 },
  { width: 200, vendorMs: 2_000 },
])('what a lane of $width carries leaves in full requests where the vendor answers in $vendorMs ms', async (lane) => {
  expect((await playLane(lane)) / RECORDS).toBeLessThanOrEqual(0.045);
});
