import { afterEach, describe, expect, it } from 'vitest';
import type { CrmFields } from '../../src/domain/record/crm-graph.ts';
import { createCrm } from '../../src/salesforce/create-crm.ts';
import type { Crm } from '../../src/salesforce/crm.ts';
import {
  page,
  type SalesforceStub,
  type StubAnswer,
  type StubRequest,
  startSalesforceStub,
} from '../support/salesforce/salesforce-stub.ts';

const AUTH = { flow: 'client-credentials', clientId: 'client', clientSecret: 'secret' } as const;

let stub: SalesforceStub;
let crm: Crm;

async function open(
  handle: (request: StubRequest, callNumber: number) => StubAnswer | undefined,
  onTheirWay: () => Promise<number> = async () => 0,
): Promise<void> {
  stub = await startSalesforceStub(handle);
  // How updates go as graphs, another file tells.
  crm = createCrm({ loginUrl: stub.url, apiVersion: '67.0', auth: AUTH, onTheirWay, useGraphs: false });
}

afterEach(async () => {
  await crm.close();
  await stub.close();
});

const idOf = (n: number): string => `006${String(n).padStart(12, '0')}AAA`;
const opportunity = (id: string) => ({
  Id: id,
  Name: `Deal ${id}`,
  IsDeleted: false,
  SystemModstamp: '2026-01-31T10:00:00.000+0000',
  LastModifiedDate: '2026-01-31T10:00:00.000+0000',
  Vendor_Share__c: true,
  Vendor_Id__c: null,
});

