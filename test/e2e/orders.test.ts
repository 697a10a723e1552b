/**
 * Orders and the catalog of the vendor on their way into the CRM through the real processes, with a worker that is killed in the
 * middle of each, and a PostgreSQL that is killed while orders are written: every row is there once, whole. By then the vendor was
 * asked all that its documents show.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { CatalogStream, RefreshCursor } from '../../src/domain/streams/catalog-refresh.ts';
import { catalogDifferences } from '../support/catalog/check-catalog.ts';
import { askCatalog, type Json } from '../support/catalog/vendor-catalog.ts';
import { LINE_COLUMNS, ORDER_COLUMNS, orderDifferences } from '../support/orders/check-orders.ts';
import { startPostgres } from '../support/stack/servers.ts';
import { withStack } from '../support/stack/with-stack.ts';
import { until } from '../support/until.ts';

const home = await mkdtemp(join(tmpdir(), 'lockstep-orders-'));
const postgres = await startPostgres(home);
// What is registered first ends last.
afterAll(async () => {
  await postgres.stop();
  await rm(home, { recursive: true, force: true });
});
const {
  stack,
  user,
  vendor,
  salesforce,
  worker: first,
  atVendor,
} = await withStack({
  databaseUrl: postgres.url,
  adapt: (file) => ({ ...file, vendor: { ...file.vendor, ordersEvery: '2s' } }),
});
let worker = first;
const ORDERS = 24;

type Order = { readonly fields: Readonly<Record<string, unknown>> };

const writes = () => salesforce.requests('collections.upsert');
const readOrders = async (): Promise<number> => (await vendor.requests('readOrder')).length;

const REFRESHES = ['refreshCatalog', 'refreshPortfolio'] as const;

/** What the vendor's catalog loses in the middle of a refresh cannot be read: none is due, until it is asked for. */
async function holdRefreshes(): Promise<void> {
  let held = 0;
  await until('no catalog is being read', async () => {
    const reads = await Promise.all(REFRESHES.map(refreshOf));
    held = reads.every((read) => read?.position === null && read.doneAt !== null) ? held + 1 : 0;
    if (held === 0)
      for (const stream of REFRESHES)
        await stack.ledger.saveCursor(stack.tenant, stream, DONE(), new Date().toISOString());
    // What was under way may have noted its step once more.
    return held > 20;
  });
}

const DONE = (): RefreshCursor => ({
  ...{ doneAt: new Date().toISOString(), awaited: [], refresh: null, begunAt: new Date().toISOString() },
  ...{ position: null, failed: [], hasUnwritten: false },
});

it('shows each order once, with all its fields, on its opportunity, whoever is killed meanwhile', async () => {
  await holdRefreshes();
  const deal = await user.deal('With orders');
  const [record] = await until('the deal is at the vendor', async () => {
    const found = await atVendor(deal);
    return found.length === 1 ? found : null;
  });
  // In the middle is then no matter of luck.
  await vendor.fault({ operation: 'readOrder', delayMs: 100, times: ORDERS });
  const before = await readOrders();
  for (let n = 0; n < ORDERS; n += 1)
    await vendor.create('order', { transaction: { id: `E2E-${n}` }, opportunityId: record?.id });
  const mine = (await vendor.records<Order>('order')).map(({ fields }) => fields).filter(isMine);
  expect(mine).toHaveLength(ORDERS);

  await until('some orders are read', async () => (await readOrders()) >= before + 3);
  await worker.kill();
  worker = await stack.startWorker();
  await salesforce.fault({ operation: 'collections.upsert', delayMs: 1_000, times: 1 });
  const written = (await writes()).length;
  await until('rows are on their way', async () => (await writes()).length > written, 60_000);
  await postgres.kill();
  await until('the CRM has taken them', async () => (await writes())[written]?.status === 200);
  await postgres.start();

  await until('all orders are in the CRM', async () => (await differences(deal, mine)).length === 0, 120_000);
  // A receiver that was asked before PostgreSQL was back, or a worker that ended with it, would take nothing more.
  const later = await user.deal('After the crash');
  await until('a later deal is at the vendor', async () => (await atVendor(later)).length === 1);
  expect(worker.isUp()).toBe(true);
}, 300_000);

