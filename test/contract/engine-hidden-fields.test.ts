/** A mapped field that the integration user may not see does not count as synced. The real engine on ledger and simulators. */
import { beforeEach, describe, expect, it } from 'vitest';
import { explainRecord } from '../../src/operator/explain/explain-record.ts';
import type { Explanation } from '../../src/operator/explain/explanation.ts';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import { observerOf, readOnly } from '../support/engine/operator.ts';
import { settle } from '../support/engine/settle.ts';
import { withDeal } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

const openDeal = withDeal(workflows);
const FIELD = 'Opportunity.Vendor_Next_Milestone__c';
let world: World;
let deals: Deals;
let crmId: string;

beforeEach(async () => {
  ({ world, deals, crmId } = await openDeal());
});

const hide = (field = FIELD) => world.crm.access({ user: 'integration', field, access: 'none' });

async function watch(): Promise<void> {
  world.startStream('watchOrg');
  await deals.time(1_000);
}

function explain(): Promise<Explanation> {
  const { remotes, ledger } = readOnly(world);
  const ports = {
    observer: observerOf(world),
    crm: remotes.crm,
    ledger,
    addresses: { crm: 'https://org', vendor: 'https://vendor', temporal: null },
    runs: async () => [],
    now: world.clock.now,
  };
  return explainRecord(ports, world.runtime.tenant, { id: crmId, field: null, withValues: false });
}

async function editWhileHidden(field = FIELD): Promise<void> {
  await hide(field);
  await world.crm.edit(crmId, { Vendor_Next_Milestone__c: 'call', Description: 'ours' });
  await deals.sweep();
}

it('is named by status, sync row and explanation, and everything else travels', async () => {
  await editWhileHidden();
  expect(await deals.leadNamed(crmId)).toMatchObject({ description: 'ours', nextMilestone: '' });
  expect(await deals.link(crmId)).toMatchObject({
    state: 'parked',
    issues: [{ code: 'field-hidden', field: 'nextMilestone' }],
    retryAt: null,
  });
  expect(await deals.syncRow(crmId)).toMatchObject({
    Sync_State__c: 'Parked',
    Message__c: expect.stringContaining('Vendor: next milestone'),
  });
  expect(await explain()).toMatchObject({
    sentence: expect.stringContaining('Some values wait for a repair'),
    gates: [{ code: 'field-hidden', field: 'nextMilestone', needsSomebody: true }],
  });
});

describe('once the field is granted', () => {
  async function travels(): Promise<void> {
    for (let minutes = 0; minutes < 30; minutes += 5) {
      await deals.time(5 * 60_000);
      await deals.poll();
    }
    expect(await deals.leadNamed(crmId)).toMatchObject({ nextMilestone: 'call' });
    expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync', issues: [] });
    expect(await settle(world)).toEqual([]);
  }

  it('its value travels, where the org was described meanwhile', async () => {
    await editWhileHidden();
    await watch();
    await world.crm.clearAccess();
    await watch();
    await travels();
  });

  it('its value travels, where it was hidden between two descriptions of the org', async () => {
    await watch();
    await editWhileHidden();
    await world.crm.clearAccess();
    await watch();
    await travels();
  });

  it('its value travels, where another field stays hidden', async () => {
    await hide('Opportunity.Vendor_GTM_Tactic__c');
    await editWhileHidden();
    await watch();
    await world.crm.access({ user: 'integration', field: FIELD, access: 'edit' });
    await watch();
    for (let minutes = 0; minutes < 30; minutes += 5) {
      await deals.time(5 * 60_000);
      await deals.poll();
    }
    expect(await deals.leadNamed(crmId)).toMatchObject({ nextMilestone: 'call' });
    expect((await deals.link(crmId)).issues).toMatchObject([{ code: 'field-hidden', field: 'gtmTacticId' }]);
  });

  it('a record that a permission does not concern is not looked at', async () => {
    await watch();
    const before = (await world.vendor.requests()).length;
    await hide();
    await watch();
    await world.crm.clearAccess();
    await watch();
    await deals.time(30 * 60_000);
    expect((await world.vendor.requests()).length).toBe(before);
  });
});

it('a field of the account counts as well', async () => {
  await hide('Account.Website');
  await world.crm.edit(crmId, { Description: 'ours' });
  await deals.sweep();
  expect((await deals.link(crmId)).issues).toMatchObject([
    {
      code: 'field-hidden',
      field: 'customerLegalEntity',
      message: expect.stringContaining('"Website" of the account'),
    },
  ]);
});
