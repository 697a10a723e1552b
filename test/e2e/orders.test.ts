/**
 * Orders of the vendor on their way into the CRM through the real processes, with a worker that is killed in the middle: each is
 * there once, whole, on its opportunity.
 */
import { expect, it } from 'vitest';
import { workflowIds } from '../../temporal.config.ts';
import { LINE_COLUMNS, ORDER_COLUMNS, orderDifferences } from '../support/orders/check-orders.ts';
import { withStack } from '../support/stack/with-stack.ts';
import { until } from '../support/until.ts';

const { stack, user, vendor, worker, atVendor } = await withStack();
const ORDERS = 24;

type Order = { readonly fields: Readonly<Record<string, unknown>> };

/** What the schedule would do within five minutes. */
const pull = () =>
  stack.client.schedule.getHandle(workflowIds.scheduled(stack.tenant, 'pullOrders')).trigger();
const readOrders = async (): Promise<number> => (await vendor.requests('readOrder')).length;

it('shows each order once, with all its fields, on its opportunity, through the death of a worker', async () => {
  const deal = await user.deal('With orders');
  const [record] = await until('the deal is at the vendor', async () => {
    const found = await atVendor(deal);
    return found.length === 1 ? found : null;
  });
  for (let n = 0; n < ORDERS; n += 1)
    await vendor.create('order', { transaction: { id: `E2E-${n}` }, opportunityId: record?.id });

  await until('the schedule is there', () =>
    pull().then(
      () => true,
      () => false,
    ),
  );
  await until('some orders are read', async () => (await readOrders()) >= 3);
  await worker.kill();
  await stack.startWorker();

  const mine = (await vendor.records<Order>('order')).map(({ fields }) => fields).filter(isMine);
  expect(mine).toHaveLength(ORDERS);
  await until(
    'all orders are in the CRM',
    async () => {
      const orders = await user.query<Record<string, unknown>>(
        `SELECT ${ORDER_COLUMNS.join(', ')} FROM Vendor_Order__c WHERE Vendor_Order_Id__c LIKE 'E2E-%'`,
      );
      const lines = await user.query<Record<string, unknown>>(
        `SELECT ${LINE_COLUMNS.join(', ')} FROM Vendor_Order_Line__c WHERE Line_Key__c LIKE 'E2E-%'`,
      );
      const linked = orders.filter((order) => order['Opportunity__c'] === deal);
      return linked.length === ORDERS && orderDifferences(mine, { orders, lines }).length === 0;
    },
    120_000,
  );
}, 240_000);

function isMine(order: Readonly<Record<string, unknown>>): boolean {
  return (
    order['opportunityId'] !== undefined &&
    String((order['transaction'] as { id: string }).id).startsWith('E2E-')
  );
}