async function differences(deal: string, mine: readonly Order['fields'][]): Promise<readonly string[]> {
  const orders = await user.query<Record<string, unknown>>(
    `SELECT ${ORDER_COLUMNS.join(', ')} FROM Vendor_Order__c WHERE Vendor_Order_Id__c LIKE 'E2E-%'`,
  );
  const lines = await user.query<Record<string, unknown>>(
    `SELECT ${LINE_COLUMNS.join(', ')} FROM Vendor_Order_Line__c WHERE Line_Key__c LIKE 'E2E-%'`,
  );
  const astray = orders.filter((order) => order['Opportunity__c'] !== deal);
  return [
    ...astray.map((order) => `${String(order['Vendor_Order_Id__c'])} is not on its opportunity`),
    ...orderDifferences(mine, { orders, lines }),
  ];
}

/** A few of each are enough, and each is a request of a refresh. */
const FEWER = ['PF3', 'IPE2', 'IPE3', 'PRICE-LIST-2-GBR', 'PRICE-LIST-5-USA'];

it('shows the catalog once, with all its fields, through the death of a worker', async () => {
  for (const id of FEWER) await vendor.remove(id);
  await stack.ledger.forgetCursors(stack.tenant, REFRESHES);
  await vendor.fault({ operation: 'searchProductPrices', delayMs: 200 });
  expect(await stack.run(['catalog', 'refresh', stack.tenant])).toMatchObject({ code: 0 });
  await until('some prices are read', async () => (await vendor.requests('searchProductPrices')).length >= 3);
  await worker.kill();
  await vendor.clearFaults();
  const begun = await refreshOf('refreshCatalog');
  expect(begun).toMatchObject({ doneAt: null, position: { stage: 'prices' } });
  worker = await stack.startWorker();
  const parts = await until(
    'the catalog is in the CRM',
    async () => {
      const found = [await refreshOf('refreshCatalog'), await refreshOf('refreshPortfolio')];
      return found.every((part) => part !== null && part.doneAt !== null) ? found : null;
    },
    120_000,
  );
  expect(parts[0]).toMatchObject({ begunAt: begun?.begunAt, failed: [] });
  await asksTheRest();
  const shown = await askCatalog(caller('order'), caller('sales'));
  expect(await catalogDifferences(shown, (soql) => user.query<Json>(soql), { currencies: ['EUR'] })).toEqual([]);
}, 240_000);

async function refreshOf(stream: CatalogStream): Promise<RefreshCursor | null> {
  return (await stack.ledger.cursor(stack.tenant, stream)) as RefreshCursor | null;
}

/** What no order and no price needs, so that by then the product has asked the vendor all that there is to ask, and nothing else. */
async function asksTheRest(): Promise<void> {
  const [deal] = await user.query<{ readonly Id: string }>("SELECT Id FROM Opportunity WHERE Name = 'With orders'");
  await user.update('Opportunity', deal?.Id ?? '', { Name: 'With orders and prices' });
  expect((await stack.run(['keys', 'rotate', stack.tenant])).code).toBe(2);
  const asked = async () =>
    new Set((await vendor.allRequests()).map(({ operation, label }) => `${operation} ${label}`));
  await until('the edit is at the vendor', async () => (await asked()).has('updateLeadOpportunity v1'));
  expect([...(await asked())].sort()).toEqual(OPERATIONS.toSorted());
}

/** The vendor by bare HTTP, in one of its domains. */
function caller(domain: 'order' | 'sales') {
  const headers = { 'X-API-Key': stack.vendor.apiKey, 'Content-Type': 'application/json' };
  return async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${stack.vendor.url}/${domain}/api4partners/${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, headers: answer.headers, body: await answer.json() };
  };
}

/** Every operation of the documents, in v1 where there is one. */
const OPERATIONS: readonly string[] = [
  ...['createLeadOpportunity v1', 'updateLeadOpportunity v1', 'readLeadOpportunity v1'],
  ...['searchLeadOpportunities v0', 'searchPortfolioItems v0', 'generateApiKey v0'],
  ...['searchOrders v1', 'readOrder v1', 'searchAccreditations v1', 'searchPriceLists v0'],
  ...['searchProductPrices v0', 'searchProductInformation v0', 'searchPackageContent v0'],
];

function isMine(order: Readonly<Record<string, unknown>>): boolean {
  return order['opportunityId'] !== undefined && String((order['transaction'] as { id: string }).id).startsWith('E2E-');
}
