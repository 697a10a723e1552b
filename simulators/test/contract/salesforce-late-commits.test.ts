import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SalesforceSimulator, startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { admin, type Rest, restClient } from '../support/salesforce-simulator.ts';

/** Transactions that are stamped when they save, and seen only when they commit. */

const NOW = '2027-03-04T10:20:30.400Z';
const SAVED = '2027-03-04T10:20:30.000+0000';
const LATE_MS = 600_000;

let simulator: SalesforceSimulator;
let rest: Rest;
let dealId: string;

type Transaction = { readonly ids: readonly string[] };

const call = async <T>(method: string, path: string, body?: object): Promise<T> =>
  (await admin(simulator, method, path, body)).body as T;

const begin = (writes: readonly object[]): Promise<Transaction> =>
  call('POST', 'transactions', { writes, commitAfterMs: LATE_MS });

const query = async (soql: string): Promise<readonly Record<string, unknown>[]> =>
  ((await rest('GET', `/query?q=${encodeURIComponent(soql)}`)).body as { records: [] }).records;

const updated = async (from: string, to: string) =>
  (await rest('GET', `/sobjects/Opportunity/updated?start=${encodeURIComponent(from)}&end=${encodeURIComponent(to)}`))
    .body as { ids: readonly string[]; latestDateCovered: string };

beforeEach(async () => {
  const readMs = () => Date.parse(NOW);
  simulator = await startSalesforceSimulator({ seed: 'empty', readMs });
  rest = restClient(simulator);
  const fields = { Name: 'Deal', StageName: 'Prospecting', CloseDate: '2027-12-31', Vendor_Share__c: true };
  dealId = (await call<{ id: string }>('POST', 'records', { type: 'Opportunity', fields })).id;
});

afterEach(() => simulator.close());

describe('a write of a transaction that is still open', () => {
  it('is seen by nobody, then everywhere at once with the stamp of its save', async () => {
    const made = { type: 'Account', fields: { Name: 'Late' } };
    const { ids } = await begin([{ update: dealId, set: { Name: 'Renamed' } }, { create: made }]);
    expect(await query('SELECT Id FROM Account')).toEqual([]);
    expect(await query(`SELECT Name FROM Opportunity WHERE Id = '${dealId}'`)).toMatchObject([{ Name: 'Deal' }]);

    await call('PUT', 'clock', { advanceMs: LATE_MS - 1 });
    expect(await query('SELECT Id FROM Account')).toEqual([]);
    await call('PUT', 'clock', { advanceMs: 1 });

    const renamed = { Id: dealId, Name: 'Renamed', SystemModstamp: SAVED };
    const soql = 'SELECT Id, Name, SystemModstamp FROM';
    expect(await query(`${soql} Opportunity`)).toMatchObject([renamed]);
    expect(await query(`${soql} Account`)).toMatchObject([{ Id: ids[1], Name: 'Late', SystemModstamp: SAVED }]);
  });

  it('is found in the period of its stamp, not in that of its commit', async () => {
    await call('PUT', 'clock', { advanceMs: 120_000 });
    await begin([{ update: dealId, set: { Name: 'Renamed' } }]);
    const ofStamp = ['2027-03-04T10:22:00Z', '2027-03-04T10:23:00Z'] as const;
    expect((await updated(...ofStamp)).ids).toEqual([]);
    await call('PUT', 'clock', { advanceMs: LATE_MS });
    expect((await updated(...ofStamp)).ids).toEqual([dealId]);
    expect((await updated('2027-03-04T10:30:00Z', '2027-03-04T10:40:00Z')).ids).toEqual([]);
  });

  it('holds back what the replication lists cover, and only while it is open', async () => {
    await begin([{ update: dealId, set: { Name: 'Renamed' } }]);
    await call('PUT', 'clock', { advanceMs: 300_000 });
    const period = ['2027-03-04T10:10:00Z', '2027-03-04T10:25:00Z'] as const;
    expect((await updated(...period)).latestDateCovered).toBe('2027-03-04T10:20:00.000+0000');
    await call('PUT', 'clock', { advanceMs: 300_000 });
    expect((await updated(...period)).latestDateCovered).toBe('2027-03-04T10:25:00.000+0000');
  });

  it('sends its outbound message when it commits', async () => {
    const pending = async () => (await call<{ pending: [] }>('GET', 'outbound')).pending.length;
    const before = await pending();
    await begin([{ update: dealId, set: { Name: 'Renamed' } }]);
    expect(await pending()).toBe(before);
    await call('POST', 'transactions/commit');
    expect(await pending()).toBe(before + 1);
  });

  it('is refused at once where a save would be', async () => {
    const { status, body } = await admin(simulator, 'POST', 'transactions', {
      writes: [{ update: dealId, set: { CloseDate: null } }],
      commitAfterMs: LATE_MS,
    });
    expect([status, body]).toMatchObject([
      400,
      { error: { message: expect.stringContaining('REQUIRED_FIELD_MISSING') } },
    ]);
    expect(await call('GET', 'transactions')).toEqual({ transactions: [] });
  });

  it('belongs to a snapshot', async () => {
    await begin([{ update: dealId, set: { Name: 'Renamed' } }]);
    await call('POST', 'snapshots', { name: 'open' });
    await call('POST', 'transactions/commit');
    await call('POST', 'snapshots/open/restore');
    expect(await query('SELECT Name FROM Opportunity')).toMatchObject([{ Name: 'Deal' }]);
    await call('PUT', 'clock', { advanceMs: LATE_MS });
    expect(await query('SELECT Name FROM Opportunity')).toMatchObject([{ Name: 'Renamed' }]);
  });
});

it('a period that ends in the future is covered up to now', async () => {
  const { latestDateCovered } = await updated('2027-03-04T10:10:00Z', '2027-03-04T11:00:00Z');
  expect(latestDateCovered).toBe('2027-03-04T10:20:00.000+0000');
});
