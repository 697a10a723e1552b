/** What users are told of a wait by a worker that dies: the real activity on the real ledger. */

import { MockActivityEnvironment } from '@temporalio/testing';
import { beforeEach, expect, it } from 'vitest';
import { createReportToCrm } from '../../activities/opportunity/report-to-crm.ts';
import { createNotifyWaiting, LOST_MS } from '../../activities/outage/notify-waiting.ts';
import type { ActivityDeps } from '../../activities/support/deps.ts';
import { isSameReported, NOTHING_KNOWN, withRowUnknown } from '../../src/domain/record/reported.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import { sees } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

const { ledger } = await withLedger();
const KNOWN = sees('known');

let tenants = 0;
let tenant: string;
let key: string;
let nowMs: number;
let woken: string[];
const now = (): string => new Date(nowMs).toISOString();

beforeEach(async () => {
  tenants += 1;
  [tenant, nowMs, woken] = [`told-${tenants}`, Date.parse('2026-03-01T10:00:00.000Z'), []];
  key = (await ledger.resolveLink(tenant, { crmId: 'C1' }, now())).link.key;
  await ledger.settle(tenant, key, { at: now(), state: 'in-sync', reported: KNOWN });
  await ledger.markDue(tenant, [{ crmId: 'C1' }], now());
  nowMs += 10_000;
});

/** Tells who waits, while the record's own work comes to its end: of that users were told before this came to them. */
async function tellMeanwhile(answer: () => Promise<void>, more: Partial<Ledger> = {}): Promise<void> {
  const report = async (): Promise<void> => {
    await ledger.settle(tenant, key, { at: now(), observedGeneration: 1, reported: KNOWN });
    await answer();
  };
  await tell(report, { ...ledger, ...more });
}

async function tell(report: () => Promise<void>, on: Ledger = ledger): Promise<void> {
  const wake = async (_: string, keys: readonly string[]): Promise<void> => void woken.push(...keys);
  const deps = { ledger: on, runtime: () => ({ crm: { report } }), wake, now };
  await new MockActivityEnvironment().run(createNotifyWaiting(deps as unknown as ActivityDeps), { tenant });
}

const told = (): Promise<void> => Promise.resolve();
const isToldAnew = async () => {
  const link = await ledger.findLink(tenant, key);
  return !isSameReported(link?.reported ?? null, KNOWN) && link?.generation === 2 && woken.includes(key);
};

/** The note of what was told is lost; that of what is about to be told is not. */
const noteReported: Ledger['noteReported'] = (of, reports, at, isBefore) =>
  isBefore === true ? ledger.noteReported(of, reports, at, isBefore) : Promise.reject(new Error('lost'));

it.each<[string, () => Promise<void>, Partial<Ledger>]>([
  ['nobody noted that they were told', told, { noteReported }],
  [
    'the CRM did not answer',
    () => Promise.reject(new CrmError('transient', 'NETWORK', '', { fields: [] })),
    {},
  ],
])('they are told anew where %s, once it is taken for lost', async (_, answer, more) => {
  await tellMeanwhile(answer, more).catch(() => undefined);
  expect(await isToldAnew()).toBe(false);
  const at = { before: now(), unreportedSince: now(), at: now() };
  expect(
    await ledger.tenantsToWake([tenant], { ...at, reportingSince: new Date(nowMs - 1_001).toISOString() }),
  ).toEqual([]);

  nowMs += LOST_MS;
  const reportingSince = new Date(nowMs - LOST_MS).toISOString();
  expect(await ledger.tenantsToWake([tenant], { ...at, reportingSince })).toEqual([tenant]);
  await tell(told);
  expect(await isToldAnew()).toBe(true);
  expect((await ledger.findLink(tenant, key))?.reported).toEqual(withRowUnknown(KNOWN));
  expect(await ledger.unconfirmedReports(tenant, now(), 10)).toEqual([]);
});

it('they are told anew at once where it was noted', async () => {
  await tellMeanwhile(told);
  expect(await isToldAnew()).toBe(true);
  expect(await ledger.unconfirmedReports(tenant, now(), 10)).toEqual([]);
});

it('nothing is left of what the CRM surely did not take', async () => {
  await tell(() => Promise.reject(new CrmError('throttled', 'REQUEST_LIMIT_EXCEEDED', '', { fields: [] })));
  expect(await ledger.unconfirmedReports(tenant, now(), 10)).toEqual([]);
  expect(woken).toEqual([]);
});

it('they are told anew where the wait and its end were told at once, and the wait was noted first', async () => {
  const [isReporting, waitIsNoted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const report = async (): Promise<void> => {
    isReporting.resolve();
    await waitIsNoted.promise;
  };
  const wake = async (_: string, keys: readonly string[]): Promise<void> => void woken.push(...keys);
  const deps = { ledger, runtime: () => ({ crm: { report } }), wake, now } as unknown as ActivityDeps;
  let ended: Promise<unknown> = Promise.resolve();
  await tell(async () => {
    await ledger.settle(tenant, key, { at: now(), observedGeneration: 1 });
    ended = new MockActivityEnvironment()
      .run(createReportToCrm(deps), { tenant, key })
      .catch((error) => error);
    await isReporting.promise;
  });
  waitIsNoted.resolve();
  expect(await ended).toMatchObject({ type: 'STALE' });
  expect((await ledger.findLink(tenant, key))?.reported).toEqual(NOTHING_KNOWN);
  expect(woken).toContain(key);
});

it('the lane leaves what is told in the end to whoever tells of the wait, until that is taken for lost', async () => {
  let reports = 0;
  const report = async (): Promise<void> => {
    reports += 1;
  };
  const deps = {
    ledger,
    runtime: () => ({ crm: { report } }),
    wake: async () => {},
    now,
  } as unknown as ActivityDeps;
  const carried = (byLane?: true) =>
    new MockActivityEnvironment().run(createReportToCrm(deps), { tenant, key, ...(byLane && { byLane }) });
  const seen: number[] = [];
  await tell(async () => {
    await ledger.settle(tenant, key, { at: now(), observedGeneration: 1 });
    await carried(true);
    seen.push(reports);
    nowMs += LOST_MS;
    await carried(true);
    seen.push(reports);
  });
  expect(seen).toEqual([0, 1]);
  expect(woken).toContain(key);
  await carried(true);
  expect(reports).toBe(2);
});
