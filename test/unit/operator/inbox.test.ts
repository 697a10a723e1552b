import { describe, expect, it } from 'vitest';
import { type Issue, isOpen } from '../../../src/domain/record/issue.ts';
import { ISSUES } from '../../../src/domain/record/issues.ts';
import type { LinkRow } from '../../../src/ledger/links/link-ledger.ts';
import { type RetryPorts, retryRecords } from '../../../src/operator/records/retry-records.ts';
import { type InboxLedger, readInbox } from '../../../src/operator/status/inbox.ts';

const AT = '2026-03-01T12:00:00.000Z';

function row(key: string, ...issues: readonly Issue[]): LinkRow {
  const state = issues.some(isOpen) ? 'parked' : 'in-sync';
  return { tenant: 'acme', key, crmId: key, vendorId: null, state, due: false, issues, updatedAt: AT };
}

const ROWS = [
  row('006A', ISSUES.conflict('name'), ISSUES.lineNotShared()),
  row('006B', ISSUES.conflict('name'), ISSUES.currenciesDiffer()),
  row('006C', ISSUES.lineNotShared()),
];

/** Counts and lists as the ledger does. */
const LEDGER: InboxLedger = {
  countByIssue: async () => [
    { code: 'conflict', records: 2 },
    { code: 'line-not-shared', records: 2 },
    { code: 'currency-differs', records: 1 },
  ],
  listLinks: async (_, { code, limit }) =>
    ROWS.filter(({ issues }) => issues.some((issue) => issue.code === code)).slice(0, limit),
  refusedNotices: async () => [{ reason: 'INSUFFICIENT_ACCESS_OR_READONLY', notices: 3, since: AT, retryAt: AT }],
};

describe('the inbox', () => {
  it('tells each cause with its count, its words and its repair, and each record once', async () => {
    const { causes, records } = await readInbox(LEDGER, 'acme', { codes: null, limit: 10 });
    expect(causes.map(({ code, records: count }) => [code, count])).toEqual([
      ['conflict', 2],
      ['currency-differs', 1],
    ]);
    expect(causes[1]).toMatchObject({
      meaning: expect.stringContaining('currencies'),
      repair: expect.any(String),
    });
    expect(records.map(({ key, issues }) => [key, issues.map(({ code }) => code)])).toEqual([
      ['006A', ['conflict']],
      ['006B', ['conflict', 'currency-differs']],
    ]);
  });

  it('tells one cause, and no more records than were asked for', async () => {
    const { causes, records } = await readInbox(LEDGER, 'acme', { codes: ['conflict'], limit: 1 });
    expect(causes.map(({ code, records: count }) => [code, count])).toEqual([['conflict', 2]]);
    expect(records.map(({ key }) => key)).toEqual(['006A']);
  });

  it('tells of owners who cannot be notified of orders, beside records', async () => {
    const { ownerNotices } = await readInbox(LEDGER, 'acme', { codes: null, limit: 1 });
    expect(ownerNotices).toMatchObject([
      { notices: 3, repair: expect.stringContaining('permission set Lockstep_Tell_Owners') },
    ]);
    expect(await readInbox(LEDGER, 'acme', { codes: ['conflict'], limit: 1 })).toMatchObject({
      ownerNotices: [],
    });
  });
});

function retryPorts() {
  const looked: unknown[] = [];
  let opened = 0;
  const ports: RetryPorts = {
    ledger: LEDGER,
    intake: async () => {
      opened += 1;
      return {
        requestSync: async (_, ids) => {
          looked.push(ids);
          return { workflowId: `w${looked.length}` };
        },
      };
    },
  };
  return { ports, looked, opened: () => opened };
}

describe('a retry of a cause', () => {
  it('tells what would be sent again, and wakes nothing', async () => {
    const { ports, looked, opened } = retryPorts();
    const order = { code: 'conflict', limit: 10, isOrdered: false } as const;
    const result = await retryRecords(ports, 'acme', order, AT);
    expect(result).toMatchObject({
      waiting: 2,
      records: [{ key: '006A', workflowId: null }, { key: '006B' }],
    });
    expect([looked, opened()]).toEqual([[], 0]);
  });

  it('wakes as many as it may, over one way in', async () => {
    const { ports, looked, opened } = retryPorts();
    const order = { code: 'conflict', limit: 2, isOrdered: true } as const;
    const result = await retryRecords(ports, 'acme', order, AT);
    expect(result.records.map(({ workflowId }) => workflowId)).toEqual(['w1', 'w2']);
    expect(looked).toEqual([{ crmId: '006A' }, { crmId: '006B' }]);
    expect(opened()).toBe(1);
    const one = retryPorts();
    expect(await retryRecords(one.ports, 'acme', { ...order, limit: 1 }, AT)).toMatchObject({
      waiting: 2,
      records: [{ key: '006A' }],
    });
    expect(one.looked).toHaveLength(1);
  });
});
