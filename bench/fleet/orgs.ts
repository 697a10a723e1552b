import { randomBytes } from 'node:crypto';
import { startSalesforceSimulator, startVendorSimulator } from 'lockstep-simulators';
import { simulatorAdmin } from 'lockstep-simulators/testing';
import { DEMO_VALUES } from '../../src/cli/running/simulator-defaults.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Stack } from '../../test/support/stack/stack.ts';
import { each, entersDeals, inThePast } from '../backfill/past.ts';
import type { Filling } from './fill-ledger.ts';

/** The two simulators of one tenant, or of many idle tenants. */
export type Org = Pick<Stack, 'vendor' | 'salesforce'>;

/** A tenant of the fleet, its simulators, and the webhook path of its org's messages. */
export type FleetTenant = { readonly name: string; readonly org: Org; readonly hookPath: string };

const VENDOR_KEY = 'fleet-vendor-key-0123456789';
/** Requests per minute. */
const AMPLE = 1_000_000;

/** Starts an org whose messages go to `webhookUrl`; if null, it sends none. */
export async function startOrg(webhookUrl: string | null): Promise<Org> {
  const vendor = await startVendorSimulator({ apiKey: VENDOR_KEY, seed: 'demo', orders: 5 });
  const salesforce = await startSalesforceSimulator({
    seed: 'demo',
    ...(webhookUrl === null ? {} : { webhookUrl }),
  });
  await giveAmple(vendor);
  return { vendor, salesforce };
}

/** Gives an org a quota that its tenants never use up. */
export async function giveAmple(vendor: Org['vendor']): Promise<void> {
  await simulatorAdmin(vendor.adminUrl).quota(AMPLE, 60);
}

/** Creates deals on both sides of an org, dated a year ago, with the CRM reference at the vendor. */
export async function makePairs(org: Org, count: number): Promise<Filling['pairs']> {
  const pairs: { crmId: string; vendorId: string }[] = [];
  await inThePast(org, async () => {
    const { opportunity, lead } = await entersDeals(org);
    await each(count, async (n) => {
      const crmId = await opportunity(`Deal ${n}`);
      const { id: vendorId } = await lead(`Deal ${n}`, { partnerLeadOpportunityId: crmId });
      pairs.push({ crmId, vendorId });
    });
  });
  return pairs;
}

export function fleetTenant(name: string, org: Org): FleetTenant {
  return { name, org, hookPath: randomBytes(32).toString('hex') };
}

/** Declares a tenant in the registry with sealed secrets. */
export async function declareFleetTenant(ledger: Ledger, { name, org, hookPath }: FleetTenant): Promise<void> {
  const { vendor, salesforce } = org;
  const { clientId, username, privateKey } = salesforce.integration;
  const content = {
    tenant: name,
    vendor: {
      ...{ baseUrl: vendor.url, apiKey: 'sealed:vendor.apiKey', partnerId: vendor.partnerId },
      ...{ ratePerSecond: 50, values: DEMO_VALUES },
    },
    salesforce: {
      ...{ loginUrl: salesforce.loginUrl, organizationId: salesforce.organizationId },
      auth: { flow: 'jwt', clientId, username, privateKey: 'sealed:salesforce.auth.privateKey' },
    },
    webhooks: { path: 'sealed:webhooks.path', keys: [] },
    // Audits have a bench of their own, and the links here were never compared.
    audit: { every: '30d' },
    currency: 'EUR',
  };
  const secrets = {
    'vendor.apiKey': vendor.apiKey,
    'salesforce.auth.privateKey': privateKey ?? '',
    'webhooks.path': hookPath,
  };
  const declared = { content, mapping: null, secrets };
  if ((await ledger.declareTenant(name, declared, null, new Date().toISOString())) === null)
    throw new Error(`the tenant ${name} is declared already`);
}
