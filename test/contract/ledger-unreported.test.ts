/** What a record's own work has still to tell its users is found again where that work is gone. */

import { beforeEach, describe, expect, it } from 'vitest';
import { NOTHING_KNOWN, withWait } from '../../src/domain/decide/reported.ts';
import type { Settlement } from '../../src/ledger/plans/plan-ledger.ts';
import { at, sees } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

const { ledger, newTenant } = await withLedger();

let tenant = '';
beforeEach(async () => {
  tenant = newTenant();
  await ledger.markDue(tenant, [{ crmId: 'C1' }], at(0));
});

const settle = (second: number, more: Partial<Settlement>) => ledger.settle(tenant, 'C1', { at: at(second), ...more });
const done = { observedGeneration: 1, state: 'in-sync', reportDue: true } as const;
const unreportedSince = async (second: number) =>
  (await ledger.unconfirmedReports(tenant, at(second), 10)).map(({ key }) => key);

it('from when it is done on', async () => {
  await settle(5, done);
  expect(await unreportedSince(4)).toEqual([]);
  expect(await unreportedSince(5)).toEqual(['C1']);
});

it('from its last step on, and no more once users were notified', async () => {
  await settle(5, done);
  await settle(9, { reported: NOTHING_KNOWN });
  expect(await unreportedSince(8)).toEqual([]);
  expect(await unreportedSince(9)).toEqual(['C1']);
  await settle(10, { reported: sees('told'), isReported: true });
  expect(await unreportedSince(99)).toEqual([]);
});

it('the same of a writer that knows the link as it is', async () => {
  const expected = await settle(5, done);
  const telling = await settle(9, { reported: NOTHING_KNOWN, expected, reportedBefore: null });
  expect(await unreportedSince(8)).toEqual([]);
  expect(await unreportedSince(9)).toEqual(['C1']);
  await settle(10, {
    reported: sees('told'),
    isReported: true,
    expected: telling,
    reportedBefore: NOTHING_KNOWN,
  });
  expect(await unreportedSince(99)).toEqual([]);
});

it('not once another look has found nothing to tell', async () => {
  await settle(5, done);
  await ledger.markDue(tenant, [{ crmId: 'C1' }], at(6));
  expect(await unreportedSince(6)).toEqual(['C1']);
  await settle(7, { observedGeneration: 2 });
  expect(await unreportedSince(99)).toEqual([]);
});

it('not of what the lane carries, which keeps it', async () => {
  await ledger.takeInLane(tenant, ['C1'], 'any');
  await settle(5, { ...done, laneGeneration: 1 });
  expect(await unreportedSince(99)).toEqual([]);
  expect((await ledger.findLink(tenant, 'C1'))?.inLane).toBe(true);
});

describe('where its writer knows of nothing to report, and they were notified otherwise meanwhile', () => {
  const known = { observedGeneration: 1, noNewsAfter: null };

  it('by the record’s own work', async () => {
    await ledger.noteReported(tenant, [{ key: 'C1', reported: withWait(null, 'turn') }], at(3));
    await settle(5, known);
    expect(await unreportedSince(5)).toEqual(['C1']);
  });

  it('by the lane, which keeps it', async () => {
    await ledger.takeInLane(tenant, ['C1'], 'any');
    await ledger.noteReported(tenant, [{ key: 'C1', reported: withWait(null, 'turn') }], at(3));
    await settle(5, { ...known, laneGeneration: 1 });
    expect((await ledger.findLink(tenant, 'C1'))?.inLane).toBe(true);
  });

  it('and not where they were not', async () => {
    await ledger.takeInLane(tenant, ['C1'], 'any');
    await settle(5, { ...known, laneGeneration: 1 });
    expect(await unreportedSince(99)).toEqual([]);
    expect((await ledger.findLink(tenant, 'C1'))?.inLane).toBeUndefined();
  });
});

it('beside somebody who tells them of a wait, whose note the record’s own work neither moves nor ends', async () => {
  await ledger.noteReported(tenant, [{ key: 'C1', reported: withWait(null, 'turn') }], at(4), true);
  await settle(5, done);
  const expected = await settle(6, { reported: sees('told'), isReported: true });
  await settle(7, { reported: sees('told'), isReported: true, expected });
  expect(await unreportedSince(3)).toEqual([]);
  expect(await unreportedSince(4)).toEqual(['C1']);
});
