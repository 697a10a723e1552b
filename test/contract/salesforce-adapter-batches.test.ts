import { afterEach, describe, expect, it, vi } from 'vitest';
import { createCrm } from '../../src/salesforce/create-crm.ts';
import type { Crm } from '../../src/salesforce/crm.ts';
import { GRAPH_FIELDS } from '../../src/salesforce/graph-fields.ts';
import {
  page,
  refusal,
  type SalesforceStub,
  type StubAnswer,
  type StubRequest,
  startSalesforceStub,
} from '../support/salesforce/salesforce-stub.ts';

/** What the org has: everything that the adapter may ask for. */
const FIELDS: Readonly<Record<string, readonly string[]>> = GRAPH_FIELDS;

const AUTH = { flow: 'client-credentials', clientId: 'client', clientSecret: 'secret' } as const;

let stub: SalesforceStub;
let crm: Crm;

async function open(handle: (request: StubRequest, callNumber: number) => StubAnswer | undefined): Promise<void> {
  stub = await startSalesforceStub(handle);
  crm = createCrm({ loginUrl: stub.url, apiVersion: '67.0', auth: AUTH });
}

afterEach(async () => {
  vi.useRealTimers();
  await crm.close();
  await stub.close();
});

const idOf = (n: number): string => `006${String(n).padStart(12, '0')}AAA`;
const asked = (request: StubRequest): readonly string[] =>
  [...request.address.matchAll(/'(006[0-9A-Za-z]{15})'/g)].map((match) => match[1] ?? '');
const opportunity = (id: string) => ({
  Id: id,
  Name: `Deal ${id}`,
  IsDeleted: false,
  SystemModstamp: '2026-01-31T10:00:00.000+0000',
  LastModifiedDate: '2026-01-31T10:00:00.000+0000',
  Vendor_Share__c: true,
  Vendor_Id__c: null,
});
const rowsOf = (request: StubRequest): readonly object[] => asked(request).map(opportunity);
const answerAll = (request: StubRequest): StubAnswer => page(rowsOf(request));

