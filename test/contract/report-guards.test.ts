/**
 * Users never see an older state for good, whatever dies and whoever is late: one row for each guard of the report state, on the real
 * ledger, with the real activities and a CRM that keeps the last report that reached it.
 */
import { MockActivityEnvironment } from '@temporalio/testing';
import { beforeEach, expect, it } from 'vitest';
import { createReportToCrm } from '../../activities/opportunity/report-to-crm.ts';
import { settle } from '../../activities/opportunity/settle.ts';
import { createNotifyWaiting, LOST_MS } from '../../activities/outage/notify-waiting.ts';
import type { ActivityDeps } from '../../activities/support/deps.ts';
import type { CrmReport } from '../../src/domain/record/crm-graph.ts';
import { ISSUES } from '../../src/domain/record/issues.ts';
import type { Link } from '../../src/domain/record/link.ts';
import type { Waiting } from '../../src/domain/record/plan.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import { withLedger } from '../support/ledger/postgres.ts';
import { mappingConfig } from '../support/mapping/fixtures.ts';

const { ledger } = await withLedger();

let tenant = '';
let tenants = 0;
let nowMs = 0;
/** The sync state that users see. */
let seen: string | undefined;
let woken: string[] = [];

/** A worker. `send`: what becomes of its report; `on`: the ledger as this worker reaches it. */
function worker(send: (deliver: () => void) => Promise<void> | void = arrives, on: Partial<Ledger> = {}) {
  const report = async ({ sync }: CrmReport): Promise<void> =>
    send(() => {
      seen = String(sync['Sync_State__c']);
    });
  const wake = async (_: string, keys: readonly string[]): Promise<void> => void woken.push(...keys);
  const now = (): string => new Date(nowMs).toISOString();
  const runtime = () => ({ crm: { report }, tenant: { mapping: mappingConfig() } });
  const deps = { ledger: { ...ledger, ...on }, runtime, wake, now };
  const { ledger: own } = deps;
  const activities = deps as unknown as ActivityDeps;
  const run = <Args extends unknown[]>(work: (...args: Args) => Promise<unknown>, ...args: Args) =>
    new MockActivityEnvironment().run(work, ...args);
  return {
    /** Decides on the record and settles that; `state` is the state afterwards. */
    decides: async (state: 'in-sync' | 'parked', lane?: number): Promise<void> => {
      const link = await linkNow();
      const issues = state === 'parked' ? [ISSUES.vendorMissing()] : [];
      const plan = { next: 'nothing', decisions: [], stateAfter: state, issues, baseAfter: null };
      const outcome = { type: 'decided', plan: plan as unknown as Waiting, trigger: 'crm' } as const;
      const inLane = (t: string, k: string, s: Parameters<Ledger['settle']>[2]) =>
        own.settle(t, k, { ...s, ...(lane === undefined ? {} : { laneGeneration: lane }) });
      const deciding = { ...activities, ledger: { ...own, settle: inLane } } as ActivityDeps;
      await settle(deciding, link, { ...outcome, generation: link.generation });
    },
    reports: (byLane?: true) =>
      run(createReportToCrm(activities), { tenant, key: 'C1', ...(byLane && { byLane }) }).catch(dead),
    notifiesWaiting: () => run(createNotifyWaiting(activities), { tenant }).catch(dead),
  };
}

const arrives = (deliver: () => void): void => deliver();
const dies = (): never => {
  throw new Error('the worker died');
};
const dead = (): void => undefined;
const linkNow = async () => (await ledger.findLink(tenant, 'C1')) as Link;
const change = (): Promise<unknown> => ledger.markDue(tenant, [{ crmId: 'C1' }], new Date(nowMs).toISOString());

/** What Lockstep does on its own once nobody stalls any more: the guard, the lane, and the woken record. */
async function recover(): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    nowMs += LOST_MS + 1_000;
    await worker().notifiesWaiting();
    const link = await linkNow();
    const isDue = link.generation !== link.observedGeneration;
    if (isDue || link.inLane === true) await worker().decides(link.state === 'parked' ? 'parked' : 'in-sync');
    if (isDue || link.inLane === true || woken.includes('C1')) await worker().reports();
    woken = [];
  }
}

beforeEach(async () => {
  tenants += 1;
  [tenant, nowMs, woken, seen] = [`guards-${tenants}`, Date.parse('2026-03-01T10:00:00.000Z'), [], undefined];
  await ledger.resolveLink(tenant, { crmId: 'C1' }, new Date(nowMs).toISOString());
  await change();
  await worker().decides('in-sync');
  await worker().reports();
  expect(seen).toBe('In sync');
  await change();
  nowMs += 10_000;
});

