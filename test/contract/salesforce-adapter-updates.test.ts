/** Updates of several records in one request: each depends on its own version and gets its own answer. */
import { describe, expect, it } from 'vitest';
import type { CrmFields, CrmGraph, CrmWrite } from '../../src/domain/record/crm-graph.ts';
import { withOrg } from '../support/salesforce/with-org.ts';

/** The org's clock stands still unless it is moved, so that what happens together carries one stamp. */
let nowMs = Date.parse('2026-03-01T08:00:00.250Z');

const org = await withOrg({ readMs: () => nowMs });

async function deal(name: string): Promise<CrmGraph> {
  const id = await org.create('Opportunity', {
    Name: name,
    StageName: 'Prospecting',
    CloseDate: '2027-01-31',
  });
  const graph = await org.crm.readGraph(id);
  if (graph === null) throw new Error('the deal is not there');
  return graph;
}

function updateOf(graph: CrmGraph, opportunity: CrmFields): CrmWrite {
  return {
    opportunityId: String(graph.opportunity['Id']),
    ifUnmodifiedSince: String(graph.opportunity['SystemModstamp']),
    opportunity,
    lines: { create: [], update: [], delete: [] },
    account: null,
  };
}

/** An instant long after the version, as of a record that nobody has touched for a while. */
const LATER = { readAt: '2100-01-01T00:00:00.000Z' };
const sync = { Sync_State__c: 'In sync', Last_Synced__c: '2026-06-01T10:00:00.000Z' };

async function described(graph: CrmGraph): Promise<unknown> {
  return (await org.crm.readGraph(String(graph.opportunity['Id'])))?.opportunity['Description'];
}

it('sends them as one request, and asks for no version that the condition can tell', async () => {
  const deals = await Promise.all(['A', 'B', 'C'].map(deal));
  const pending = { opportunity: {}, sync: { Sync_State__c: 'Pending' } };
  for (const { opportunity } of deals) await org.crm.report({ opportunityId: String(opportunity['Id']), ...pending });
  await org.drain();
  await Promise.all(
    deals.map((graph) => org.crm.applyWrite(updateOf(graph, { Description: 'by us' }), { ...LATER, sync })),
  );
  expect(await org.drain()).toEqual(['composite']);
  expect(await Promise.all(deals.map(described))).toEqual(['by us', 'by us', 'by us']);
  const after = await org.crm.readGraph(String(deals[0]?.opportunity['Id']));
  expect(after?.sync).toMatchObject({ Sync_State__c: 'In sync' });
});

describe('a reading from the second of its stamp', () => {
  it.each([
    ['an update', null],
    ['a write of several parts', { Vendor_Site_Id__c: 'SITE-9' }],
  ])('is nothing to rest %s on: a second save of that second looks like the first', async (_, fields) => {
    const graph = await deal('Young');
    await org.update('Opportunity', String(graph.opportunity['Id']), { Description: 'by a user' });
    const again = await org.crm.readGraph(String(graph.opportunity['Id']));
    expect(again?.opportunity['SystemModstamp']).toBe(graph.opportunity['SystemModstamp']);
    nowMs += 10_000;
    await org.drain();
    const id = await org.create('Account', { Name: 'Initech' });
    const account = fields && { id, fields };
    const write = { ...updateOf(graph, { Description: 'by us' }), account };
    await expect(org.crm.applyWrite(write, { readAt: graph.readAt })).rejects.toMatchObject({
      kind: 'stale',
      code: 'READ_TOO_EARLY',
      retryAfterMs: 2_000,
    });
    expect(await org.drain()).toEqual(['sobject.create']);
    expect(await described(graph)).toBe('by a user');
  });

  it('is good two seconds later, which the CRM’s own clock tells', async () => {
    const graph = await deal('Older');
    const id = String(graph.opportunity['Id']);
    for (const [passMs, leftMs] of [
      [1_000, 1_000],
      [1_000, 0],
    ] as const) {
      nowMs += passMs;
      const { readAt } = (await org.crm.readGraph(id)) ?? graph;
      const writing = org.crm.applyWrite(updateOf(graph, { Description: 'by us' }), { readAt });
      if (leftMs > 0) await expect(writing).rejects.toMatchObject({ retryAfterMs: leftMs });
      else await writing;
    }
    expect(await described(graph)).toBe('by us');
  });
});

it('answers each by its own outcome', async () => {
  const [good, moved, refused] = await Promise.all(['Good', 'Moved', 'Refused'].map(deal));
  if (good === undefined || moved === undefined || refused === undefined) throw new Error('three were made');
  await org.admin('PUT', 'clock', { advanceMs: 3_000 });
  await org.update('Opportunity', String(moved.opportunity['Id']), { Description: 'by a user' });
  await org.drain();
  const outcomes = await Promise.allSettled([
    org.crm.applyWrite(updateOf(good, { Description: 'by us' }), LATER),
    org.crm.applyWrite(updateOf(moved, { Description: 'by us' }), LATER),
    org.crm.applyWrite(updateOf(refused, { Vendor_Campaign_Code__c: 'x'.repeat(300) }), LATER),
  ]);
  expect(await org.drain()).toEqual(['composite']);
  expect(outcomes).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { kind: 'stale' } },
    { status: 'rejected', reason: { kind: 'permanent' } },
  ]);
  expect(await Promise.all([good, moved].map(described))).toEqual(['by us', 'by a user']);
});