describe('reading graphs together', () => {
  it('puts what is asked at the same time into one query of deleted and living rows', async () => {
    await open((request, call) => (call > 0 ? answerAll(request) : undefined));
    const ids = Array.from({ length: 40 }, (_, n) => idOf(n));
    const graphs = await Promise.all(ids.map((id) => crm.readGraph(id)));
    expect(graphs.map((graph) => graph?.opportunity['Id'])).toEqual(ids);
    expect(stub.calls()).toHaveLength(1);
    expect(stub.calls()[0]?.address).toContain('/queryAll?q=');
  });

  it('knows the time of a reading from the CRM alone', async () => {
    let date = true;
    await open((request, call) =>
      call > 0 ? { date, body: { totalSize: 1, done: true, records: rowsOf(request) } } : undefined,
    );
    const answer = await crm.readGraph(idOf(1));
    date = false;
    const untold = await crm.readGraph(idOf(2));
    expect(answer?.readAt.slice(0, 4)).toBe(String(new Date().getUTCFullYear()));
    expect(untold?.readAt).toBe('2026-01-31T10:00:00.000Z');
    expect(answer?.readAt).not.toBe(untold?.readAt);
  });

  it('asks for at most 144 at once', async () => {
    await open((request, call) => (call > 0 ? answerAll(request) : undefined));
    await Promise.all(Array.from({ length: 194 }, (_, n) => crm.readGraph(idOf(n))));
    expect(new Set(stub.calls().map((request) => asked(request).length))).toEqual(new Set([144, 50]));
    expect(stub.calls()).toHaveLength(2);
  });

  it('asks for them in an address that Salesforce takes', async () => {
    await open((request, call) => (call > 0 ? answerAll(request) : undefined));
    await Promise.all(Array.from({ length: 144 }, (_, n) => crm.readGraph(idOf(n))));
    expect(encodeURI(stub.calls()[0]?.address ?? '').length).toBeLessThan(12_000);
  });

  it('waits for nobody where a deal a second changes', async () => {
    await open((request, call) => (call > 0 ? answerAll(request) : undefined));
    await crm.readGraph(idOf(0));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    for (let n = 1; n <= 12; n += 1) {
      const graph = crm.readGraph(idOf(n));
      await vi.advanceTimersByTimeAsync(10);
      expect((await graph)?.opportunity['Id']).toBe(idOf(n));
      await vi.advanceTimersByTimeAsync(990);
    }
    expect(stub.calls()).toHaveLength(13);
  });

  it('answers null for what does not exist, and asks nothing for what is no id', async () => {
    await open((_, call) => (call > 0 ? page([opportunity(idOf(1))]) : undefined));
    const [found, missing] = await Promise.all([crm.readGraph(idOf(1)), crm.readGraph(idOf(2))]);
    expect([found?.opportunity['Id'], missing]).toEqual([idOf(1), null]);
    expect(await crm.readGraph("x' OR Id != '")).toBeNull();
    expect(stub.calls()).toHaveLength(1);
  });

  it("lets one caller's abort hurt nobody else", async () => {
    const abort = new AbortController();
    await open((request, call) => {
      if (call > 0) abort.abort();
      return call > 0 ? answerAll(request) : undefined;
    });
    const [leaver, stayer] = await Promise.allSettled([
      crm.readGraph(idOf(1), { signal: abort.signal }),
      crm.readGraph(idOf(2)),
    ]);
    expect(leaver).toMatchObject({ status: 'rejected', reason: { code: 'ABORTED' } });
    expect(stayer).toMatchObject({ status: 'fulfilled', value: { opportunity: { Id: idOf(2) } } });
  });

  it('refuses what still waits when the adapter is closed', async () => {
    await open(() => undefined);
    const waiting = crm.readGraph(idOf(1));
    await crm.close();
    await expect(waiting).rejects.toMatchObject({ kind: 'transient', code: 'CLOSED' });
    expect(stub.requests).toHaveLength(0);
  });

  it('isolates an id that the org cannot read', async () => {
    await open((request, call) => {
      if (call === 0) return undefined;
      const poisoned = asked(request).includes(idOf(13));
      return poisoned ? refusal(400, 'INVALID_QUERY_FILTER_OPERATOR') : answerAll(request);
    });
    const graphs = await Promise.all([12, 13, 14].map((n) => crm.readGraph(idOf(n))));
    expect(graphs.map((graph) => graph?.opportunity['Id'] ?? null)).toEqual([idOf(12), null, idOf(14)]);
  });

  it('follows the pages of a long list of lines', async () => {
    const line = (n: number) => ({ Id: `00k${n}`, IsDeleted: false, SortOrder: n, Product2: null });
    const more = '/services/data/v67.0/query/0r8x-200';
    await open((request, call) => {
      if (call === 0) return undefined;
      if (request.address === more) return page([line(3)]);
      const OpportunityLineItems = {
        totalSize: 3,
        done: false,
        nextRecordsUrl: more,
        records: [line(1), line(2)],
      };
      return page([{ ...opportunity(idOf(1)), OpportunityLineItems }]);
    });
    const graph = await crm.readGraph(idOf(1));
    expect(graph?.lines.map((row) => row['Id'])).toEqual(['00k1', '00k2', '00k3']);
  });
});

describe('fields that the user may not see', () => {
  const describing = (hidden: string) => (request: StubRequest, call: number) => {
    if (call === 0) return undefined;
    if (request.address.includes('/describe')) {
      const object = /sobjects\/(\w+)\/describe/.exec(request.address)?.[1] ?? '';
      const fields = FIELDS[object]?.filter((name) => name !== hidden) ?? [];
      return { body: { fields: fields.map((name) => ({ name })) } };
    }
    if (new RegExp(`\\b${hidden}\\b`).test(request.address)) {
      return refusal(400, 'INVALID_FIELD', `No such column '${hidden}' on entity 'Opportunity'.`);
    }
    return answerAll(request);
  };

  it('are unknown instead of empty, and asked for again only later', async () => {
    await open(describing('Vendor_GTM_Tactic__c'));
    const graph = await crm.readGraph(idOf(1));
    expect(graph?.opportunity).not.toHaveProperty('Vendor_GTM_Tactic__c');
    expect(graph?.opportunity).toHaveProperty('Vendor_Campaign_Code__c', null);
    const before = stub.calls().length;
    await crm.readGraph(idOf(2));
    expect(stub.calls().length - before).toBe(1);
  });

  it('stop the reading when nothing can be decided without them', async () => {
    await open(describing('Vendor_Share__c'));
    await expect(crm.readGraph(idOf(1))).rejects.toMatchObject({
      kind: 'schema-mismatch',
      fields: ['Opportunity.Vendor_Share__c'],
    });
  });
});

