/** What calls that are made for every page and every request cost: each statement is a round trip to PostgreSQL. */
import { describe, expect, it } from 'vitest';
import type { Link } from '../../src/domain/record/link.ts';
import { recordStatements } from '../support/ledger/explain.ts';
import { at, BASE, DECISION, leaving, savePlan, sees } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

const { ledger, open, url } = await withLedger();
const GROUP = 'vendor-sales';

async function costOf(work: () => Promise<unknown>): Promise<number> {
  const statements = recordStatements(url);
  const before = statements().length;
  await work();
  return statements().length - before;
}

it('a page that shows nothing is noted by one statement, with what is forgotten by then', async () => {
  const seen = (rows: { rowId: string; stamp: string }[], forgetBefore: string) => ({
    stream: 'sweep',
    position: { until: forgetBefore },
    seen: { rows, forgetBefore },
  });
  const [old, young] = [
    { rowId: 'old', stamp: at(1) },
    { rowId: 'young', stamp: at(3) },
  ];
  await ledger.markDue('pages', [], at(4), seen([old, young], at(0)));
  expect(await ledger.unseenRows('pages', 'sweep', [old, young])).toEqual([]);
  expect(await costOf(() => ledger.markDue('pages', [], at(5), seen([], at(2))))).toBe(1);
  expect(await ledger.unseenRows('pages', 'sweep', [old, young])).toEqual([old]);
  expect(await ledger.cursor('pages', 'sweep')).toEqual({ until: at(2) });
  const mirror = { stream: 'orders', object: 'Order__c' };
  expect(await costOf(() => ledger.markDetails('pages', mirror, [], seen([], at(4)), at(5)))).toBe(1);
  expect(await ledger.unseenRows('pages', 'sweep', [young])).toEqual([young]);
});

it('a row that shows itself again under a later stamp is known by that, though the earlier one is forgotten', async () => {
  const move = (stamp: string, forgetBefore: string) =>
    ledger.moveCursor(
      'again',
      { stream: 'sweep', position: {}, seen: { rows: [{ rowId: 'one', stamp }], forgetBefore } },
      at(9),
    );
  await move(at(1), at(0));
  await move(at(5), at(3));
  expect(await ledger.unseenRows('again', 'sweep', [{ rowId: 'one', stamp: at(5) }])).toEqual([]);
  await move(at(6), at(7));
  expect(await ledger.unseenRows('again', 'sweep', [{ rowId: 'one', stamp: at(6) }])).toHaveLength(1);
});

it('nothing is asked of the database about no rows', async () => {
  expect(await costOf(() => ledger.unseenRows('none', 'sweep', []))).toBe(0);
  expect(await costOf(() => ledger.waitingFor('none', []))).toBe(0);
});

describe('a request to the vendor', () => {
  const reserved = () => ledger.reserveRequest('gate', GROUP, at(1));
  const result = (remaining: number, resetSeconds = 58) =>
    ledger.reportQuota('gate', GROUP, { limit: 10, remaining, resetSeconds, at: at(2) });
  const left = async () => (await ledger.quotas('gate'))[0]?.remaining;

  it('takes one statement of a known quota, and none for an answer that tells what it left', async () => {
    await ledger.reportQuota('gate', GROUP, { limit: 10, remaining: 5, resetSeconds: 60, at: at(0) });
    expect(await costOf(reserved)).toBe(1);
    expect(await costOf(() => result(4))).toBe(0);
    expect(await left()).toBe(4);
  });

  it('takes one more where its answer tells that less is left', async () => {
    await reserved();
    expect(await costOf(() => result(1))).toBe(1);
    expect(await left()).toBe(1);
  });

  it('of which many are sent at once takes few statements, and one connection', async () => {
    await ledger.reportQuota('many', GROUP, { limit: 100, remaining: 90, resetSeconds: 60, at: at(0) });
    const many = () => Promise.all(Array.from({ length: 40 }, () => ledger.reserveRequest('many', GROUP, at(1))));
    expect(await costOf(many)).toBe(2);
    expect((await ledger.quotas('many'))[0]?.remaining).toBe(50);
  });

  it('that another process sends in between takes what that one has left', async () => {
    const other = await open(1);
    await result(9, 300);
    await reserved();
    expect(await left()).toBe(8);
    await other.reserveRequest('gate', GROUP, at(1));
    // What was known when it left is not so any longer: what is so by now is read.
    expect(await costOf(() => result(5, 298))).toBe(3);
    expect(await left()).toBe(5);
    expect(await costOf(() => result(5, 298))).toBe(1);
  });
});

