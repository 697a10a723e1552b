/** A conflict that waits for a person ends by a pick on the CRM's child record, which the sweep finds. */
import { expect, it, vi } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import type { Raw } from '../support/engine/http.ts';
import { settle } from '../support/engine/settle.ts';
import { withDeal } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

const openDeal = withDeal(workflows);

type Conflict = { readonly world: World; readonly deals: Deals; readonly deal: string };

async function conflict(): Promise<Conflict> {
  const { world, deals, crmId: deal } = await openDeal({ rules: { description: 'manual' } });
  const lead = await deals.leadNamed(deal);
  await world.vendor.fault({ status: 503 });
  await world.crm.edit(deal, { Description: 'Ours' });
  await world.vendor.edit(String(lead?.['id']), { description: 'Theirs' });
  await world.vendor.clearFaults();
  await deals.sweep();
  await deals.poll();
  return { world, deals, deal };
}

async function rowOf({ deals, deal }: Conflict): Promise<Raw> {
  const row = await deals.syncRow(deal);
  if (row === null) throw new Error(`no child record of ${deal}`);
  return row;
}

async function pick(result: Conflict, value: string): Promise<void> {
  await result.deals.time(120_000);
  await result.world.crm.edit(String((await rowOf(result))['id']), { Resolve__c: value });
}

it.each([
  ["Keep Salesforce's", 'Ours'],
  ["Take the vendor's", 'Theirs'],
])('%s: %s stays on both sides, and the pick is taken off', async (value, stays) => {
  const result = await conflict();
  const { world, deals, deal } = result;
  expect(await rowOf(result)).toMatchObject({ Sync_State__c: 'Conflict' });
  expect((await rowOf(result))['Conflict_Values__c']).toContain(
    'description: "Ours" in the CRM, "Theirs" at the vendor.',
  );

  await pick(result, value);
  await deals.sweep();

  expect(await deals.row('Opportunity', deal)).toMatchObject({ Description: stays });
  expect(await deals.leadNamed(deal)).toMatchObject({ description: stays });
  const ended = { Sync_State__c: 'In sync', Message__c: null, Resolve__c: null };
  expect(await rowOf(result)).toMatchObject(ended);
  expect(await settle(world)).toEqual([]);
  expect(await rowOf(result)).toMatchObject(ended);
});

it('is followed at once when the opportunity is saved', async () => {
  const result = await conflict();
  await pick(result, "Take the vendor's");
  await result.world.wake([(await result.deals.link(result.deal)).key], 'crm');
  await result.deals.time(20_000);
  expect(await result.deals.row('Opportunity', result.deal)).toMatchObject({ Description: 'Theirs' });
  expect(await rowOf(result)).toMatchObject({ Sync_State__c: 'In sync', Resolve__c: null });
});

it('without a conflict changes nothing, and is taken off', async () => {
  const result = await conflict();
  await pick(result, "Keep Salesforce's");
  await result.deals.sweep();
  const before = await result.deals.vendorWrites();
  await pick(result, "Take the vendor's");
  await result.deals.sweep();
  expect(await rowOf(result)).toMatchObject({ Sync_State__c: 'In sync', Resolve__c: null });
  expect(await result.deals.row('Opportunity', result.deal)).toMatchObject({ Description: 'Ours' });
  expect(await result.deals.vendorWrites()).toBe(before);
});
