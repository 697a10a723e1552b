/** What is wrong with a tenant's remote systems, asked of the simulators. */
import { beforeEach, describe, expect, it } from 'vitest';
import { fieldNeeds, reasonOf } from '../../src/cli/doctor-ports.ts';
import type { OwnerNotice } from '../../src/domain/record/owner-notices.ts';
import { onlineChecks } from '../../src/operator/doctor/checks.ts';
import { examine, type Finding } from '../../src/operator/doctor/finding.ts';
import * as workflows from '../../workflows/index.ts';
import { onlyReads } from '../support/engine/operator.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

const openWorld = withWorlds(workflows);
let world: World;

beforeEach(async () => {
  ({ world } = await openWorld());
  await world.crm.clearAccess();
});

const OF_MAPPING = ['productsWithoutOffer', 'knownOffers', 'sharedLeadsWithout'] as const;

/** What is not well, of Salesforce and the vendor. */
async function wrong(notifyOwner: OwnerNotice = 'none'): Promise<readonly Finding[]> {
  const { crm, vendor, ...runtime } = world.runtime;
  const tenant = { ...runtime.tenant, orders: { ...runtime.tenant.orders, notifyOwner } };
  const remotes = {
    crm: onlyReads(crm, ['probe', 'limits', 'schema', 'setup', ...OF_MAPPING]),
    vendor: onlyReads(vendor, ['searchLeadOpportunities', 'readLeadOpportunity', 'searchOrders']),
    apiRequests: () => null,
  };
  const ports = {
    nodeVersion: '24.0.0',
    tenants: () => [tenant],
    sealingKeys: async () => 1,
    ledger: async () => world.ledger,
    temporal: async () => ({
      address: '',
      namespace: '',
      missingAttributes: [],
      missingSchedules: [],
      pausedSchedules: [],
      pollers: {},
      routing: {},
      vendorRate: tenant.vendor.ratePerSecond,
      vendorPartitions: null,
    }),
    remotes: () => remotes,
    fieldNeeds,
    receiver: async () => null,
    roundTrip: async () => ({ kind: 'no-address' as const }),
    now: world.clock.now,
  };
  const { findings } = await examine(onlineChecks(ports, tenant), reasonOf);
  expect(findings.length).toBeGreaterThan(9);
  return findings.filter(({ verdict }) => verdict === 'fails' || verdict === 'warns');
}

it('finds nothing wrong with an org that has the package, and a key that may ask', async () => {
  expect(await wrong()).toEqual([]);
});

it('names a field that the integration user may not see, and one that it may not write', async () => {
  const user = 'integration';
  await world.crm.access({ user, field: 'Opportunity.Vendor_Next_Milestone__c', access: 'none' });
  await world.crm.access({ user, field: 'Opportunity.Vendor_Campaign_Code__c', access: 'read' });
  expect(await wrong()).toMatchObject([
    {
      check: 'salesforce.fields',
      verdict: 'warns',
      what: expect.stringContaining('Vendor_Next_Milestone__c: cannot be read'),
    },
    {
      check: 'salesforce.fields',
      verdict: 'warns',
      what: expect.stringContaining('Vendor_Campaign_Code__c: cannot be written'),
    },
    {
      check: 'salesforce.mapping',
      verdict: 'fails',
      what: expect.stringContaining('Vendor_Campaign_Code__c cannot be written'),
    },
    {
      check: 'salesforce.mapping',
      verdict: 'fails',
      what: expect.stringContaining('Vendor_Next_Milestone__c is not there'),
    },
  ]);
});

it('names an object that is hidden', async () => {
  await world.crm.access({ user: 'integration', object: 'Lockstep_Sync__c', access: 'none' });
  expect(await wrong()).toMatchObject([
    {
      check: 'salesforce.fields',
      verdict: 'fails',
      what: expect.stringContaining('Lockstep_Sync__c is not there'),
    },
  ]);
});

it.each([
  ['searchLeadOpportunities', 'vendor.search'],
  ['readLeadOpportunity', 'vendor.read'],
  ['searchOrders', 'vendor.orders'],
])('tells that the key may not %s', async (operation, check) => {
  await world.vendor.fault({ operation, status: 403, times: 1 });
  expect(await wrong()).toMatchObject([{ check, verdict: 'fails', what: expect.stringContaining('vendor: scope') }]);
});

it('tells that Salesforce is out', async () => {
  await world.crm.fault({ status: 503, times: 3 });
  const found = await wrong();
  expect(found.map(({ check }) => check)).toContain('salesforce.sign-in');
  expect(JSON.stringify(found)).not.toContain('undefined');
});

describe('where owners are notified of orders', () => {
  const user = 'integration';

  it.each(['task', 'bell', 'chatter'] as const)('finds nothing wrong where the user may make a %s', async (by) => {
    expect(await wrong(by)).toEqual([]);
  });

  it.each([
    ['task', 'Task', 'Task cannot be made by us', 'Lockstep_Tell_Owners'],
    ['chatter', 'FeedItem', 'FeedItem cannot be made by us', 'Chatter'],
    ['task', 'Vendor_Order_Notice__c', 'Vendor_Order_Notice__c cannot be made', 'Lockstep_Integration'],
  ] as const)('by %s, says that %s is hidden, and what to do', async (by, object, what, repair) => {
    await world.crm.access({ user, object, access: 'none' });
    expect(await wrong(by)).toMatchObject([
      {
        check: 'salesforce.owners',
        verdict: 'warns',
        what: expect.stringContaining(what),
        repair: expect.stringContaining(repair),
      },
    ]);
    expect(await wrong()).toEqual([]);
  });

  it('names a field that may not be given', async () => {
    await world.crm.access({ user, field: 'Task.WhatId', access: 'read' });
    const [found] = await wrong('task');
    expect(found?.what).toBe('Task.WhatId cannot be given by us, so no owner is notified');
  });
});
