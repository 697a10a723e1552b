import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSettings } from '../../src/platform/settings.ts';
import { loadTenants, TenantFileError } from '../../src/platform/tenant-file.ts';

/** A tenant file reaches its own secrets, and nobody else's: neither another tenant's nor Lockstep's own. */

const KEY = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
const root = mkdtempSync(join(tmpdir(), 'lockstep-secrets-'));
const tenants = join(root, 'tenants');
const mounted = join(root, 'mounted');
const env: Record<string, string> = {
  LOCKSTEP_HOME: join(root, 'home'),
  LOCKSTEP_SECRETS: mounted,
  LOCKSTEP_TENANT_ENV: 'SHARED_KEY, FLEET_*',
  DATABASE_URL: 'postgres://user:password@127.0.0.1/db',
  PGPASSWORD: 'password',
  TEMPORAL_API_KEY: 'temporal',
  ACME_VENDOR_KEY: 'own',
  ACME_EU_KEY: 'own',
  GLOBEX_VENDOR_KEY: 'foreign',
  LOCKSTEP_ANYTHING: 'ours',
  SHARED_KEY: 'shared',
  SHARED_KEY_2: 'not shared',
  FLEET_KEY: 'shared',
  ACME_HOOK_KEY: KEY,
  GLOBEX_HOOK_KEY: KEY,
};
const secrets = () => readSettings(env, { cwd: root, terminal: false }).tenantSecrets;

beforeAll(() => {
  for (const folder of [tenants, join(tenants, 'keys'), mounted, join(root, 'home')]) mkdirSync(folder);
  for (const file of [
    join(tenants, 'own.key'),
    join(tenants, 'keys/own.key'),
    join(mounted, 'own.key'),
    join(root, 'foreign.key'),
    join(root, 'home/sealing.key'),
  ])
    writeFileSync(file, 'a-key', { mode: 0o600 });
  symlinkSync(join(root, 'foreign.key'), join(tenants, 'link.key'));
  symlinkSync(root, join(tenants, 'up'));
  symlinkSync(join(root, 'home/sealing.key'), join(mounted, 'sealed.key'));
});
afterAll(() => rmSync(root, { recursive: true }));

const file = (tenant: string, apiKey: string, webhooks = '{}') => `tenant: ${tenant}
vendor: { baseUrl: "https://vendor.example", apiKey: "${apiKey}", partnerId: P1 }
salesforce:
  loginUrl: https://acme.my.salesforce.com
  auth: { flow: client-credentials, clientId: c, clientSecret: "${apiKey}" }
webhooks: ${webhooks}
currency: EUR
`;

function problemsOf(...files: readonly (readonly [string, string])[]): readonly string[] {
  const folder = mkdtempSync(join(tenants, 'of-'));
  for (const [name, content] of files) writeFileSync(join(tenants, `${name}.yaml`), content);
  try {
    loadTenants([files.length === 1 ? join(tenants, `${files[0]?.[0]}.yaml`) : tenants], {
      env,
      secrets: secrets(),
    });
    return [];
  } catch (error) {
    if (!(error instanceof TenantFileError)) throw error;
    return error.problems.map(({ message }) => message);
  } finally {
    rmSync(folder, { recursive: true });
    for (const [name] of files) rmSync(join(tenants, `${name}.yaml`));
  }
}

test.each([
  ['acme', 'env:ACME_VENDOR_KEY'],
  ['acme-eu', 'env:ACME_EU_KEY'],
  ['acme', 'env:SHARED_KEY'],
  ['acme', 'env:FLEET_KEY'],
  ['acme', 'file:own.key'],
  ['acme', 'file:keys/own.key'],
  ['acme', `file:${join(tenants, 'own.key')}`],
  ['acme', `file:${join(mounted, 'own.key')}`],
])('%s may name %s', (tenant, reference) => {
  expect(problemsOf([tenant, file(tenant, reference)])).toEqual([]);
});

test.each([
  ['acme', 'env:GLOBEX_VENDOR_KEY'],
  ['acme-eu', 'env:ACME_VENDOR_KEY'],
  ['acme', 'env:SHARED_KEY_2'],
  ['acme', 'env:DATABASE_URL'],
  ['database', 'env:DATABASE_URL'],
  ['acme', 'env:PGPASSWORD'],
  ['lockstep', 'env:LOCKSTEP_ANYTHING'],
  ['temporal', 'env:TEMPORAL_API_KEY'],
  ['acme', 'env:PATH'],
  ['acme', 'file:../foreign.key'],
  ['acme', 'file:keys/../../foreign.key'],
  ['acme', `file:${join(root, 'foreign.key')}`],
  ['acme', 'file:/etc/hostname'],
  ['acme', 'file:/proc/self/environ'],
  ['acme', 'file:link.key'],
  ['acme', 'file:up/foreign.key'],
  ['acme', 'file:../home/sealing.key'],
  ['acme', `file:${join(mounted, 'sealed.key')}`],
])('%s may not name %s', (tenant, reference) => {
  const problems = problemsOf([tenant, file(tenant, reference)]);
  expect(problems).toHaveLength(2);
  for (const problem of problems) expect(problem).toMatch(/names|points/);
});

test('a list of all names lists none', () => {
  const all = readSettings({ ...env, LOCKSTEP_TENANT_ENV: '*' }, { cwd: root, terminal: false });
  expect(all.tenantSecrets.names).toEqual([]);
});

test('two tenants have no signing key in common', () => {
  const both = (tenant: string) =>
    [tenant, file(tenant, 'file:own.key', `{ keys: [env:${tenant.toUpperCase()}_HOOK_KEY] }`)] as const;
  expect(problemsOf(both('acme'), both('globex'))).toEqual([
    expect.stringMatching(/webhooks\.keys points to the same secret as in .*acme\.yaml/),
  ]);
});

test('a tenant whose name begins another one’s may not name that one’s variables', () => {
  const other = ['acme-eu', file('acme-eu', 'env:ACME_EU_KEY')] as const;
  expect(problemsOf(['acme', file('acme', 'env:ACME_EU_KEY')])).toEqual([]);
  expect(problemsOf(['acme', file('acme', 'env:ACME_EU_KEY')], other)).toEqual([
    "vendor.apiKey names ACME_EU_KEY, which is the tenant acme-eu's",
    "salesforce.auth.clientSecret names ACME_EU_KEY, which is the tenant acme-eu's",
  ]);
  expect(problemsOf(['acme', file('acme', 'env:ACME_VENDOR_KEY')], other)).toEqual([]);
  env['LOCKSTEP_TENANT_ENV'] = 'ACME_EU_KEY';
  expect(problemsOf(['acme', file('acme', 'env:ACME_EU_KEY')], other)).toEqual([]);
});

test.each([
  'https://acme.my.salesforce.com/path',
  'https://acme.my.salesforce.com/services/',
  'https://u@x.example',
])('nobody signs in at %s', (loginUrl) => {
  const text = file('acme', 'file:own.key').replace('https://acme.my.salesforce.com', loginUrl);
  expect(problemsOf(['acme', text])).toHaveLength(1);
});