describe('in a burst', () => {
  type Part = {
    referenceId: string;
    method: string;
    url: string;
    rows: readonly unknown[];
    body?: { records?: readonly unknown[] };
  };
  const partsOf = (request: StubRequest): readonly Part[] =>
    (JSON.parse(request.body) as { compositeRequest: Part[] }).compositeRequest;
  const idsIn = (text: string): readonly string[] => text.match(/006[0-9A-Za-z]{15}/g) ?? [];

  type PartAnswer = { readonly httpStatusCode: number; readonly body: unknown };

  /** Answers composites part by part, and queries. */
  function answering(refuse: (part: Part) => PartAnswer | undefined = () => undefined) {
    return (request: StubRequest, call: number): StubAnswer | undefined => {
      if (call === 0) return undefined;
      if (request.method === 'GET') return page(idsIn(request.address).map(opportunity));
      const compositeResponse = partsOf(request).map((part) => {
        const records = idsIn(decodeURIComponent(part.url)).map(opportunity);
        const page = { httpStatusCode: 200, body: { totalSize: records.length, done: true, records } };
        const fine = part.method === 'GET' ? page : { httpStatusCode: 204, body: null };
        const rows = part.body?.records ?? [];
        return { referenceId: part.referenceId, ...(refuse({ ...part, rows }) ?? fine) };
      });
      return { body: { compositeResponse } };
    };
  }

  const write = (n: number, sync: CrmFields | null = null) =>
    crm.applyWrite(
      {
        opportunityId: idOf(n),
        ifUnmodifiedSince: '2026-01-31T10:00:00.000Z',
        opportunity: { Name: 'x' },
        lines: { create: [], update: [], delete: [] },
        account: null,
      },
      { readAt: '2026-01-31T11:00:00.000Z', mayWait: true, sync },
    );
  const report = (n: number, opportunity: CrmFields = {}) =>
    crm.report(
      { opportunityId: idOf(n), opportunity, sync: { Sync_State__c: 'Pending', Message__c: 'x' } },
      { mayWait: true },
    );

  /** How many are on their way, and whether anybody has asked. */
  let burst = { count: 0, looks: 0 };
  const onTheirWay = async (): Promise<number> => {
    burst.looks += 1;
    return burst.count;
  };
  const openBurst = (handle: Parameters<typeof open>[0]): Promise<void> => {
    burst = { count: 200, looks: 0 };
    return open(handle, onTheirWay);
  };
  const looked = () => expect.poll(() => burst.looks).toBeGreaterThan(0);

  /** Readings and writes that first wait for more, and then for nobody. */
  async function travel(writes: number, reads: number) {
    const read = Promise.allSettled(
      Array.from({ length: reads }, (_, n) => crm.readGraph(idOf(100 + n), { mayWait: true })),
    );
    const written = Promise.allSettled(Array.from({ length: writes }, (_, n) => write(n)));
    await looked();
    burst.count = writes + reads;
    return { written: await written, read: await read };
  }

  const statuses = (settled: readonly PromiseSettledResult<unknown>[]) => [
    ...new Set(settled.map(({ status }) => status)),
  ];

  it('writes and readings go along with each other, the reading as the last part', async () => {
    await openBurst(answering());
    const { written, read } = await travel(10, 20);
    expect([statuses(written), statuses(read)]).toEqual([['fulfilled'], ['fulfilled']]);
    expect(read.map((one) => (one.status === 'fulfilled' ? one.value?.opportunity['Id'] : null))).toEqual(
      Array.from({ length: 20 }, (_, n) => idOf(100 + n)),
    );
    expect(stub.calls()).toHaveLength(1);
    const [request] = stub.calls() as [StubRequest];
    const parts = partsOf(request);
    expect(parts.map(({ method }) => method)).toEqual([...Array.from({ length: 10 }, () => 'PATCH'), 'GET']);
    expect(decodeURIComponent(parts.at(-1)?.url ?? '')).toContain('/services/data/v67.0/queryAll?q=SELECT');
  });

  it('a full request of writes makes room for readings that are worth it', async () => {
    await openBurst(answering());
    const read = Array.from({ length: 48 }, (_, n) => crm.readGraph(idOf(100 + n), { mayWait: true }));
    await looked();
    await new Promise(setImmediate);
    const written = Array.from({ length: 25 }, (_, n) => write(n));
    await Promise.all([...read, ...written.slice(0, 24)]);
    burst.count = 1;
    await Promise.all(written);
    expect(stub.calls().map((request) => partsOf(request).length)).toEqual([25, 1]);
  });

  it('writes fill all places of a request where nothing else is worth one', async () => {
    await openBurst(answering());
    await Promise.all(Array.from({ length: 25 }, (_, n) => write(n)));
    expect(stub.calls().map((request) => partsOf(request).length)).toEqual([25]);
  });

  const rowsOf = (part: Part | undefined) => part?.body?.records as readonly Record<string, unknown>[];

  it('reports share the place of what updates tell: one row a record, of which the update tells the newest', async () => {
    const fine = (rows: readonly unknown[]) => rows.map(() => ({ success: true, id: 'a00', errors: [] }));
    await openBurst(answering(({ rows }) => (rows.length > 0 ? { httpStatusCode: 200, body: fine(rows) } : undefined)));
    const result = [0, 100, 101].map((n) => report(n));
    const written = Array.from({ length: 24 }, (_, n) => write(n, { Sync_State__c: 'In sync' }));
    await Promise.all([...result, ...written]);
    const [parts = [], ...more] = stub.calls().map(partsOf);
    expect([parts.length, parts.at(-1)?.referenceId, more]).toEqual([25, 'sync', []]);
    const rows = rowsOf(parts.at(-1));
    expect(new Set(rows.map((row) => row['Opportunity_Key__c'])).size).toBe(26);
    expect(rows).toHaveLength(26);
    const stateOf = (n: number) => rows.find((row) => row['Opportunity_Key__c'] === idOf(n)) as Record<string, unknown>;
    expect(stateOf(0)).toMatchObject({ Sync_State__c: 'In sync', Message__c: 'x' });
    expect(stateOf(100)).toMatchObject({ Sync_State__c: 'Pending' });
  });

  it('reports with fields of the opportunity wait for a place of their own', async () => {
    const fine = (rows: readonly unknown[]) => rows.map(() => ({ success: true, id: 'a00', errors: [] }));
    await openBurst(answering(({ rows }) => (rows.length > 0 ? { httpStatusCode: 200, body: fine(rows) } : undefined)));
    const result = [report(100, { Vendor_Id__c: 'L-1' }), report(101)];
    await Promise.all(Array.from({ length: 24 }, (_, n) => write(n, { Sync_State__c: 'In sync' })));
    await result[1];
    const [parts = []] = stub.calls().map(partsOf);
    expect(rowsOf(parts.at(-1)).map((row) => row['Opportunity_Key__c'])).not.toContain(idOf(100));
    burst.count = 0;
    await write(30);
    await result[0];
    expect(partsOf(stub.calls()[1] as StubRequest).map(({ referenceId }) => referenceId)).toEqual([
      'opportunity0',
      'sync',
      'opportunity',
    ]);
  });

  it('reports go along too, each answered by its own row', async () => {
    await openBurst(
      answering(({ referenceId, rows }) =>
        referenceId === 'sync'
          ? {
              httpStatusCode: 200,
              body: rows.map((_, n) =>
                n === 2
                  ? {
                      success: false,
                      errors: [{ statusCode: 'UNABLE_TO_LOCK_ROW', message: 'x', fields: [] }],
                    }
                  : { success: true, id: 'a00', errors: [] },
              ),
            }
          : undefined,
      ),
    );
    const result = Promise.allSettled(
      Array.from({ length: 5 }, (_, n) =>
        crm.report(
          { opportunityId: idOf(200 + n), opportunity: {}, sync: { Sync_State__c: 'In sync' } },
          { mayWait: true },
        ),
      ),
    );
    const read = crm.readGraph(idOf(100), { mayWait: true });
    await looked();
    await new Promise(setImmediate);
    const written = Array.from({ length: 8 }, (_, n) => write(n));
    burst.count = 14;
    await Promise.all([...written, read]);
    expect((await result).map(({ status }) => status === 'rejected')).toEqual([false, false, true, false, false]);
    const [parts = [], ...more] = stub.calls().map(partsOf);
    expect(parts.map(({ method }) => method)).toEqual([...Array.from({ length: 9 }, () => 'PATCH'), 'GET']);
    expect([parts.at(-2)?.referenceId, more]).toEqual(['sync', []]);
  });

  it('one refused write fails alone', async () => {
    const moved = { httpStatusCode: 412, body: [{ errorCode: 'ENTITY_IS_DELETED', message: 'x' }] };
    await openBurst(answering(({ url }) => (url.endsWith(idOf(3)) ? moved : undefined)));
    const { written, read } = await travel(10, 10);
    expect(written.map(({ status }) => status === 'rejected')).toEqual(Array.from({ length: 10 }, (_, n) => n === 3));
    expect(statuses(read)).toEqual(['fulfilled']);
  });

  it('a refused reading holds no write up, and is asked again by itself', async () => {
    const refused = {
      httpStatusCode: 400,
      body: [{ errorCode: 'INVALID_QUERY_FILTER_OPERATOR', message: '' }],
    };
    await openBurst(answering(({ method }) => (method === 'GET' ? refused : undefined)));
    const { written, read } = await travel(10, 10);
    expect([statuses(written), statuses(read)]).toEqual([['fulfilled'], ['fulfilled']]);
    expect(stub.calls().map(({ method }) => method)).toEqual(['POST', 'GET']);
  });

  it('what fails as a whole fails for all, and is not repeated', async () => {
    await openBurst((_, call) => (call === 0 ? undefined : { status: 503, body: [] }));
    const { written, read } = await travel(10, 10);
    expect([statuses(written), statuses(read)]).toEqual([['rejected'], ['rejected']]);
    expect(stub.calls()).toHaveLength(1);
  });
});

