/** What is wrong with a tenant's remote systems, asked of the simulators. */
import { beforeEach, expect, it, vi } from 'vitest';
import { fieldNeeds, reasonOf } from '../../src/cli/doctor-ports.ts';
import { onlineChecks } from '../../src/operator/doctor/checks.ts';
import { examine, type Finding } from '../../src/operator/doctor/finding.ts';
import * as workflows from '../../workflows/index.ts';
import { onlyReads } from '../support/engine/operator.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

const openWorld = withWorlds(workflows);
let world: World;

beforeEach(async () => {
  ({ world } = await openWorld());
  await world.crm.clearAccess();
});

/** What is not well, of Salesforce and the vendor. */
async function wrong(): Promise<readonly Finding[]> {
  const { tenant, crm, vendor } = world.runtime;
  const remotes = {
    crm: onlyReads(crm, ['probe', 'limits', 'schema', 'setup']),
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
  expect(await wrong()).toMatchObject([
    { check, verdict: 'fails', what: expect.stringContaining('vendor: scope') },
  ]);
});

it('tells that Salesforce is out', async () => {
  await world.crm.fault({ status: 503, times: 3 });
  const found = await wrong();
  expect(found.map(({ check }) => check)).toContain('salesforce.sign-in');
  expect(JSON.stringify(found)).not.toContain('undefined');
});
