import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import {
  programEnvironment,
  serviceEnvironment,
  simulatorEnvironment,
} from '../../playground/processes/environments.ts';
import { setupEnvironment } from '../../scripts/setup/environment.mjs';
import { run } from '../../scripts/setup/run.mjs';

/** What stands in somebody's shell is none of the business of the programs that `npm start` and its set-up run. */

const PLAIN = { PATH: '/bin', HOME: '/home/a', LANG: 'C', LC_ALL: 'C', TZ: 'UTC', TMPDIR: '/tmp' };
const OF_SERVICES = {
  DATABASE_URL: 'postgres://u:p@127.0.0.1/db',
  PGPASSWORD: 'p',
  LOCKSTEP_HOME: '/h',
  LOCKSTEP_SEALING_KEY: 'file:/k',
  TEMPORAL_API_KEY: 'k',
  HTTPS_PROXY: 'http://u:p@proxy',
  NODE_OPTIONS: '--max-old-space-size=4096',
};
const NAMED = { ACME_VENDOR_KEY: 'k', acme_hook: 'h' };
const FOREIGN = {
  AWS_SECRET_ACCESS_KEY: 's',
  GITHUB_TOKEN: 's',
  NPM_TOKEN: 's',
  npm_config__authToken: 's',
  OTHER_VENDOR_KEY: 's',
  ACME_VENDOR_KEY_OLD: 's',
  LD_PRELOAD: '/tmp/evil.so',
  BASH_ENV: '/tmp/evil',
  XDATABASE_URL: 's',
  __proto__x: 's',
};
const ALL = { ...PLAIN, ...OF_SERVICES, ...NAMED, ...FOREIGN };
const TENANT_FILE = 'vendor: { apiKey: env:ACME_VENDOR_KEY }\nwebhooks: { path: "env:acme_hook" }\n';

test.each([
  ['the Temporal server', programEnvironment(ALL), PLAIN],
  ['a simulator', simulatorEnvironment(ALL), PLAIN],
  ['a worker', serviceEnvironment(ALL, TENANT_FILE), { ...PLAIN, ...OF_SERVICES, ...NAMED }],
  ['a worker of the demonstration', serviceEnvironment(ALL, ''), { ...PLAIN, ...OF_SERVICES }],
])('%s gets what it needs and no more', (_name, result, wanted) => {
  expect(result).toEqual(wanted);
});

const OF_INSTALLERS = {
  npm_config_registry: 'https://registry.example',
  NPM_CONFIG_USERCONFIG: '/c/.npmrc',
  'npm_config_//registry.example/:_authToken': 't',
  PIP_INDEX_URL: 'https://u:p@pypi.example/simple',
  HTTPS_PROXY: 'http://u:p@proxy',
  https_proxy: 'http://u:p@proxy',
  ALL_PROXY: 'socks5://proxy',
  no_proxy: '*.example',
  SSL_CERT_FILE: '/c.pem',
  REQUESTS_CA_BUNDLE: '/c.pem',
  NODE_EXTRA_CA_CERTS: '/c.pem',
};
const { npm_config__authToken: _, ...NOT_OF_INSTALLERS } = FOREIGN;

const home = mkdtempSync(join(tmpdir(), 'lockstep-environment-'));
beforeAll(() => writeFileSync(join(home, '.npmrc'), ['//registry.example/:_authToken=$', '{OUR_NPM_TOKEN}'].join('')));
afterAll(() => rmSync(home, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

test('npm and pip get how registries are reached, and no more', () => {
  const needed = { ...PLAIN, ...OF_INSTALLERS, HOME: home, OUR_NPM_TOKEN: 't' };
  const { HTTPS_PROXY: _proxy, ...services } = OF_SERVICES;
  const result = setupEnvironment({ ...services, ...NAMED, ...NOT_OF_INSTALLERS, ...needed }, home);
  expect(result).toEqual(needed);
});

test('a program of the set-up sees no secret of the shell', async () => {
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'the-secret-of-the-shell');
  vi.stubEnv('ACME_VENDOR_KEY', 'the-secret-of-the-shell');
  vi.stubEnv('npm_config_registry', 'https://registry.example');
  const { code, output } = await run('env', [], { log: join(home, 'log'), limitMs: 10_000 });
  expect(code).toBe(0);
  expect(output).toContain('npm_config_registry=https://registry.example');
  expect(output).not.toContain('the-secret-of-the-shell');
});
