/** What calls that are made for every page and every request cost: each statement is a round trip to PostgreSQL. */
import { expect, it } from 'vitest';
import { recordStatements } from '../support/ledger/explain.ts';
import { at } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

const { ledger } = await withLedger();
const GROUP = 'vendor-sales';

async function costOf(work: () => Promise<unknown>): Promise<number> {
  const statements = recordStatements();
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

it('a request takes two statements of a known quota, and its answer two', async () => {
  await ledger.reportQuota('gate', GROUP, { limit: 10, remaining: 5, resetSeconds: 60, at: at(0) });
  expect(await costOf(() => ledger.reserveRequest('gate', GROUP, at(1)))).toBe(2);
  const seen = { limit: 10, remaining: 3, resetSeconds: 58, at: at(2) };
  expect(await costOf(() => ledger.reportQuota('gate', GROUP, seen))).toBe(2);
  expect(await ledger.quotas('gate')).toMatchObject([{ remaining: 3 }]);
});
