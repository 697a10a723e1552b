/** Updates of more records than one composite request holds: as graphs of one request, where the org has shown that conditions count. */

import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CrmFields, CrmGraph, CrmWrite } from '../../src/domain/record/crm-graph.ts';
import type { Crm, CrmSharedCall } from '../../src/salesforce/crm.ts';
import type { CrmOptions } from '../../src/salesforce/options.ts';
import fc from '../support/properties.ts';
import { type SalesforceOrg, startSalesforceOrg } from '../support/salesforce/salesforce-org.ts';

/** More than the 25 that a composite request holds. */
const MANY = 30;
const LATER = { readAt: '2100-01-01T00:00:00.000Z' };

let org: SalesforceOrg;
let crm: Crm;
let shown: boolean[];

beforeAll(async () => {
  org = await startSalesforceOrg();
  return () => org.close();
});
beforeEach(async () => {
  await org.admin('PUT', 'graphs', { takesHeaders: true });
});
afterEach(async () => {
  await org.admin('DELETE', 'faults');
  await crm.close();
});

/** An adapter that knows nothing of the org yet. */
async function open(options: Partial<CrmOptions> = {}): Promise<void> {
  shown = [];
  crm = org.open({ onGraphConditions: (doCount) => void shown.push(doCount), ...options });
  await crm.probe();
  await org.drain();
}

async function deals(count: number): Promise<readonly CrmGraph[]> {
  const made = await Promise.all(
    Array.from({ length: count }, (_, n) =>
      org.create('Opportunity', { Name: `D ${n}`, StageName: 'Prospecting', CloseDate: '2027-01-31' }),
    ),
  );
  // An update takes a sync row along only where the record has one.
  await Promise.all(made.map((id) => org.create('Lockstep_Sync__c', { Opportunity_Key__c: id, Opportunity__c: id })));
  const graphs = await Promise.all(made.map((id) => org.crm.readGraph(id)));
  await org.admin('PUT', 'clock', { advanceMs: 5_000 });
  await org.drain();
  return graphs.map((graph) => graph as CrmGraph);
}

const idOf = ({ opportunity }: CrmGraph): string => String(opportunity['Id']);

function updateOf(graph: CrmGraph, opportunity: CrmFields): CrmWrite {
  const ifUnmodifiedSince = String(graph.opportunity['SystemModstamp']);
  const lines = { create: [], update: [], delete: [] };
  return { opportunityId: idOf(graph), ifUnmodifiedSince, opportunity, lines, account: null };
}

const BY_US = { Description: 'by us' };
const IN_SYNC = { Sync_State__c: 'In sync' };
/** No child record can be of it. */
const UNTAKEN = { Sync_State__c: 'In sync', Last_Synced__c: 'no date' };

function writeAll(
  graphs: readonly CrmGraph[],
  fields: (n: number) => CrmFields = () => BY_US,
  call: CrmSharedCall = {},
) {
  return Promise.allSettled(
    graphs.map((graph, n) => crm.applyWrite(updateOf(graph, fields(n)), { ...LATER, ...call, sync: IN_SYNC })),
  );
}

const kinds = (settled: readonly PromiseSettledResult<void>[]) =>
  settled.map((one) => (one.status === 'fulfilled' ? 'done' : String(one.reason.kind)));

async function descriptions(graphs: readonly CrmGraph[]): Promise<readonly unknown[]> {
  const after = await Promise.all(graphs.map((graph) => org.crm.readGraph(idOf(graph))));
  return after.map((graph) => graph?.opportunity['Description']);
}

