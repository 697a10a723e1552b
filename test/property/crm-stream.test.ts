import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it } from 'vitest';
import { createStreamActivities } from '../../activities/streams/sources.ts';
import type { TakenPages } from '../../activities/streams/stream.ts';
import type { ActivityDeps } from '../../activities/support/deps.ts';
import type { CrmPosition } from '../../src/domain/streams/crm-cursor.ts';
import { MOST_QUERIES } from '../../src/salesforce/compose-queries.ts';
import { recordStatements } from '../support/ledger/explain.ts';
import { withLedger } from '../support/ledger/postgres.ts';
import fc from '../support/properties.ts';

/** Whatever becomes visible late in the CRM, within the overlap, is found, once, and a sweep forgets what is long past. */

const START_MS = Date.parse('2027-01-04T08:00:00.000Z');
const OVERLAP_MS = 900_000;
/** Rows of a page: few, so that there are many pages. */
const PAGE = 3;
const REQUEST_MS = 20_000;

/** One version of a row: stamped at one second, and committed at another. */
type Version = { readonly id: string; readonly stampMs: number; readonly committedMs: number };

const { ledger, url } = await withLedger();
let tenants = 0;

const iso = (ms: number): string => new Date(ms).toISOString();

/** `lies` are the times that the CRM tells first, one sweep's answers after the other. */
function createSweeps(versions: readonly Version[], lies: readonly string[] = []) {
  tenants += 1;
  const tenant = `sweeps-${tenants}`;
  const clock = { ms: START_MS };
  const woken: { readonly id: string; readonly atMs: number }[] = [];
  const crm = {
    changesAfter: async (object: string, position: CrmPosition) => {
      clock.ms += REQUEST_MS;
      const committed = object === 'Opportunity' ? versions.filter((one) => one.committedMs <= clock.ms) : [];
      const newest = new Map(committed.map((one) => [one.id, one]));
      const rows = [...newest.values()]
        .filter(
          ({ id, stampMs }) =>
            iso(stampMs) > position.systemModstamp || (iso(stampMs) === position.systemModstamp && id > position.id),
        )
        .sort((a, b) => a.stampMs - b.stampMs || (a.id < b.id ? -1 : 1))
        .slice(0, PAGE);
      const last = rows.at(-1);
      return {
        changes: rows.map(({ id, stampMs }) => ({
          opportunityId: id,
          rowId: id,
          stamp: iso(stampMs),
          mayBeShared: true,
        })),
        position: last === undefined ? position : { systemModstamp: iso(last.stampMs), id: last.id },
        more: rows.length === PAGE,
        now: lies[sweeps] ?? iso(clock.ms),
      };
    },
  };
  let requests = 0;
  let sweeps = -1;
  const counted = {
    changesAfter: (object: string, position: CrmPosition) => {
      requests += 1;
      return crm.changesAfter(object, position);
    },
    changesTogether: async (asks: readonly { stream: string; position: CrmPosition }[]) => {
      requests += Math.ceil(asks.length / MOST_QUERIES);
      const pages = await Promise.all(asks.map(({ stream, position }) => crm.changesAfter(stream, position)));
      return { pages: pages.map((page) => async () => page), hasRequests: async () => false };
    },
  };
  const deps = {
    now: () => iso(clock.ms),
    wake: async (_tenant: string, keys: readonly string[]) =>
      void woken.push(...keys.map((id) => ({ id, atMs: clock.ms }))),
    ledger,
    runtime: () => ({
      tenant: { tenant, salesforce: { sweep: { overlapMs: OVERLAP_MS } }, notify: { owner: 'none' }, mapping: {} },
      crm: counted,
    }),
  } as unknown as ActivityDeps;
  const read = () => createStreamActivities(deps).sweepCrmOpportunities({ tenant });
  const environment = new MockActivityEnvironment();
  return {
    /** One sweep, to its end; how many requests it took. */
    sweep: async (): Promise<number> => {
      requests = 0;
      sweeps += 1;
      for (let more = true; more; ) {
        const result: TakenPages = await environment.run(read);
        more = result.more;
      }
      return requests;
    },
    clock,
    woken,
    storedBytes: async (): Promise<number> =>
      JSON.stringify(await ledger.cursor(tenant, 'sweepSalesforce:Opportunity')).length,
  };
}

