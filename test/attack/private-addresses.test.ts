import type { LookupAddress, LookupAllOptions } from 'node:dns';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, expect, test, vi } from 'vitest';
import { isPrivateAddress } from '../../src/platform/private-address.ts';
import { readSettings } from '../../src/platform/settings.ts';
import { loadTenants, TenantFileError } from '../../src/platform/tenant-file.ts';
import { connectRemotes } from '../../src/worker/remotes.ts';
import { startHostileServer } from '../support/hostile/hostile-server.ts';
import { env, GOOD, tenantFolder } from '../support/stack/tenant-files.ts';
import { aTenant } from '../support/stack/webhooks.ts';

/** In a fleet that has no systems of its own, no tenant has a worker ask one of its neighbours. */

/** A name with one private and one public address, as DNS rebinding uses it. */
vi.mock('node:dns', async (original) => {
  const dns = await original<typeof import('node:dns')>();
  const both = ['127.0.0.1', '1.1.1.1'].map((address) => ({ address, family: 4 }));
  const lookup = (
    host: string,
    options: LookupAllOptions,
    done: (error: null, found: readonly LookupAddress[]) => void,
  ) => (host === 'both.example' ? done(null, both) : dns.lookup(host, options, done as never));
  return { ...dns, lookup };
});

const files = tenantFolder();
afterAll(files.remove);
const PUBLIC_ONLY = { folders: [], ownFiles: [], names: [], publicOnly: true };

test.each([
  ...['127.0.0.1', '127.9.9.9', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.0.1', '169.254.169.254'],
  ...['0.0.0.0', '100.64.0.1', '::1', '::', '[::1]', 'fe80::1', 'fd00::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1'],
  ...['::127.0.0.1', '::7f00:1', '::ffff:0:127.0.0.1', '0:0:0:0:0:ffff:7f00:1', 'fe80::1%eth0', '2002:7f00:1::'],
  ...['100::1', '2001:db8::1', '3fff::1', '5f00::1', '192.0.2.1', '192.88.99.1', '198.51.100.1', '203.0.113.1'],
  ...[
    '192.0.0.170',
    '198.18.0.1',
    '198.19.255.255',
    '168.63.129.16',
    'fec0::1',
    '2001::1',
    '2001:2::1',
    '64:ff9b:1::1',
  ],
  ...['255.255.255.255', '224.0.0.1', 'ff02::1', '::ffff:7f00:1', '64:ff9b::7f00:1', 'no address', ''],
])('%s is private', (address) => {
  expect(isPrivateAddress(address)).toBe(true);
});

test.each(['1.1.1.1', '172.32.0.1', '192.169.0.1', '2606:4700::1111', '::ffff:1.1.1.1', '2a00::1'])(
  '%s is not',
  (address) => {
    expect(isPrivateAddress(address)).toBe(false);
  },
);

/** A tenant file whose addresses are public, but for these. */
function named({ baseUrl = 'https://vendor.example', more = '', loginUrl = 'https://acme.my.salesforce.com' }): string {
  return GOOD.replace('baseUrl: http://127.0.0.1:4010/', more || `baseUrl: ${baseUrl}`).replace(
    'http://127.0.0.1:4020',
    loginUrl,
  );
}

test.each([
  ['vendor.salesBaseUrl', { more: 'salesBaseUrl: https://10.0.0.1\n  orderBaseUrl: https://o.example' }],
  ['vendor.orderBaseUrl', { more: 'salesBaseUrl: https://s.example\n  orderBaseUrl: https://10.0.0.1' }],
  ['salesforce.loginUrl', { loginUrl: 'https://10.0.0.1' }],
])('%s is no private address either', (key, given) => {
  const path = files.put('acme.yaml', named(given));
  expect(() => loadTenants([path], { env, secrets: PUBLIC_ONLY })).toThrow(
    expect.objectContaining({ problems: [expect.objectContaining({ message: expect.stringContaining(key) })] }),
  );
});

test('what the fleet refuses reaches each of its tenants', () => {
  const path = files.put('acme.yaml', named({}));
  const read = (value: string) =>
    readSettings({ LOCKSTEP_PRIVATE_ADDRESSES: value }, { cwd: '/', terminal: false }).tenantSecrets;
  const { publicOnly } = read('refuse');
  expect(loadTenants([path], { env, secrets: { ...PUBLIC_ONLY, publicOnly: publicOnly === true } })).toMatchObject([
    { publicOnly: true },
  ]);
  expect(read('allow')).not.toHaveProperty('publicOnly');
  for (const unclear of ['Refuse', 'yes', 'refuse ']) expect(() => read(unclear)).toThrow('LOCKSTEP_PRIVATE_ADDRESSES');
});

test.each([
  ...['https://localhost', 'https://127.0.0.1', 'https://10.0.0.1:8443', 'https://[::1]', 'https://2130706433'],
  ...['https://0177.0.0.1', 'https://127.1', 'https://[::7f00:1]', 'https://[::ffff:169.254.169.254]'],
  ...['https://LOCALHOST.', 'https://１２７.0.0.1', 'https://router.lan', 'https://nas.home.arpa'],
  ...[
    'https://printer.local',
    'https://db.internal.',
    'https://0x7f.1',
    'https://metadata.google.internal',
    'https://169.254.169.254',
    'https://a.localhost',
  ],
])('a tenant file may not name %s', (url) => {
  const path = files.put('acme.yaml', named({ baseUrl: url }));
  expect(() => loadTenants([path], { env, secrets: PUBLIC_ONLY })).toThrow(TenantFileError);
  expect(loadTenants([path], { env })).toHaveLength(1);
});

test('a name is judged by what it is resolved to, before a byte of a request leaves', async () => {
  const server = await startHostileServer(() => ({}));
  const url = server.url.replace('127.0.0.1', 'localhost');
  const tenant = aTenant();
  for (const publicOnly of [true, false]) {
    const { vendor, crm, close } = connectRemotes({
      ...tenant,
      publicOnly,
      vendor: { ...tenant.vendor, salesBaseUrl: url },
      salesforce: { ...tenant.salesforce, loginUrl: url },
    });
    const errors = [
      await vendor.readLeadOpportunity({ id: 'DS-1' }).catch((error: unknown) => error),
      await crm.readGraph('006000000000001AAA').catch((error: unknown) => error),
    ];
    expect(errors).toMatchObject(
      publicOnly ? [{ kind: 'network', code: 'PRIVATE_ADDRESS' }, { code: 'NETWORK' }] : [{}, {}],
    );
    expect(server.requests.length > 0).toBe(!publicOnly);
    await close();
  }
  await server.close();
});

test.each(['localhost', '127.0.0.1', 'both.example'])('no packet is sent to %s, not even for TLS', async (host) => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const tenant = aTenant();
  const url = `https://${host}:${(server.address() as AddressInfo).port}`;
  const { vendor, close } = connectRemotes({
    ...{ ...tenant, publicOnly: true },
    vendor: { ...tenant.vendor, salesBaseUrl: url },
  });
  await expect(vendor.readLeadOpportunity({ id: 'DS-1' })).rejects.toMatchObject({ code: 'PRIVATE_ADDRESS' });
  expect(connections).toBe(0);
  await close();
  server.close();
});