describe('reporting together', () => {
  const report = (n: number, opportunity = {}) => ({
    opportunityId: idOf(n),
    opportunity,
    sync: { Sync_State__c: 'In sync' },
  });
  const composite = (request: StubRequest, failing: string) => {
    const { compositeRequest } = JSON.parse(request.body) as {
      compositeRequest: { referenceId: string; url: string; body: { records: Record<string, string>[] } }[];
    };
    return {
      compositeResponse: compositeRequest.map(({ referenceId, body }) => ({
        referenceId,
        httpStatusCode: 200,
        body: body.records.map((row) =>
          (row['Opportunity_Key__c'] ?? row['id']) === failing
            ? { success: false, errors: [{ statusCode: 'UNABLE_TO_LOCK_ROW', message: 'x', fields: [] }] }
            : { success: true, id: 'a00', errors: [] },
        ),
      })),
    };
  };

  it('is one request, and each report is answered by its own row', async () => {
    await open((request, call) => (call > 0 ? { body: composite(request, idOf(2)) } : undefined));
    const outcomes = await Promise.allSettled([
      crm.report(report(1, { Vendor_Id__c: 'V-1' })),
      crm.report(report(2)),
      crm.report(report(3)),
    ]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: { kind: 'transient', code: 'UNABLE_TO_LOCK_ROW' } });
    expect(stub.calls()).toHaveLength(1);
    const sent = JSON.parse(stub.calls()[0]?.body ?? '');
    expect(sent.compositeRequest.map((part: { url: string }) => part.url)).toEqual([
      '/services/data/v67.0/composite/sobjects/Lockstep_Sync__c/Opportunity_Key__c',
      '/services/data/v67.0/composite/sobjects',
    ]);
    expect(sent.compositeRequest[1].body.records).toEqual([
      { attributes: { type: 'Opportunity' }, Vendor_Id__c: 'V-1', id: idOf(1) },
    ]);
  });
});

describe('changes of accounts on which very many opportunities hang', () => {
  const account = (n: number): string => `001${String(n).padStart(12, '0')}AAA`;
  const STAMP = '2026-01-31T10:00:00.000+0000';
  /** Opportunities of each account, and rows of an answer. */
  const EACH = 150;
  const ANSWER = 2_000;

  /** An org that answers long results by pages, and counts what it was asked. */
  async function openWith(accounts: readonly string[], each: (id: string) => number): Promise<void> {
    const results: (readonly object[])[] = [];
    const pageOf = (result: number, from: number): StubAnswer => {
      const rows = results[result] ?? [];
      const done = from + ANSWER >= rows.length;
      const nextRecordsUrl = `/services/data/v67.0/query/${result}-${from + ANSWER}`;
      const records = rows.slice(from, from + ANSWER);
      return { body: { totalSize: rows.length, done, records, ...(done ? {} : { nextRecordsUrl }) } };
    };
    await open((request, call) => {
      if (call === 0) return undefined;
      const next = /query\/(\d+)-(\d+)$/.exec(request.address);
      if (next !== null) return pageOf(Number(next[1]), Number(next[2]));
      const wanted = accounts.filter((id) => request.address.includes(`'${id}'`));
      const after = /AND Id > '(\w+)'/.exec(request.address)?.[1] ?? '';
      const most = Number(/LIMIT (\d+)/.exec(request.address)?.[1] ?? Number.POSITIVE_INFINITY);
      const rows = request.address.includes('FROM Account')
        ? accounts.map((Id) => ({ Id, SystemModstamp: STAMP, MasterRecordId: null }))
        : wanted
            .flatMap((AccountId) =>
              Array.from({ length: each(AccountId) }, (_, n) => ({
                Id: `006${AccountId.slice(12, 15)}${String(n).padStart(9, '0')}AAA`,
                AccountId,
              })),
            )
            .filter(({ Id }) => Id > after)
            .slice(0, most);
      return pageOf(results.push(rows) - 1, 0);
    });
  }

  const changed = async (): Promise<ReadonlySet<string>> => {
    const start = { systemModstamp: '2026-01-31T09:00:00.000Z', id: '' };
    const { changes } = await crm.changesAfter('Account', start, 500);
    return new Set(changes.map(({ opportunityId }) => opportunityId));
  };

  it('leads to all of them, though no single question may', async () => {
    await openWith(
      Array.from({ length: 200 }, (_, n) => account(n)),
      () => EACH,
    );
    expect((await changed()).size).toBe(200 * EACH);
  });

  it('leads to all those of one account too', async () => {
    const accounts = [account(1), account(2)];
    await openWith(accounts, (id) => (id === account(1) ? 45_000 : 10));
    expect((await changed()).size).toBe(45_010);
  });
});
