/**
 * Rotates a vendor key as an operator does: by commands, with the vendor's own step between them and a worker that is killed meanwhile. The
 * keys are nowhere but in the ledger, sealed. Then two more rotations under a load of records and orders, without a failure.
 */
import { expect, it } from 'vitest';
import { workflowIds } from '../../temporal.config.ts';
import { rotateUnderLoad } from '../support/stack/rotate-under-load.ts';
import { tracesOf } from '../support/stack/traces.ts';
import { withStack } from '../support/stack/with-stack.ts';
import { until } from '../support/until.ts';

const { stack, user, vendor, worker, atVendor } = await withStack({
  traced: true,
  adapt: (file) => ({ ...file, vendor: { ...file.vendor, ordersEvery: '2s' } }),
});
const { tenant } = stack;
const keys = (what: string, ...more: readonly string[]) => stack.run(['keys', what, tenant, ...more]);

const HASH = /^\$2[aby]\$\S{56}$/m;

it('hands out a hash, waits through a death, and takes over once the vendor has registered it', async () => {
  expect((await keys('confirm')).code).toBe(1);
  const begun = await keys('rotate');
  const [hashedKey = ''] = HASH.exec(begun.output) ?? [];
  expect([begun.code, hashedKey.length]).toEqual([2, 60]);
  expect(await keys('rotate')).toMatchObject({ code: 1, output: expect.stringContaining('is under way') });

  await worker.kill();
  await stack.startWorker();
  const early = await keys('confirm');
  expect([early.code, early.output]).toEqual([2, expect.stringContaining('sales refused, order refused')]);

  await vendor.register(hashedKey);
  const deal = await user.deal('While the old key is dead');
  await until('the deal is at the vendor', async () => (await atVendor(deal)).length === 1);
  const confirmed = await keys('confirm');
  expect([confirmed.code, confirmed.output]).toEqual([0, expect.stringContaining('proven in both domains')]);
  expect((await keys('status', '--json')).output).toContain('"inUse":"ledger"');

  const row = await stack.ledger.vendorKeys(tenant);
  expect(row?.inUse).toHaveLength(64);
  for (const [place, content] of await tracesOf(stack)) {
    const text = typeof content === 'string' ? content : Buffer.from(content).toString('latin1');
    expect(text.includes(row?.inUse ?? ''), place).toBe(false);
  }
});

const RECORDS = 30;
const ORDERS = 30;

it.each(['overlap', 'replace'] as const)(
  'fails no change of records or orders where the gateway lets keys %s',
  async (rotation) => {
    const deals: string[] = [];
    const [made, read] = [await creations(), (await vendor.requests('readOrder')).length];
    const { refused, refusedAfterwards, code } = await rotateUnderLoad(stack, rotation, {
      begin: () => void beginLoad(rotation, deals),
      isUnderWay: async () =>
        (await creations()) >= made + 3 && (await vendor.requests('readOrder')).length >= read + 3,
      done: () =>
        until(
          'all is where it belongs',
          async () => deals.length === RECORDS && (await isThere(rotation, deals)),
          90_000,
        ),
      oneMore: async () => {
        const deal = await user.deal(`${rotation} afterwards`);
        await until('the deal is at the vendor', async () => (await atVendor(deal)).length === 1);
      },
    });
    expect(code).toBe(0);
    expect(refusedAfterwards).toEqual([]);
    if (rotation === 'overlap') expect(refused).toEqual([]);
    else expect(refused.length).toBeGreaterThan(0);
    expect(await stack.ledgerQuery("select key from links where state = 'parked'")).toEqual([]);
    for (const group of ['vendor-sales', 'vendor-order'])
      await expect(
        stack.client.workflow.getHandle(workflowIds.guardTenant(tenant, group)).describe(),
      ).rejects.toThrow();
  },
  240_000,
);

const creations = async (): Promise<number> =>
  (await vendor.requests('createLeadOpportunity')).filter(({ status }) => status === 201).length;

async function beginLoad(rotation: string, deals: string[]): Promise<void> {
  // Orders are read as long as records come.
  await vendor.fault({ operation: 'readOrder', delayMs: 100, times: ORDERS });
  for (let n = 0; n < ORDERS; n += 1) await vendor.create('order', { transaction: { id: `${rotation}-${n}` } });
  for (let n = 0; n < RECORDS; n += 1) deals.push(await user.deal(`${rotation} ${n}`));
}

/** Each deal once at the vendor, and each order in the CRM. */
async function isThere(rotation: string, deals: readonly string[]): Promise<boolean> {
  const leads = await vendor.records<{ readonly fields: Readonly<Record<string, unknown>> }>('leadOpportunity');
  const references = leads.map(({ fields }) => fields['partnerLeadOpportunityId']);
  const isOnce = deals.every((deal) => references.filter((reference) => reference === deal).length === 1);
  if (!isOnce) return false;
  const [shown] = await user.query<{ readonly n: number }>(
    `SELECT COUNT(Id) n FROM Vendor_Order__c WHERE Vendor_Order_Id__c LIKE '${rotation}-%'`,
  );
  return shown?.n === ORDERS;
}
