import { describe, expect, it } from 'vitest';
import { at } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

const { ledger, open } = await withLedger();
const other = await open();
const GROUP = 'vendor-sales';

describe('quota', () => {
  it('allows while nothing is known', async () => {
    expect(await ledger.reserveRequest('t1', GROUP, at(0))).toEqual({ allowed: true });
  });

  it('lets exactly as many pass as are left, over two processes, and tells the rest until when to wait', async () => {
    await ledger.reportQuota('t2', GROUP, { limit: 100, remaining: 5, resetSeconds: 30, at: at(0) });
    const verdicts = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? ledger : other).reserveRequest('t2', GROUP, at(1))),
    );
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(5);
    expect(verdicts.filter(({ allowed }) => !allowed)).toEqual(Array(15).fill({ allowed: false, until: at(30) }));
    expect(await ledger.reserveRequest('t2', 'vendor-order', at(1))).toEqual({ allowed: true });
  });

  it('counts what another process has taken since this one looked', async () => {
    await ledger.reportQuota('in turn', GROUP, { limit: 9, remaining: 4, resetSeconds: 30, at: at(0) });
    for (const one of [ledger, other, ledger, other])
      expect(await one.reserveRequest('in turn', GROUP, at(1))).toEqual({ allowed: true });
    for (const one of [ledger, other])
      expect(await one.reserveRequest('in turn', GROUP, at(1))).toEqual({ allowed: false, until: at(30) });
  });

  it('lets exactly the limit pass when a window begins again under many callers', async () => {
    await ledger.reportQuota('t3', GROUP, { limit: 7, remaining: 0, resetSeconds: 10, at: at(0) });
    expect(await ledger.reserveRequest('t3', GROUP, at(9))).toEqual({ allowed: false, until: at(10) });
    const verdicts = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? ledger : other).reserveRequest('t3', GROUP, at(10))),
    );
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(7);
    expect(await ledger.reserveRequest('t3', GROUP, at(11))).toEqual({ allowed: false, until: at(20) });
  });

  it('blocks after a 429 until its reset', async () => {
    await ledger.reportQuota('t4', GROUP, { limit: null, remaining: 0, resetSeconds: 45, at: at(0) });
    expect(await ledger.reserveRequest('t4', GROUP, at(44.9))).toEqual({ allowed: false, until: at(45) });
    expect(await ledger.reserveRequest('t4', GROUP, at(45))).toEqual({ allowed: true });
  });

  it('blocks after a 429 to another process, where this one knows no number of what is left', async () => {
    await ledger.reportQuota('numberless', GROUP, { limit: null, remaining: 0, resetSeconds: 1, at: at(0) });
    expect(await ledger.reserveRequest('numberless', GROUP, at(2))).toEqual({ allowed: true });
    await other.reportQuota('numberless', GROUP, { limit: null, remaining: 0, resetSeconds: 45, at: at(2.3) });
    expect(await ledger.reserveRequest('numberless', GROUP, at(2.5))).toEqual({ allowed: false, until: at(47.3) });
  });

  it('lets pass what another process has learned is left again, where this one knows that nothing is', async () => {
    await ledger.reportQuota('left again', GROUP, { limit: 9, remaining: 0, resetSeconds: 60, at: at(0) });
    await ledger.endWaits('left again', at(1));
    expect(await ledger.reserveRequest('left again', GROUP, at(2))).toEqual({ allowed: true });
  });

  it('takes many first answers at once, the least of them', async () => {
    const answers = Array.from({ length: 12 }, (_, index) => ({
      limit: 20,
      remaining: 19 - index,
      resetSeconds: 60,
      at: at(0),
    }));
    await Promise.all(answers.map((seen, index) => (index % 2 ? ledger : other).reportQuota('t5', GROUP, seen)));
    const verdicts = [];
    for (let call = 0; call < 10; call += 1) verdicts.push(await ledger.reserveRequest('t5', GROUP, at(1)));
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(8);
  });
});

describe('pauses', () => {
  it('pauses once, tells why and since when, and resumes', async () => {
    const first = await Promise.all([
      ledger.pause('t1', GROUP, 'HTTP_401', at(0)),
      other.pause('t1', GROUP, 'HTTP_401', at(0)),
    ]);
    expect(first.sort()).toEqual([false, true]);
    expect(await ledger.pause('t1', GROUP, 'HTTP_403', at(9))).toBe(false);
    expect(await ledger.pause('t1', 'salesforce', 'invalid_grant', at(1))).toBe(true);
    expect(await ledger.pauses('t1')).toEqual([
      { group: 'salesforce', reason: 'invalid_grant', since: at(1) },
      { group: GROUP, reason: 'HTTP_401', since: at(0) },
    ]);
    await ledger.resume('t1', GROUP, at(10));
    expect((await ledger.pauses('t1')).map(({ group }) => group)).toEqual(['salesforce']);
    expect(await ledger.pause('t1', GROUP, 'again', at(11))).toBe(true);
  });
});
