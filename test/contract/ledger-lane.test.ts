import { beforeEach, describe, expect, it } from 'vitest';
import { at, leaving, savePlan } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

const { ledger, query, newTenant } = await withLedger();

let tenant = '';
beforeEach(async () => {
  tenant = newTenant();
  await ledger.markDue(
    tenant,
    Array.from({ length: 8 }, (_, n) => ({ crmId: `C${n}` })),
    at(0),
  );
});

const next = (excluding: readonly string[] = [], limit = 20, withBulk = true) =>
  ledger.nextInLane(tenant, { withBulk, withEchoes: true, excluding, limit });
const keysOf = (records: readonly { readonly key: string }[]) => records.map(({ key }) => key);
const take = (...keys: readonly string[]) => ledger.takeInLane(tenant, keys, 'vendor');

it('gives what was taken into the lane, longest waiting first, and not what is under way', async () => {
  await ledger.markDue(tenant, [{ crmId: 'A9' }], at(-5));
  await take('C1', 'C2', 'A9');
  expect(await next([], 2)).toEqual([
    {
      key: 'A9',
      generation: 1,
      laneGeneration: 1,
      cause: 'vendor',
      state: 'new',
      work: 'interactive',
      spentPlan: null,
      needsOwn: null,
    },
    {
      key: 'C1',
      generation: 1,
      laneGeneration: 1,
      cause: 'vendor',
      state: 'new',
      work: 'burst',
      spentPlan: null,
      needsOwn: null,
    },
  ]);
  expect(keysOf(await next(['C1']))).toEqual(['A9', 'C2']);
  expect(await ledger.nextInLane('other', { withBulk: true, withEchoes: true, excluding: [], limit: 9 })).toEqual([]);
});

it('gives only wanted records, and these only if they are in the lane', async () => {
  await take('C1', 'C2', 'C3');
  const order = { withBulk: true, withEchoes: true, excluding: ['C2'], only: ['C1', 'C2', 'C4'], limit: 9 };
  expect(keysOf(await ledger.nextInLane(tenant, order))).toEqual(['C1']);
});

it('keeps both causes of a record that was woken twice', async () => {
  await take('C1', 'C2');
  await ledger.takeInLane(tenant, ['C1'], 'crm');
  await take('C2');
  expect((await next()).map(({ key, cause }) => [key, cause])).toEqual([
    ['C1', 'any'],
    ['C2', 'vendor'],
  ]);
});

it('has both sides looked at of what is begun a second time: the vendor may have been read before', async () => {
  await ledger.takeInLane(tenant, ['C1'], 'crm');
  expect((await next()).map(({ cause }) => cause)).toEqual(['crm']);
  expect((await next()).map(({ cause }) => cause)).toEqual(['any']);
});

it('has both sides looked at of what was signalled before: another writer may have read the vendor', async () => {
  await ledger.markDue(tenant, [{ crmId: 'C1' }], at(1));
  await ledger.takeInLane(tenant, ['C1', 'C2'], 'crm');
  expect((await next()).map(({ key, cause }) => [key, cause])).toEqual([
    ['C1', 'any'],
    ['C2', 'crm'],
  ]);
});

it('makes a burst of many that are given together, and of no few', async () => {
  const keys = Array.from({ length: 10 }, (_, n) => `N${n}`);
  for (const crmId of keys) await ledger.markDue(tenant, [{ crmId }], at(1));
  await take('N9');
  await take(...keys.slice(0, 8));
  const bursts = await Promise.all(keys.map(async (key) => (await ledger.findLink(tenant, key))?.inBurst));
  expect(bursts).toEqual([...Array(8).fill(true), undefined, undefined]);
});

it('has the vendor read again of what is delegated, and is due', async () => {
  await ledger.resolveLink(tenant, { crmId: 'C1', vendorId: 'V1' }, at(1));
  await ledger.resolveLink(tenant, { crmId: 'C2', vendorId: 'V2' }, at(1));
  await ledger.settle(tenant, 'C1', { at: at(2), vendorReadGeneration: 1 });
  await ledger.settle(tenant, 'C2', { at: at(2), observedGeneration: 1 });
  await take('C1', 'C2');
  expect((await ledger.findLink(tenant, 'C1'))?.inLane).toBe(true);
  for (const key of ['C1', 'C2']) await ledger.delegate(tenant, key, at(3));
  const links = await Promise.all(['C1', 'C2'].map((key) => ledger.findLink(tenant, key)));
  expect(links.map((link) => [link?.inLane, link?.vendorDue])).toEqual([
    [undefined, true],
    [undefined, false],
  ]);
});

it('has what is delegated be due, though only its users are still to be notified: whoever was to wake it may die', async () => {
  const isDue = async () => (await ledger.dueKeys(tenant, 20)).includes('C1');
  await ledger.settle(tenant, 'C1', { at: at(2), observedGeneration: 1, reportDue: true });
  await take('C1');
  expect(await isDue()).toBe(false);
  await ledger.delegate(tenant, 'C1', at(3));
  expect(await isDue()).toBe(true);
  expect(await ledger.findLink(tenant, 'C1')).toMatchObject({
    generation: 2,
    vendorDue: false,
    waitingSince: null,
  });
  await ledger.settle(tenant, 'C1', { at: at(4), observedGeneration: 2 });
  expect(await isDue()).toBe(false);
});

it('has no link be due that another took over', async () => {
  await take('C1');
  await query(`update links set state = 'superseded', crm_id = null, observed_generation = generation,
      due_since = null, waiting_since = null
    where tenant = '${tenant}' and key = 'C1'`);
  await ledger.delegate(tenant, 'C1', at(3));
  expect(await query(`select due_since, lane from links where tenant = '${tenant}' and key = 'C1'`)).toEqual([
    { due_since: null, lane: null },
  ]);
});