/** Each leaves the record behind after a worker died or was late. Returns the state that users have to see in the end. */
const GUARDS: Readonly<Record<string, () => Promise<string>>> = {
  'a report is noted before it is sent, on the link’s version: a stalled writer sends nothing': async () => {
    await worker().decides('in-sync');
    const stale = await linkNow();
    const stalled = { ...stale, state: 'pending' } as Link;
    nowMs += 1_000;
    await worker().decides('parked');
    await worker().reports();
    const stalledWorker = worker(arrives, {
      findLink: async () => stalled,
      settle: (t, k, s) => (s.isReported ? dies() : ledger.settle(t, k, s)),
    });
    await stalledWorker.reports();
    return 'Parked';
  },
  'a report that another writer overtook while it was sent is sent again': async () => {
    await worker().decides('parked');
    const late = worker(async (deliver) => {
      nowMs += 1_000;
      await change();
      await worker().decides('in-sync');
      await worker().reports();
      deliver();
    });
    await late.reports();
    return 'In sync';
  },
  'a report whose worker died before it was confirmed is sent again': async () => {
    await worker().decides('parked');
    const mortal = worker(arrives, {
      settle: (t, k, s) => (s.isReported ? dies() : ledger.settle(t, k, s)),
    });
    await mortal.reports();
    expect(seen).toBe('Parked');
    await change();
    await worker().decides('in-sync');
    return 'In sync';
  },
  'a wait is noted before it is shown, and counts as lost after a minute': async () => {
    const mortal = worker(
      async (deliver) => {
        await worker().decides('in-sync');
        deliver();
      },
      { noteReported: (t, r, at, before) => (before ? ledger.noteReported(t, r, at, before) : dies()) },
    );
    await mortal.notifiesWaiting();
    expect(seen).toBe('Pending');
    return 'In sync';
  },
  'the record’s own report does not confirm a wait that is being shown': async () => {
    const mortal = worker(
      async (deliver) => {
        await worker().decides('parked');
        await worker().reports();
        deliver();
      },
      { noteReported: (t, r, at, before) => (before ? ledger.noteReported(t, r, at, before) : dies()) },
    );
    await mortal.notifiesWaiting();
    expect(seen).toBe('Pending');
    return 'Parked';
  },
  'the lane keeps a record until its users were shown the result': async () => {
    await ledger.takeInLane(tenant, ['C1'], 'any');
    await worker().decides('parked', 1);
    return 'Parked';
  },
  'a settlement without news is news if a wait was shown meanwhile': async () => {
    const known = await linkNow();
    await worker().notifiesWaiting();
    expect(seen).toBe('Pending');
    await ledger.settle(tenant, 'C1', {
      at: new Date(nowMs).toISOString(),
      observedGeneration: known.generation,
      noNewsAfter: known.reported,
    });
    return 'In sync';
  },
  'the lane shows no end of a wait that is being shown': async () => {
    let ofTheLane = 0;
    const lane = worker(() => {
      ofTheLane += 1;
    });
    const waiting = worker(async (deliver) => {
      await worker().decides('in-sync');
      await lane.reports(true);
      deliver();
    });
    await waiting.notifiesWaiting();
    expect(ofTheLane).toBe(0);
    expect(woken).toContain('C1');
    return 'In sync';
  },
  'a due report is noted with its settlement: it is sent though its worker died at once': async () => {
    await worker().decides('parked');
    return 'Parked';
  },
};

it.each(Object.entries(GUARDS))('%s', async (_, scenario) => {
  const expected = await scenario();
  await recover();
  expect(seen).toBe(expected);
  expect(await ledger.unconfirmedReports(tenant, new Date(nowMs).toISOString(), 10)).toEqual([]);
});

it('a refusal that surely wrote nothing leaves nothing unconfirmed', async () => {
  await worker(() => {
    throw new CrmError('throttled', 'REQUEST_LIMIT_EXCEEDED', '', { fields: [] });
  }).notifiesWaiting();
  expect(await ledger.unconfirmedReports(tenant, new Date(nowMs).toISOString(), 10)).toEqual([]);
  expect([seen, woken]).toEqual(['In sync', []]);
});

it('an unconfirmed report wakes its tenant once it counts as lost', async () => {
  const at = new Date(nowMs).toISOString();
  await worker(() => dies()).notifiesWaiting();
  const wakes = (reportingSince: string) =>
    ledger.tenantsToWake([tenant], { at, before: BEFORE, unreportedSince: BEFORE, reportingSince });
  expect(await wakes(new Date(nowMs - 1).toISOString())).toEqual([]);
  expect(await wakes(at)).toEqual([tenant]);
});

const BEFORE = '2026-01-01T00:00:00.000Z';
