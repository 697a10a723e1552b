/** Order searches whose message was lost: the sweep finds them, in the queries that it sends anyway, and has them answered. */
import { expect, it } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import { withDeal } from '../support/engine/with-test-bed.ts';

const open = withDeal(workflows);

it('a search without a message is answered after a sweep, and a sweep without a search asks nothing more', async () => {
  const { world, deals, crmId } = await open();
  const queries = async (): Promise<number> =>
    (await world.crm.requests()).filter(({ operation }) => operation === 'composite').length;
  const before = await queries();
  await deals.sweep();
  const idle = (await queries()) - before;
  expect(idle).toBe(2);
  const id = await world.crm.create('Lockstep_Order_Search__c', { Opportunity__c: crmId, PO_Reference__c: 'PO-NONE' });
  const answer = async () => (await deals.row('Lockstep_Order_Search__c', id))['Message__c'];
  await deals.sweep();
  expect(await answer()).toMatch(/^The vendor shows no order/);
  const answered = await queries();
  await deals.sweep();
  expect((await queries()) - answered).toBe(idle);
});

it('a search that waits while the vendor is paused is answered by the sweep after the pause', async () => {
  const { world, deals, crmId } = await open();
  const { ledger, tenant, clock } = world;
  const id = await world.crm.create('Lockstep_Order_Search__c', { Opportunity__c: crmId, PO_Reference__c: 'PO-NONE' });
  const searched = async () => (await deals.row('Lockstep_Order_Search__c', id))['Searched__c'];
  await ledger.pause(tenant, 'vendor-order', 'refused', clock.now());
  await deals.sweep();
  expect(await searched()).toBeNull();
  await ledger.resume(tenant, 'vendor-order', clock.now());
  await deals.sweep();
  expect(await searched()).not.toBeNull();
});