it('gives bulk work last, or not at all', async () => {
  await take('C1', 'C2');
  await query(`update links set bulk_share = 0.5 where tenant = '${tenant}' and key = 'C1'`);
  expect((await next()).map(({ key, work }) => [key, work])).toEqual([
    ['C2', 'burst'],
    ['C1', { bulk: 0.5 }],
  ]);
  expect(keysOf(await next([], 20, false))).toEqual(['C2']);
});

describe('a record is its own workflow’s', () => {
  it('while its newest plan has left and has no outcome', async () => {
    await take('C1');
    const planId = await savePlan(ledger, tenant, 'C1');
    expect((await next())[0]).toMatchObject({ needsOwn: null, spentPlan: null });
    await ledger.markSent(tenant, planId, leaving(1, 'update'));
    expect((await next())[0]).toMatchObject({ needsOwn: 'a write is open', spentPlan: null });
    await ledger.settle(tenant, 'C1', { at: at(2), planId, outcome: 'updated' });
    expect((await next())[0]).toMatchObject({ needsOwn: null, spentPlan: planId });
  });

  it('while neither side answers', async () => {
    await take('C1');
    await ledger.settle(tenant, 'C1', { at: at(2), failingSince: at(1) });
    expect((await next())[0]?.needsOwn).toBe('unanswered');
  });

  it('once it is signalled alone', async () => {
    await take('C1', 'C2');
    await ledger.markDue(tenant, [{ crmId: 'C1' }], at(1));
    expect(keysOf(await next())).toEqual(['C2']);
  });
});

const result = (count = 8) => Array.from({ length: count }, (_, n) => ({ crmId: `C${n}` }));

it('has a record leave with its last mark, and keeps one that was signalled since its work began', async () => {
  await take('C1', 'C2', 'C3');
  const begun = await next();
  await ledger.markDue(tenant, result(), at(1));
  await ledger.settle(tenant, 'C1', { at: at(2), observedGeneration: 1, laneGeneration: 1 });
  await ledger.settle(tenant, 'C2', { at: at(2), observedGeneration: 2, laneGeneration: 1 });
  expect(keysOf(await next())).toEqual(['C3', 'C1']);
  expect(await ledger.leaveLane(tenant, begun)).toEqual([]);
  expect(keysOf(await next())).toEqual(['C3', 'C1']);
});

it('keeps one of which users are still to be notified, and lets it go once its work has come to its end', async () => {
  await take('C1', 'C2');
  const begun = await next();
  await ledger.settle(tenant, 'C1', { at: at(2), observedGeneration: 1, laneGeneration: 1, reportDue: true });
  await ledger.settle(tenant, 'C2', { at: at(2), observedGeneration: 1, laneGeneration: 1 });
  expect(keysOf(await next())).toEqual(['C1']);
  expect(await ledger.leaveLane(tenant, begun)).toEqual([]);
  expect(await next()).toEqual([]);
});

it('has the lane begun again for one of which users are still to be notified, where little else is due', async () => {
  for (const n of [3, 4, 5, 6, 7]) await ledger.settle(tenant, `C${n}`, { at: at(1), observedGeneration: 1 });
  await take('C1', 'C2');
  const begun = await next();
  await ledger.settle(tenant, 'C1', { at: at(5), observedGeneration: 1, laneGeneration: 1, reportDue: true });
  expect(await ledger.dueKeys(tenant, 3, at(4))).toEqual(['C0', 'C2']);
  expect(await ledger.dueKeys(tenant, 3, at(5))).toEqual(['C0', 'C2', 'C1']);
  expect(await ledger.dueKeys(tenant, 2, at(5))).toEqual(['C0', 'C2']);
  expect(await ledger.dueKeys(tenant, 3)).toEqual(['C0', 'C2']);
  await ledger.markDue(tenant, [{ crmId: 'C9' }], at(7));
  await take('C3');
  // What is due goes before it, however old it is.
  expect(await ledger.dueKeys(tenant, 4, at(9))).toEqual(['C0', 'C2', 'C9', 'C3']);
  await ledger.leaveLane(tenant, begun);
  expect(await ledger.dueKeys(tenant, 9, at(9))).toEqual(['C0', 'C2', 'C9', 'C3']);
});

it('keeps one that was woken without a mark since its work began, before its last step or after it', async () => {
  await take('C1', 'C2', 'C3');
  const begun = await next();
  await take('C1');
  for (const { key, laneGeneration } of begun)
    await ledger.settle(tenant, key, { at: at(2), observedGeneration: 1, laneGeneration });
  await take('C2');
  expect(await ledger.leaveLane(tenant, begun)).toEqual([]);
  expect(keysOf(await next())).toEqual(['C1', 'C2']);
});

it('keeps one that its own workflow has done: what woke it may have come since that looked', async () => {
  await take('C1');
  await ledger.settle(tenant, 'C1', { at: at(2), observedGeneration: 1 });
  expect(keysOf(await next())).toEqual(['C1']);
});

it('tells which are due still, although nothing was signalled of them', async () => {
  await take('C1', 'C2');
  const begun = await next();
  await ledger.settle(tenant, 'C2', { at: at(2), observedGeneration: 1, laneGeneration: 1 });
  expect(await ledger.leaveLane(tenant, begun)).toEqual(['C1']);
  expect(await next()).toEqual([]);
});

it('counts none of the lane among those that are on their way outside of it', async () => {
  expect(await ledger.countOnTheirWay(tenant)).toBe(8);
  await take('C1', 'C2');
  expect(await ledger.countOnTheirWay(tenant)).toBe(6);
  expect((await ledger.linkStatuses(tenant, ['C1', 'C3'])).get('C1')).toMatchObject({ inLane: true });
});
