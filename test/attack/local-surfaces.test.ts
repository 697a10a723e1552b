import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { startSalesforceSimulator, startVendorSimulator } from 'lockstep-simulators';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serverArgs } from '../../playground/temporal/temporal-server.ts';
import { addressTable } from '../../playground/up/address-table.ts';
import { startHealthServer } from '../../src/platform/health-server.ts';
import { silentLogger } from '../../src/platform/logger.ts';

/**
 * What needs no key on this machine is in reach of every page that its browser shows: by a name that is made to lead here
 * (DNS rebinding), and by what a page may send to other sites unasked.
 */

const STARTS = {
  vendor: () => startVendorSimulator({ orders: 1 }),
  salesforce: () => startSalesforceSimulator({ seed: 'empty' }),
  probes: async () => {
    const metrics = () => 'up 1\n';
    return startHealthServer({ host: '127.0.0.1', port: 0, checks: {}, metrics, log: silentLogger });
  },
} as const;
const PROBES = ['/healthz', '/readyz', '/metrics'];
const ADMIN = ['/__admin/health', '/__admin/records', '/__admin/requests', '/__admin/faults'];
const SURFACES = {
  vendor: [...PROBES, ...ADMIN, '/', '/openapi.json', '/reference', '/reference/scalar.js', '/__admin/keys'],
  salesforce: [...PROBES, ...ADMIN, '/'],
  probes: PROBES,
} as const;
const FOREIGN_HOSTS = [
  'evil.example',
  'evil.example:4010',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  '10.0.0.7',
  '[2001:db8::1]',
  'xn--localhost-9j0d.example',
];
const OWN_HOSTS = ['127.0.0.1', 'localhost', 'vendor.localhost', '[::1]', '127.0.0.1:9'];

function send(url: string, headers: Readonly<Record<string, string>>, method = 'GET', body = ''): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(url, { method, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    call.once('error', reject);
    call.end(body);
  });
}

describe.each(['vendor', 'salesforce', 'probes'] as const)('what %s shows without a key', (name) => {
  let url: string;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const server = await STARTS[name]();
    ({ url } = server);
    close = () => server.close();
  });
  afterAll(() => close());

  test.each(FOREIGN_HOSTS)('is not shown under the name %s', async (host) => {
    const shown: string[] = [];
    for (const path of SURFACES[name]) if ((await send(url + path, { host })) !== 403) shown.push(path);
    expect(shown).toEqual([]);
  });

  test.each(OWN_HOSTS)('is shown under the name %s', async (host) => {
    const hidden: string[] = [];
    for (const path of SURFACES[name]) if ((await send(url + path, { host })) !== 200) hidden.push(path);
    expect(hidden.filter((path) => path !== '/__admin/keys')).toEqual([]);
  });
});

const FOREIGN_PAGES: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['of another site', { origin: 'http://evil.example' }],
  ['of no origin', { origin: 'null' }],
  ['of another port', { origin: 'http://127.0.0.1:9' }],
  ['of another scheme', { origin: 'https://127.0.0.1' }],
  ['of another site that hides its origin', { 'sec-fetch-site': 'cross-site' }],
  ['of another port that hides its origin', { 'sec-fetch-site': 'same-site' }],
];
const CONTENT_TYPES = [
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
];
const WRITES = [
  ['POST', '/faults', '{"status":503}'],
  ['POST', '/reset', '{}'],
  ['PUT', '/clock', '{"advanceMs":1000000}'],
  ['DELETE', '/faults', ''],
] as const;

describe.each(['vendor', 'salesforce'] as const)('a page that the browser shows beside the %s simulator', (name) => {
  let simulator: Awaited<ReturnType<(typeof STARTS)['vendor']>> | Awaited<ReturnType<(typeof STARTS)['salesforce']>>;
  beforeAll(async () => {
    simulator = await STARTS[name]();
  });
  afterAll(() => simulator.close());

  test.each(FOREIGN_PAGES)('%s changes nothing, whatever it calls its body', async (_name, headers) => {
    const through: string[] = [];
    for (const [method, path, body] of WRITES) {
      for (const type of CONTENT_TYPES) {
        const status = await send(simulator.adminUrl + path, { ...headers, 'content-type': type }, method, body);
        if (status !== 403) through.push(`${method} ${path} as ${type}: ${status}`);
      }
    }
    expect(through).toEqual([]);
  });

  test('reads nothing of the admin surface, also where the answer would be a script', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
    for (const path of ADMIN) expect([path, await send(simulator.url + path, headers)]).toEqual([path, 403]);
  });

  test('of its own changes things with JSON only, and may be linked to', async () => {
    const { origin } = new URL(simulator.url);
    const own = { origin, 'sec-fetch-site': 'same-origin' };
    const statuses: number[] = [];
    for (const type of CONTENT_TYPES) {
      const headers = { ...own, 'content-type': type };
      statuses.push(await send(`${simulator.adminUrl}/faults`, headers, 'POST', '{"status":503}'));
    }
    expect(statuses).toEqual([201, 415, 415, 415]);
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect(await send(simulator.url, link)).toBe(200);
  });
});

describe('Temporal’s development UI, which answers any Host', () => {
  test('is on loopback addresses only', () => {
    const options = { program: '', port: 7233, uiPort: 8233, dbFile: 'db', logFile: 'log', env: {} };
    const args = serverArgs({ ...options, signal: new AbortController().signal });
    const addresses = args.flatMap((arg, at) => (/^--(ui-)?ip$/.test(arg) ? [args[at + 1]] : []));
    expect(addresses).toEqual(['127.0.0.1']);
  });

  test('has a warning below the address that npm start prints, and in the tutorial', () => {
    const home = { dir: '/home', logs: '/logs' } as Parameters<typeof addressTable>[2];
    const of = { baseUrl: 'http://127.0.0.1:1', ops: 'http://127.0.0.1:1' };
    const endpoints = {
      ...{ vendor: null, salesforce: null, webhooks: of, console: of, worker: of, tenants: [] },
      ...{ temporal: { ui: 'http://127.0.0.1:8233', address: '127.0.0.1:7233' }, postgres: { url: 'postgres://x/y' } },
    } as unknown as Parameters<typeof addressTable>[0];
    const [address, warning] = addressTable(endpoints, ['demo'], home);
    expect(address).toContain('Temporal UI');
    expect(warning).toContain('answers any Host');
    expect(readFileSync('docs/tutorial.md', 'utf8')).toContain('accepts any `Host` header');
  });
});