describe('an org in whose graphs conditions count', () => {
  it('is asked once, and then has them all in one request, with the outcome of each', async () => {
    await open();
    const some = await deals(MANY);
    expect(new Set(kinds(await writeAll(some)))).toEqual(new Set(['done']));
    expect(await org.drain()).toEqual(['composite.graph', 'composite.graph']);
    const after = await Promise.all(some.map((graph) => org.crm.readGraph(idOf(graph))));
    expect(after.map((graph) => [graph?.opportunity['Description'], graph?.sync])).toEqual(
      some.map(() => ['by us', expect.objectContaining(IN_SYNC)]),
    );
    const more = await deals(MANY);
    await writeAll(more);
    expect(await org.drain()).toEqual(['composite.graph']);
    expect(shown).toEqual([true]);
  });

  it('is asked again after a sign-in', async () => {
    await open();
    await writeAll(await deals(MANY));
    await org.admin('DELETE', 'sessions');
    await crm.probe();
    const more = await deals(MANY);
    await writeAll(more);
    expect((await org.drain()).filter((operation) => operation === 'composite.graph')).toHaveLength(2);
  });

  it('is not asked for as many as a composite request holds', async () => {
    await open();
    await writeAll(await deals(24));
    expect(await org.drain()).toEqual(['composite']);
  });

  it('answers each by its own outcome', async () => {
    await open();
    const some = await deals(MANY);
    await org.update('Opportunity', idOf(some[3] as CrmGraph), { Description: 'by a user' });
    await org.remove('Opportunity', idOf(some[4] as CrmGraph));
    const outcomes = await writeAll(some, (n) =>
      n === 5 ? { Vendor_Campaign_Code__c: 'x'.repeat(300) } : n === 6 ? { Description: '@{a.id}' } : BY_US,
    );
    expect(kinds(outcomes).slice(0, 8)).toEqual([
      ...['done', 'done', 'done', 'stale', 'gone', 'permanent', 'permanent', 'done'],
    ]);
    expect(
      kinds(outcomes)
        .slice(8)
        .every((kind) => kind === 'done'),
    ).toBe(true);
    expect((await org.drain()).filter((operation) => operation.startsWith('composite'))).toEqual([
      'composite.graph',
      'composite.graph',
    ]);
    expect((await descriptions(some)).slice(2, 4)).toEqual(['by us', 'by a user']);
  });

  it('has what it did not begin in requests as before, once more have failed than it carries on after', async () => {
    await open();
    const some = await deals(MANY);
    for (const graph of some.slice(0, 16)) await org.update('Opportunity', idOf(graph), { NextStep: 'x' });
    await org.drain();
    const outcomes = kinds(await writeAll(some));
    expect(outcomes).toEqual([...Array(16).fill('stale'), ...Array(14).fill('done')]);
    expect(await org.drain()).toEqual(['composite.graph', 'composite.graph', 'composite']);
  });

  it('takes the update of a record whose child record it refuses', async () => {
    await open();
    const some = await deals(MANY);
    const settled = await Promise.allSettled(
      some.map((graph, n) => {
        const sync = n === 7 ? UNTAKEN : IN_SYNC;
        return crm.applyWrite(updateOf(graph, BY_US), { ...LATER, sync });
      }),
    );
    expect(new Set(kinds(settled))).toEqual(new Set(['done']));
    expect(await org.drain()).toEqual(['composite.graph', 'composite.graph', 'composite']);
    expect(new Set(await descriptions(some))).toEqual(new Set(['by us']));
  });

  it('leaves it unknown what became of them where the answer is lost', async () => {
    await open();
    await writeAll(await deals(MANY));
    const some = await deals(MANY);
    await org.admin('POST', 'faults', { operation: 'composite.graph', cut: 'after', times: 1 });
    expect(new Set(kinds(await writeAll(some)))).toEqual(new Set(['transient']));
    expect(await org.drain()).toEqual(['composite.graph']);
  });

  it('blames no record where it refuses the request itself', async () => {
    await open();
    await writeAll(await deals(MANY));
    const some = await deals(MANY);
    await org.admin('POST', 'faults', {
      operation: 'composite.graph',
      status: 400,
      errorCode: 'JSON_PARSER_ERROR',
      times: 1,
    });
    expect(new Set(kinds(await writeAll(some)))).toEqual(new Set(['done']));
    expect(await org.drain()).toEqual(['composite.graph', 'composite', 'composite']);
  });

  it('learns of a record’s wait before it learns what became of it', async () => {
    await open({ onTheirWay: async () => 200 });
    const some = await deals(75);
    const opportunityId = idOf(some[0] as CrmGraph);
    const sync = { Sync_State__c: 'Pending', Message__c: 'waits' };
    const report = crm.report({ opportunityId, opportunity: {}, sync, hasRow: true }, { mayWait: true });
    await new Promise((settle) => setTimeout(settle, 50));
    await writeAll(some, () => BY_US, { mayWait: true });
    expect(await org.drain()).toEqual(['composite', 'composite.graph', 'composite.graph']);
    await report;
    const result = (await org.crm.readGraph(opportunityId))?.sync;
    expect(result).toMatchObject({ Sync_State__c: 'In sync', Message__c: 'waits' });
  });
});

