import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SalesforceOrg, startSalesforceOrg } from '../support/salesforce/salesforce-org.ts';

let org: SalesforceOrg;
let since = '';
const ids: string[] = [];

const DEAL = { StageName: 'Prospecting', CloseDate: '2027-05-31' };

/** Five deals that are shared, and between them one that is not. */
beforeAll(async () => {
  org = await startSalesforceOrg();
  for (let n = 0; n < 6; n += 1) {
    const id = await org.create('Opportunity', { ...DEAL, Name: `Deal ${n}`, Vendor_Share__c: n !== 3 });
    const graph = await org.crm.readGraph(id);
    if (n === 0) since = String(graph?.opportunity['SystemModstamp']);
    if (n !== 3) ids.push(id);
  }
  await org.drain();
});

afterAll(() => org.close());

it('gives whole graphs page by page, each once, in one request a page', async () => {
  const found: string[] = [];
  let position = { systemModstamp: since, id: '' };
  for (let more = true; more; ) {
    const page = await org.crm.graphsAfter(position, 2);
    expect(await org.drain()).toEqual(['queryAll']);
    expect(page.graphs.length).toBeLessThanOrEqual(2);
    found.push(...page.graphs.map(({ opportunity }) => String(opportunity['Id'])));
    ({ position, more } = page);
  }
  expect(found.filter((id) => ids.includes(id)).sort()).toEqual([...ids].sort());
  expect(new Set(found).size).toBe(found.length);
});

it('shows a deal as reading it alone does', async () => {
  const { graphs } = await org.crm.graphsAfter({ systemModstamp: since, id: '' }, 2_000);
  const [id = ''] = ids;
  const { readAt: _, ...alone } = (await org.crm.readGraph(id)) ?? { readAt: '' };
  const { readAt: __, ...paged } = graphs.find(({ opportunity }) => opportunity['Id'] === id) ?? {
    readAt: '',
  };
  expect(paged).toEqual(alone);
});

it('shows a deleted deal as deleted', async () => {
  const id = ids.pop() ?? '';
  await org.remove('Opportunity', id);
  const { graphs } = await org.crm.graphsAfter({ systemModstamp: since, id: '' }, 2_000);
  expect(graphs.find(({ opportunity }) => opportunity['Id'] === id)?.opportunity['IsDeleted']).toBe(true);
});
