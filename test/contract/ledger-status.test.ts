import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { openLedger } from '../../src/ledger/open.ts';
import type { SealFailure } from '../../src/platform/seal-failures.ts';
import { recordStatements } from '../support/ledger/explain.ts';
import { at, ISSUE, savePlan } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

/**
 * The status of several tenants in one query, compared with the ledger's answers for each alone, with a further tenant that is not named.
 */
const { ledger, open, query, sealing, url } = await withLedger();
const NAMED = ['acme', 'globex', 'empty'];

beforeAll(async () => {
  // As any installation that is not in the middle of an upgrade.
  await ledger.useDataKeys();
  for (const [n, tenant] of ['acme', 'globex', 'other'].entries()) {
    const ids = Array.from({ length: 4 + n }, (_, i) => ({ crmId: `C${i}` }));
    await ledger.markDue(tenant, ids, at(n));
    for (const key of ['C0', 'C1']) {
      const planId = await savePlan(ledger, tenant, key);
      const parked = { at: at(2 + n), issues: [ISSUE], state: 'parked', observedGeneration: 1 } as const;
      await ledger.settle(tenant, key, { ...parked, planId, outcome: 'applied' });
    }
    // One of them is in sync, and one of those that were is due again.
    await ledger.settle(tenant, 'C2', { at: at(3), state: 'in-sync', observedGeneration: 1 });
    await ledger.settle(tenant, 'C3', { at: at(3), state: 'in-sync', observedGeneration: 1 });
    await ledger.markDue(tenant, [{ crmId: 'C3' }], at(4));
    await ledger.reportQuota(tenant, 'vendor-sales', {
      ...{ limit: 60, remaining: 10 + n, resetSeconds: 60, at: at(0) },
    });
    await ledger.pause(tenant, 'vendor-order', `because of ${n}`, at(1));
    await ledger.moveCursor(tenant, { stream: 'pullOrders', position: {} }, at(n));
    await ledger.parkRows(tenant, 'pullOrders', ['no id'], at(n));
    const refused = [{ id: 'O1', row: { Name: 'One' }, reason: `REASON_${n}` }];
    await ledger.settleRows(tenant, 'pullOrders', { taken: [], refused }, at(1));
    const detail = { rowId: 'D1', stamp: at(0) };
    const orders = { stream: 'pullOrders', object: 'Vendor_Order__c' };
    await ledger.markDetails(tenant, orders, [detail], { stream: 'pullOrders', position: {} }, at(n));
    await query(
      `insert into row_news (tenant, object, row_id, news, noted_at, notice, tries, refusal, retry_at)
       values ($1, 'Vendor_Order__c', 'O1', '', $2, 'N', 1, $3, $2)`,
      [tenant, at(5), `REFUSED_${n}`],
    );
  }
});

it('is what is reported of each, and of no other', async () => {
  const states = ['conflict', 'parked'] as const;
  const both = [
    ['countByState', await ledger.countByStateOf(NAMED), (tenant: string) => ledger.countByState(tenant)],
    ['countByIssue', await ledger.countByIssueOf(NAMED), (tenant: string) => ledger.countByIssue(tenant)],
    ['countWaiting', await ledger.countWaitingOf(NAMED, at(9)), (tenant: string) => ledger.countWaiting(tenant, at(9))],
    ['countMirrored', await ledger.countMirroredOf(NAMED), (tenant: string) => ledger.countMirrored(tenant)],
    ['pauses', await ledger.pausesOf(NAMED), (tenant: string) => ledger.pauses(tenant)],
    ['quotas', await ledger.quotasOf(NAMED), (tenant: string) => ledger.quotas(tenant)],
    ['refusedNotices', await ledger.refusedNoticesOf(NAMED), (tenant: string) => ledger.refusedNotices(tenant)],
    ['streamReads', await ledger.streamReadsOf(NAMED), (tenant: string) => ledger.streamReads(tenant)],
    [
      'listLinks',
      await ledger.listLinksOf(NAMED, { states, limit: 5 }),
      (tenant: string) => ledger.listLinks(tenant, { state: 'parked', limit: 5 }),
    ],
  ] as const;
  for (const [name, all, ofOne] of both) {
    expect([...all.keys()].filter((tenant) => !NAMED.includes(tenant))).toEqual([]);
    for (const tenant of ['acme', 'globex']) {
      const told = await ofOne(tenant);
      expect([name, all.get(tenant)]).toEqual([name, told]);
      expect(JSON.stringify(told)).not.toMatch(/^(\[\]|\{\})$/);
    }
  }
});

it('counts what is due in the state that it is shown in', async () => {
  const counts = await ledger.countByStateOf(NAMED);
  expect(counts.get('acme')).toEqual({ parked: 2, 'in-sync': 1, pending: 1 });
  expect(counts.get('globex')).toEqual({ parked: 2, 'in-sync': 1, pending: 1, new: 1 });
  expect(counts.get('empty')).toBeUndefined();
});

it('names the record that waits longest', async () => {
  const waiting = await ledger.countWaitingOf(NAMED, at(9));
  expect([...waiting.values()].flat()).toMatchObject([
    { records: 2, since: at(1), longest: 'C4' },
    { records: 1, since: at(4), longest: 'C3' },
  ]);
});

it('lists so many of each state, the newest change first', async () => {
  await ledger.markDue('acme', [{ crmId: 'C0' }], at(20));
  const listed = await ledger.listLinksOf(['globex', 'acme'], { states: ['parked'], limit: 1 });
  expect([...listed].map(([tenant, rows]) => [tenant, rows.length])).toEqual([
    ['acme', 1],
    ['globex', 1],
  ]);
});

it('opens what is sealed of many by one question for their keys', async () => {
  const other = await open(1);
  const sent = recordStatements(url);
  const listed = await other.listLinksOf(NAMED, { states: ['parked'], limit: 5 });
  expect([...listed.values()].map((rows) => rows.map(({ issues }) => issues.length))).toEqual([
    [1, 1],
    [1, 1],
  ]);
  expect(sent().filter(({ text }) => /data_keys/.test(text))).toHaveLength(1);
});

it('tells of one whose values do not open what is in clear, and of the others all', async () => {
  const failures: SealFailure[] = [];
  const onSealFailure = (failure: SealFailure): void => void failures.push(failure);
  const other = await openLedger({ url, sealing, poolSize: 1, onSealFailure });
  onTestFinished(() => other.close());
  await query(`update data_keys set sealed = 'no key' where tenant = 'globex'`);
  const listed = await other.listLinksOf(NAMED, { states: ['parked'], limit: 5 });
  const messages = (tenant: string) =>
    listed.get(tenant)?.flatMap(({ issues }) => issues.map(({ code, message }) => [code, message]));
  expect(messages('acme')).toEqual(Array(2).fill([ISSUE.code, ISSUE.message]));
  expect(messages('globex')).toEqual(
    Array(2).fill([ISSUE.code, 'What is kept of it does not open with the sealing keys of this process.']),
  );
  expect(failures.map(({ tenant }) => tenant)).toContain('globex');
});