describe.each([
  ['leaves conditions out of account', () => org.admin('PUT', 'graphs', { takesHeaders: false }), []],
  [
    'knows no graphs',
    () =>
      org.admin('POST', 'faults', {
        ...{ operation: 'composite.graph', status: 404, errorCode: 'NOT_FOUND' },
      }),
    // A path that is not there may mean a version of the API that the org has retired.
    ['versions'],
  ],
  [
    'takes no headers of nodes',
    () =>
      org.admin('POST', 'faults', {
        ...{ operation: 'composite.graph', status: 400, errorCode: 'JSON_PARSER_ERROR' },
      }),
    [],
  ],
])('an org that %s', (_, make, asks) => {
  it('is asked once, nothing of it is changed by that, and all go as before', async () => {
    await make();
    await open();
    const some = await deals(MANY);
    const [asked] = some as [CrmGraph];
    await org.update('Opportunity', idOf(asked), { Description: 'by a user' });
    const before = await org.crm.readGraph(idOf(asked));
    await org.admin('PUT', 'clock', { advanceMs: 5_000 });
    await org.drain();
    expect(kinds(await writeAll(some))).toEqual(['stale', ...Array(MANY - 1).fill('done')]);
    expect(await org.drain()).toEqual(['composite.graph', ...asks, 'composite', 'composite']);
    const after = await org.crm.readGraph(idOf(asked));
    expect(after?.opportunity).toEqual(before?.opportunity);
    await writeAll(await deals(MANY));
    expect(await org.drain()).toEqual(['composite', 'composite']);
    expect(shown).toEqual([false]);
  });
});

it('an org that cannot say now is asked again later, and is not reported to be unfit', async () => {
  await open();
  await org.admin('POST', 'faults', { operation: 'composite.graph', status: 503, times: 1 });
  expect(new Set(kinds(await writeAll(await deals(MANY))))).toEqual(new Set(['done']));
  expect(await org.drain()).toEqual(['composite.graph', 'composite', 'composite']);
  expect(shown).toEqual([]);
});

describe('both ways', () => {
  const fate = fc.constantFrom('done', 'done', 'done', 'moved', 'removed', 'refused', 'untold');

  async function outcomesOf(fates: readonly string[], useGraphs: boolean) {
    await open({ useGraphs });
    const some = await deals(fates.length);
    for (const [n, graph] of some.entries()) {
      if (fates[n] === 'moved') await org.update('Opportunity', idOf(graph), { Description: 'by a user' });
      if (fates[n] === 'removed') await org.remove('Opportunity', idOf(graph));
    }
    await org.drain();
    const settled = await Promise.allSettled(
      some.map((graph, n) => {
        const fields = fates[n] === 'refused' ? { Vendor_Campaign_Code__c: 'x'.repeat(300) } : BY_US;
        const sync = fates[n] === 'untold' ? UNTAKEN : IN_SYNC;
        return crm.applyWrite(updateOf(graph, fields), { ...LATER, sync });
      }),
    );
    const operations = await org.drain();
    const errors = settled.map((one) => (one.status === 'fulfilled' ? null : [one.reason.kind, one.reason.code]));
    const after = await Promise.all(some.map((graph) => org.crm.readGraph(idOf(graph))));
    const rows = after.map((graph) => [graph?.opportunity['Description'], graph?.sync?.['Sync_State__c']]);
    await crm.close();
    return { errors, rows, operations };
  }

  it('leave the same rows and give the same answers, but what is reported of a record whose update is refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fate, { minLength: MANY, maxLength: 75 }), async (fates) => {
        const asParts = await outcomesOf(fates, false);
        const asGraphs = await outcomesOf(fates, true);
        expect(asGraphs.errors).toEqual(asParts.errors);
        const written = <T>(rows: readonly T[]) => rows.filter((_, n) => asParts.errors[n] === null);
        expect(written(asGraphs.rows)).toEqual(written(asParts.rows));
        expect(asGraphs.rows.map(([text]) => text)).toEqual(asParts.rows.map(([text]) => text));
        expect(asGraphs.operations).toContain('composite.graph');
        expect(asParts.operations).not.toContain('composite.graph');
      }),
      { numRuns: 4 },
    );
  });
});