/** Versions of a few rows, each row's one after the other; bursts share their second. */
const versions: fc.Arbitrary<readonly Version[]> = fc
  .array(
    fc.array(
      fc.record({
        pauseMs: fc.constantFrom(1_000, 2_000, 60_000, 600_000),
        lateMs: fc.constantFrom(0, 0, 5_000, 400_000, OVERLAP_MS - 60_000),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((rows) =>
    rows.flatMap((row, number) => {
      let atMs = START_MS;
      return row.map(({ pauseMs, lateMs }) => {
        const stampMs = atMs + pauseMs;
        atMs = stampMs + lateMs;
        return { id: `006${number}`, stampMs, committedMs: atMs };
      });
    }),
  )
  .map((all) => all.toSorted((a, b) => a.committedMs - b.committedMs));

it('finds every version of a row, whenever it is committed, and none of them twice', async () => {
  await fc.assert(
    fc.asyncProperty(versions, fc.constantFrom(300_000, 900_000, 2_000_000), async (all, everyMs) => {
      const { sweep, clock, woken } = createSweeps(all);
      const lastMs = Math.max(...all.map(({ committedMs }) => committedMs));
      while (clock.ms < lastMs + 2 * OVERLAP_MS) {
        await sweep();
        clock.ms += everyMs;
      }
      await sweep();
      for (const { id, committedMs } of all)
        expect(woken.some((one) => one.id === id && one.atMs >= committedMs)).toBe(true);
      // One wake a version at most: what was shown before is not shown again.
      expect(woken.length).toBeLessThanOrEqual(all.length);
    }),
    { numRuns: 6 },
  );
}, 60_000);

it('finds every row, whatever time the CRM tells', async () => {
  const row = (id: string, minutes: number): Version => {
    const stampMs = START_MS + minutes * 60_000;
    return { id, stampMs, committedMs: stampMs };
  };
  const lies = ['9999-12-31T23:59:59.000Z', '2027-02-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z'];
  const { sweep, clock, woken } = createSweeps([row('006A', 1), row('006B', 15), row('006C', 70)], lies);
  for (let turn = 0; turn < 8; turn += 1) {
    await sweep();
    clock.ms += 600_000;
  }
  expect(new Set(woken.map(({ id }) => id))).toEqual(new Set(['006A', '006B', '006C']));
});

it('reads a burst again only while late rows may appear beside it, and keeps its cursor small', async () => {
  const burst = Array.from({ length: 40 }, (_, n) => {
    const stampMs = START_MS + 1_000;
    return { id: `006${String(n).padStart(3, '0')}`, stampMs, committedMs: stampMs };
  });
  const { sweep, clock, woken, storedBytes } = createSweeps(burst);
  clock.ms += 2_000;
  expect(await sweep()).toBe(19);
  expect(await storedBytes()).toBeLessThan(300);
  clock.ms += OVERLAP_MS + 60_000;
  await sweep();
  expect(await sweep()).toBe(2);
  expect(woken).toHaveLength(40);
});

it('takes two statements where nothing changed, and one more of each object of which rows are shown again', async () => {
  const row = { id: '006A', stampMs: START_MS + 1_000, committedMs: START_MS + 1_000 };
  const quiet = createSweeps([]);
  const again = createSweeps([row]);
  for (const { sweep } of [quiet, again]) {
    await sweep();
    await sweep();
  }
  const sent = recordStatements(url);
  await quiet.sweep();
  expect(sent()).toHaveLength(2);
  await again.sweep();
  expect(sent()).toHaveLength(2 + 3);
  expect(again.woken).toHaveLength(1);
});