describe('many reports', () => {
  type Part = { referenceId: string; body: { records: Record<string, string>[] } };
  const partsOf = (request: StubRequest) => (JSON.parse(request.body) as { compositeRequest: Part[] }).compositeRequest;
  const openForRows = (): Promise<void> =>
    open((request, call) => {
      if (call === 0) return undefined;
      const compositeResponse = partsOf(request).map(({ referenceId, body }) => ({
        referenceId,
        httpStatusCode: 200,
        body: body.records.map((row) =>
          row['Opportunity_Key__c'] === idOf(333)
            ? { success: false, errors: [{ statusCode: 'UNABLE_TO_LOCK_ROW', message: 'x', fields: [] }] }
            : { success: true, id: 'a00', errors: [] },
        ),
      }));
      return { body: { compositeResponse } };
    });

  it('of child records alone are 1,000 a request, in the five collections that it may hold', async () => {
    await openForRows();
    const result = Array.from({ length: 1_001 }, (_, n) =>
      crm.report({ opportunityId: idOf(1_000 + n), opportunity: {}, sync: { Sync_State__c: 'Pending' } }),
    );
    await Promise.all(result);
    const sizes = stub.calls().map((request) => partsOf(request).map(({ body }) => body.records.length));
    expect(sizes.toSorted((a, b) => b.length - a.length)).toEqual([[200, 200, 200, 200, 200], [1]]);
  });

  it('with fields of their opportunities are 400 a request, 200 rows a collection', async () => {
    await openForRows();
    const result = await Promise.allSettled(
      Array.from({ length: 450 }, (_, n) =>
        crm.report({
          opportunityId: idOf(n),
          opportunity: { Name: 'x' },
          sync: { Sync_State__c: 'Pending' },
        }),
      ),
    );
    const failed = result.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []));
    expect(failed).toEqual([333]);
    const sizes = stub.calls().map((request) => partsOf(request).map(({ body }) => body.records.length));
    expect(sizes.toSorted((a, b) => b.length - a.length)).toEqual([
      [200, 200, 200, 200],
      [50, 50],
    ]);
    for (const request of stub.calls()) {
      const names = partsOf(request).map(({ referenceId }) => referenceId);
      expect(new Set(names).size).toBe(names.length);
    }
  });
});
