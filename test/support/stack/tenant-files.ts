/** Writes tenant files to disk and reads their problems. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatedSecret } from '../../../src/platform/secret.ts';
import type { Tenant } from '../../../src/platform/tenant.ts';
import { loadTenants, type SimulatorDefaults, TenantFileError } from '../../../src/platform/tenant-file.ts';

export const env = {
  ACME_VENDOR_KEY: 'vendor-key',
  ACME_SECRET: 'client-secret',
  ACME_HOOK_PATH: 'p'.repeat(64),
  ACME_NEXT_PATH: 'q'.repeat(64),
  ACME_HOOK_KEY: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
  ACME_SHORT: 'short',
};

export const GOOD = `tenant: acme
vendor:
  baseUrl: http://127.0.0.1:4010/
  apiKey: env:ACME_VENDOR_KEY
  keyHeader: X-Our-Key
  partnerId: P000123
  poll: { every: 90s, overlap: 10m }
  ratePerSecond: 2.5
  values:
    status: { VALIDATED: "V_STAGE", LOST: "LOST" }
    reasonLost: { NO_PROJECT: "NO_PROJ" }
    revenueType: {}
salesforce:
  loginUrl: http://127.0.0.1:4020
  apiVersion: "67.0"
  organizationId: 00D000000000001
  auth: { flow: client-credentials, clientId: 3MVG9, clientSecret: env:ACME_SECRET }
  sweep: { every: 5m, overlap: 15m }
  multiCurrency: true
webhooks: { path: env:ACME_HOOK_PATH, keys: [env:ACME_HOOK_KEY], actionIds: [04k000000000001] }
dates: { zone: Europe/Paris }
currency: EUR
mapping: default
closeFromVendor: true
`;

export const SIMULATORS: SimulatorDefaults = {
  vendor: {
    baseUrl: 'http://127.0.0.1:1',
    apiKey: generatedSecret('simulated'),
    partnerId: 'PSIM',
    values: { status: { LOST: 'SIM_LOST' } },
    pollEveryMs: 2000,
  },
  salesforce: {
    loginUrl: 'http://127.0.0.1:2',
    organizationId: '00D000000000009EAA',
    auth: { flow: 'client-credentials', clientId: 'sim', clientSecret: generatedSecret('simulated') },
    currency: 'USD',
    webhooks: { paths: [generatedSecret('z'.repeat(64))], keys: [], actionIds: [] },
  },
};

/** A folder for the tenant files of one test. */
export function tenantFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'tenants-'));
  function put(name: string, text: string): string {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  }
  function load(text: string, simulators?: SimulatorDefaults): Tenant {
    const path = put('acme.yaml', text);
    return loadTenants([path], { env, ...(simulators && { simulators }) })[0] as Tenant;
  }
  return { folder, put, load, remove: () => rmSync(folder, { recursive: true }) };
}

/** The problems of a file as `line: message`. */
export function problems(path: string, simulators?: SimulatorDefaults): readonly string[] {
  try {
    loadTenants([path], { env, ...(simulators && { simulators }) });
  } catch (error) {
    if (!(error instanceof TenantFileError)) throw error;
    return error.problems.map((problem) => `${problem.line}: ${problem.message}`);
  }
  return [];
}
