import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
  OTEL_EXPORTER_OTLP_HEADERS: 'foreign',
  AWS_SECRET_ACCESS_KEY: 'foreign',
  NPM_TOKEN: 'foreign',
  NPM_CONFIG_KEY: 'foreign',
  HTTPS_PROXY: 'foreign',
  GITHUB_TOKEN: 'foreign',
  NEW_RELIC_LICENSE_KEY: 'foreign',
  SHARED_KEY: 'shared',
  SHARED_KEY_2: 'not shared',
  FLEET_KEY: 'shared',
  ACME_HOOK_KEY: KEY,
  GLOBEX_HOOK_KEY: KEY,
};
const secrets = () => readSettings(env, { cwd: root, terminal: false }).tenantSecrets;

beforeAll(() => {
  const own = [join(tenants, 'keys'), join(mounted, 'acme'), join(mounted, 'globex'), join(tenants, 'acme')];
  for (const folder of [tenants, mounted, join(root, 'home'), ...own]) mkdirSync(folder);
  mkdirSync(join(mounted, 'acme/..2026'));
  for (const file of [
    join(mounted, 'acme/own.key'),
    join(mounted, 'acme/..2026/mounted.key'),
    join(mounted, 'acme/twin.key'),
    join(mounted, 'globex/own.key'),
    join(tenants, 'acme/own.key'),
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
  symlinkSync(join(mounted, 'globex/own.key'), join(mounted, 'acme/link.key'));
  symlinkSync('..2026/mounted.key', join(mounted, 'acme/mounted.key'));
  symlinkSync(join(mounted, 'globex'), join(mounted, 'initech'));
  linkSync(join(mounted, 'acme/twin.key'), join(mounted, 'globex/twin.key'));
  writeFileSync(join(mounted, 'acme/large.key'), 'x'.repeat(65 * 1024), { mode: 0o600 });
  execFileSync('mkfifo', ['-m', '600', join(mounted, 'acme/pipe.key'), join(tenants, 'pipe.mapping.yaml')]);
  writeFileSync(join(tenants, 'own.mapping.yaml'), 'values: { reasonLost: { NO_PROJECT: X } }\n');
  writeFileSync(join(tenants, 'large.mapping.yaml'), `# ${'x'.repeat(300 * 1024)}\n`);
  writeFileSync(join(tenants, 'acme/any-name.yaml'), 'values: {}\n');
  writeFileSync(join(root, 'foreign.yaml'), 'a-line-of-another-file: hunter2\n');
  symlinkSync(join(root, 'foreign.yaml'), join(tenants, 'link.mapping.yaml'));
  writeFileSync(join(tenants, 'secret.mapping.yaml'), 'P4ssw0rd!of-a-user: 1\n');
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
  ['acme', `file:${join(mounted, 'acme/own.key')}`],
  ['acme', `file:${join(mounted, 'acme/mounted.key')}`],
  ['acme', 'file:acme/own.key'],
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
  ['acme', `file:${join(mounted, 'own.key')}`],
  ['acme', `file:${join(mounted, 'globex/own.key')}`],
  ['acme', `file:${join(mounted, 'acme/../globex/own.key')}`],
  ['acme', `file:${join(mounted, 'acme/link.key')}`],
  ['initech', `file:${join(mounted, 'initech/own.key')}`],
  ['otel', 'env:OTEL_EXPORTER_OTLP_HEADERS'],
  ['aws', 'env:AWS_SECRET_ACCESS_KEY'],
  ['aws-secret', 'env:AWS_SECRET_ACCESS_KEY'],
  ['npm', 'env:NPM_TOKEN'],
  ['npm-config', 'env:NPM_CONFIG_KEY'],
  ['https', 'env:HTTPS_PROXY'],
  ['github', 'env:GITHUB_TOKEN'],
  ['new-relic', 'env:NEW_RELIC_LICENSE_KEY'],
])('%s may not name %s', (tenant, reference) => {
  const problems = problemsOf([tenant, file(tenant, reference)]);
  expect(problems).toHaveLength(2);
  for (const problem of problems) expect(problem).toMatch(/names|points/);
});

test.each([
  'file:~/own.key',
  'file:own.key/own.key',
  'file:keys/own.key\\0',
  `file:${'a'.repeat(5_000)}`,
  `file:${join(mounted, 'acme/own.key/../../globex/own.key')}`,
  `file:${join(mounted, 'acme/%2e%2e/globex/own.key')}`,
  `file:/${join(mounted, 'globex/own.key')}`,
  'file:/proc/self/environ',
  'env:acme_VENDOR_KEY',
])('a path or name that is none is a problem of its tenant: %s', (reference) => {
  expect(problemsOf(['acme', file('acme', reference)])).toHaveLength(2);
});

test('a file that became a link to another tenant’s is not read', () => {
  const [own, folder, kept] = ['acme/turned.key', 'acme', 'acme-kept'].map((name) => join(mounted, name));
  writeFileSync(own ?? '', 'a-key', { mode: 0o600 });
  writeFileSync(join(tenants, 'acme.yaml'), file('acme', `file:${own}`));
  const [acme] = loadTenants([join(tenants, 'acme.yaml')], { env, secrets: secrets() });
  const key = acme?.vendor.apiKey;
  expect(key?.reveal()).toBe('a-key');
  rmSync(own ?? '');
  symlinkSync(join(mounted, 'globex/own.key'), own ?? '');
  expect(() => key?.reveal()).toThrow(/outside this tenant's own folder/);
  rmSync(own ?? '');
  // A rotation, as Kubernetes makes one.
  symlinkSync('..2026/mounted.key', own ?? '');
  expect(key?.reveal()).toBe('a-key');
  renameSync(folder ?? '', kept ?? '');
  symlinkSync(join(mounted, 'globex'), folder ?? '');
  symlinkSync('own.key', join(mounted, 'globex/turned.key'));
  expect(() => key?.reveal()).toThrow(/outside this tenant's own folder/);
  rmSync(folder ?? '');
  renameSync(kept ?? '', folder ?? '');
  for (const path of [own ?? '', join(mounted, 'globex/turned.key'), join(tenants, 'acme.yaml')]) rmSync(path);
});

test('beside the file of another tenant only a folder of its own is a tenant’s', () => {
  const foreign = join(mounted, 'globex/own.key');
  expect(problemsOf(['acme', file('acme', 'file:own.key')], ['globex', file('globex', `file:${foreign}`)])).toEqual(
    Array(2).fill(expect.stringMatching(/own folder/)),
  );
  const own = ['acme', file('acme', 'file:acme/own.key')] as const;
  expect(problemsOf(own, ['globex', file('globex', `file:${foreign}`)])).toEqual([]);
});

test('one file is one tenant’s, whatever path leads to it', () => {
  const of = (tenant: string, name: string) => [tenant, file(tenant, `file:${join(mounted, tenant, name)}`)] as const;
  expect(problemsOf(of('acme', 'own.key'), of('globex', 'own.key'))).toEqual([]);
  expect(problemsOf(of('acme', 'twin.key'), of('globex', 'twin.key'))).toEqual([
    'vendor.apiKey points at the same file as a secret of acme: give each its own',
  ]);
});

test.each(['pipe.key', 'large.key'])('a secret is in a regular file of some size: %s', (name) => {
  const problems = problemsOf(['acme', file('acme', `file:${join(mounted, 'acme', name)}`)]);
  expect(problems).toEqual(Array(2).fill(expect.stringMatching(/is no regular file|is larger than/)));
});

const mapped = (name: string) => problemsOf(['acme', `${file('acme', 'env:ACME_VENDOR_KEY')}mapping: "${name}"\n`]);

test.each(['own.mapping.yaml', 'acme/any-name.yaml', join(tenants, 'own.mapping.yaml')])(
  'a mapping may be %s',
  (name) => {
    expect(mapped(name)).toEqual([]);
  },
);

test.each([
  '../foreign.yaml',
  join(root, 'foreign.yaml'),
  'link.mapping.yaml',
  '/etc/hostname',
  '/proc/self/environ',
  '/dev/zero',
  'pipe.mapping.yaml',
  'large.mapping.yaml',
])('a mapping may not be %s, and nothing of it is reported', (name) => {
  const problems = mapped(name);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(/^mapping points|^the mapping file cannot be read \((NO_REGULAR_FILE|TOO_LARGE)\)/);
  expect(problems[0]).not.toContain('a-line-of');
});

test('a key that is no plain name is not reported', () => {
  expect(mapped('secret.mapping.yaml')).toEqual([expect.stringMatching(/^\(a key\) is not a known key/)]);
});

describe.each<[string, (count: number) => readonly [more: string, webhooks?: string]]>([
  ['unknown keys', (count) => [Array.from({ length: count }, (_, at) => `k${at}: 1`).join('\n')]],
  ['one key again and again', (count) => ['k: 1\n'.repeat(count)]],
  ['wrong values', (count) => ['', `{ actionIds: [${'x, '.repeat(count)}] }`]],
])('a file of many %s', (_, written) => {
  test.each([2, 4])('costs no more than its length: %i times 1,000', (times) => {
    const cost = (count: number): number => {
      const [more, webhooks] = written(count);
      const begun = performance.now();
      const problems = problemsOf(['acme', `${file('acme', 'env:ACME_VENDOR_KEY', webhooks)}${more}\n`]);
      expect(problems.length).toBeGreaterThan(49);
      expect(problems.length).toBeLessThan(60);
      return performance.now() - begun;
    };
    const least = (count: number) => Math.min(...Array.from({ length: 3 }, () => cost(count)));
    expect(least(1_000 * times)).toBeLessThan(6 * times * Math.max(20, least(1_000)));
  });
});

test('the keys that a section may have are found once, not for each unknown key', () => {
  const cost = (count: number): number => {
    const unknown = Array.from({ length: count }, (_, at) => `k${at}: 1\n`).join('');
    const begun = process.threadCpuUsage();
    expect(problemsOf(['acme', `${file('acme', 'env:ACME_VENDOR_KEY')}${unknown}`])).toHaveLength(count);
    const { user, system } = process.threadCpuUsage(begun);
    return user + system;
  };
  const least = (count: number) => Math.min(...Array.from({ length: 5 }, () => cost(count)));
  least(1);
  expect(least(50)).toBeLessThan(5 * least(1));
});

test('a file that multiplies itself by its aliases is not unfolded', () => {
  const lines = ['a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1]'];
  for (let at = 1; at < 5; at += 1)
    lines.push(
      `a${at}: &a${at} [${Array(8)
        .fill(`*a${at - 1}`)
        .join(', ')}]`,
    );
  expect(problemsOf(['acme', `${file('acme', 'env:ACME_VENDOR_KEY')}${lines.join('\n')}\n`])).toEqual([
    'too many aliases (*name): write the values out',
  ]);
});

test('a list of all names lists none', () => {
  const all = readSettings({ ...env, LOCKSTEP_TENANT_ENV: '*' }, { cwd: root, terminal: false });
  expect(all.tenantSecrets.names).toEqual([]);
});

test('two tenants have no signing key in common', () => {
  const both = (tenant: string) =>
    [
      tenant,
      file(tenant, `env:${tenant.toUpperCase()}_VENDOR_KEY`, `{ keys: [env:${tenant.toUpperCase()}_HOOK_KEY] }`),
    ] as const;
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

test.each(['https://acme.my.salesforce.com/path', 'https://acme.my.salesforce.com/services/', 'https://u@x.example'])(
  'nobody signs in at %s',
  (loginUrl) => {
    const text = file('acme', 'file:own.key').replace('https://acme.my.salesforce.com', loginUrl);
    expect(problemsOf(['acme', text])).toHaveLength(1);
  },
);
