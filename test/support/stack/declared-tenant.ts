import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startSalesforceSimulator, startVendorSimulator } from 'lockstep-simulators';
import { crmUser, simulatorAdmin } from 'lockstep-simulators/testing';
import { stringify } from 'yaml';
import { DEMO_VALUES } from '../../../src/cli/running/simulator-defaults.ts';
import type { Stack } from './stack.ts';
import type { VendorRecord } from './with-stack.ts';

const VENDOR_KEY = 'beta-vendor-key-0123456789';
const HOOK_PATH = 'beta-hook-path-0123456789abcdef0123456789abcdef';

/**
 * A tenant `beta` in addition to the stack's own, unknown to the stack's processes: two remote systems, and a tenant file for `lockstep
 * tenants`. `env`: the variables that its file names, for the command alone.
 */
export async function startDeclaredTenant(stack: Stack) {
  const vendor = await startVendorSimulator({ apiKey: VENDOR_KEY, seed: 'demo', strict: true });
  const hook = `${stack.hooks}/hooks/salesforce/${HOOK_PATH}`;
  const salesforce = await startSalesforceSimulator({ seed: 'demo', webhookUrl: hook });
  const privateKey = salesforce.integration.privateKey ?? '';
  const folder = join(stack.home, 'declared');
  const put = async (tenant: string, sweepEvery: string): Promise<string> => {
    const path = join(folder, `${tenant}.yaml`);
    await mkdir(join(folder, tenant), { recursive: true });
    await writeFile(join(folder, tenant, 'key.pem'), privateKey, { mode: 0o600 });
    await writeFile(path, stringify({ ...fileOf(tenant, { vendor, salesforce, sweepEvery }), tenant }));
    return path;
  };
  const admin = simulatorAdmin(vendor.adminUrl);
  return {
    put,
    hook,
    env: { BETA_VENDOR_KEY: VENDOR_KEY, BETA_HOOK_PATH: HOOK_PATH, LOCKSTEP_TENANT_ENV: 'E2E_*,BETA_*' },
    secrets: [VENDOR_KEY, HOOK_PATH, privateKey.split('\n')[1] ?? 'no key'],
    user: crmUser(salesforce.url, salesforce.user.accessToken),
    nameAtVendor: async (crmId: string): Promise<unknown> =>
      (await admin.records<VendorRecord>('leadOpportunity')).find(
        ({ fields }) => fields['partnerLeadOpportunityId'] === crmId,
      )?.fields['name'],
    close: () => Promise.all([vendor.close(), salesforce.close()]),
  };
}

type Remotes = {
  readonly vendor: Awaited<ReturnType<typeof startVendorSimulator>>;
  readonly salesforce: Awaited<ReturnType<typeof startSalesforceSimulator>>;
  readonly sweepEvery: string;
};

function fileOf(tenant: string, { vendor, salesforce, sweepEvery }: Remotes) {
  const { clientId, username } = salesforce.integration;
  return {
    vendor: {
      baseUrl: vendor.url,
      apiKey: 'env:BETA_VENDOR_KEY',
      partnerId: vendor.partnerId,
      poll: { every: '2s', overlap: '5m' },
      ratePerSecond: 50,
      values: DEMO_VALUES,
    },
    salesforce: {
      loginUrl: salesforce.loginUrl,
      organizationId: salesforce.organizationId,
      auth: { flow: 'jwt', clientId, username, privateKey: `file:${tenant}/key.pem` },
      sweep: { every: sweepEvery, overlap: '15m' },
    },
    webhooks: { path: 'env:BETA_HOOK_PATH', keys: [] },
    currency: 'EUR',
  };
}