it('what work asks before it begins is one statement: what is paused, and where its cursors stand', async () => {
  await ledger.pause('begin', 'salesforce', 'invalid_grant', at(1));
  await ledger.pause('begin', GROUP, 'HTTP_401', at(0));
  await ledger.saveCursor('begin', 'read', { until: at(1) }, at(1));
  await ledger.saveCursor('begin', 'stopped', null, at(1));
  const streams = ['never', 'read', 'stopped', 'salesforce'];
  expect(await costOf(() => ledger.pausesAndCursors('begin', streams))).toBe(1);
  expect(await ledger.pausesAndCursors('begin', streams)).toEqual({
    pauses: await ledger.pauses('begin'),
    positions: [null, { until: at(1) }, null, null],
  });
});

it('what is signalled for the first time is written once, and what was handed on is noted by one statement', async () => {
  const BEGIN_AND_COMMIT = 2;
  const result = [{ crmId: 'C8' }, { vendorId: 'V8' }];
  expect(await costOf(() => ledger.markDue('told', result, at(1)))).toBe(1 + BEGIN_AND_COMMIT);
  expect(await ledger.findLink('told', 'C8')).toMatchObject({
    generation: 1,
    vendorDue: false,
    waitingSince: at(1),
  });
  expect(await ledger.findLink('told', 'vendor:V8')).toMatchObject({ generation: 1, vendorDue: true });
  expect(await costOf(() => ledger.markDue('told', [...result, { crmId: 'C9' }], at(2)))).toBe(2 + BEGIN_AND_COMMIT);
  expect(await ledger.findLink('told', 'C8')).toMatchObject({ generation: 2, waitingSince: at(1) });
  expect(await costOf(() => ledger.markWoken('told', ['C8', 'C9'], at(3)))).toBe(1);
  expect(await costOf(() => ledger.markSignalled('told', ['D1'], at(3)))).toBe(1);
});

it('a link is found by one statement, by its key or by one that it took over', async () => {
  const ids = { crmId: 'C1', vendorId: 'V1' };
  const keys = await ledger.markDue('links', [{ crmId: 'C1' }, { vendorId: 'V1' }], at(1));
  const { link } = await ledger.resolveLink('links', ids, at(2));
  expect(new Set(keys).size).toBe(2);
  for (const key of keys) {
    expect(await ledger.findLink('links', key)).toMatchObject({ key: link.key, ...ids });
    expect(await costOf(() => ledger.findLink('links', key))).toBe(1);
  }
  expect(await ledger.findLink('links', 'C2')).toBeNull();
});

it('a change is planned by one statement, leaves by one, and is settled by one once its link is read', async () => {
  const [key] = (await ledger.markDue('change', [{ crmId: 'C1' }], at(0))) as [string];
  // Has the tenant's data key made.
  await savePlan(ledger, 'change', key);
  const ids: string[] = [];
  expect(await costOf(async () => void ids.push(await savePlan(ledger, 'change', key)))).toBe(1);
  const [planId] = ids as [string];
  expect(await costOf(() => ledger.markSent('change', planId, leaving(1, 'update')))).toBe(1);
  const line = { at: at(2), kind: 'remote-write', summary: { answer: 'updated' }, decisions: [] } as const;
  const answer = {
    at: at(2),
    planId,
    outcome: 'updated',
    base: BASE,
    observedGeneration: 1,
    journal: [line],
  };
  expect(await costOf(() => ledger.settle('change', key, answer))).toBe(2);
  expect(await ledger.findLink('change', key)).toMatchObject({
    base: BASE,
    generation: 1,
    observedGeneration: 1,
  });
});

it('what is on its way, and what users were notified of, is noted by one statement once its link is read', async () => {
  const [key] = (await ledger.markDue('notes', [{ crmId: 'C1' }], at(0))) as [string];
  // Has the tenant's data key made.
  await ledger.settle('notes', key, { at: at(1), base: BASE });
  const line = { at: at(2), kind: 'state', summary: { answer: 'reported' }, decisions: [DECISION] } as const;
  for (const change of [{ base: null }, { reported: sees('told'), isReported: true, journal: [line] }] as const) {
    const expected = (await ledger.findLink('notes', key)) as Link;
    const note = { at: at(2), ...change, expected, reportedBefore: null };
    expect(await costOf(() => ledger.settle('notes', key, note))).toBe(2);
  }
  expect(await ledger.findLink('notes', key)).toMatchObject({
    base: null,
    reported: sees('told'),
    updatedAt: at(2),
  });
  expect(await ledger.journal('notes', key, 10)).toEqual([line]);
});

it('a page of a catalog that shows nothing, and a refresh from which nothing left, are one statement', async () => {
  const move = { stream: 'refresh', position: { page: 1 } };
  expect(await costOf(() => ledger.keepShown('catalog', 'r1', [], move, at(1)))).toBe(1);
  expect(await costOf(() => ledger.commitShown('catalog', 'r1', ['product'], move, at(1)))).toBe(1);
  const leaving = { object: 'product', fieldsOf: () => ({}), kept: [], limit: 50, at: at(9) };
  expect(await costOf(() => ledger.leaveUnseen('catalog', 'r1', leaving))).toBe(1);
  expect(await ledger.cursor('catalog', 'refresh')).toEqual({ page: 1 });
});
