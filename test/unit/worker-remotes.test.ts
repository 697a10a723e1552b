import { generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { connectRemotes } from '../../src/worker/remotes.ts';
import { type ScriptedServer, startScriptedServer } from '../support/partner-api/scripted-server.ts';
import { page, refusal, STUB_ORGANIZATION, startSalesforceStub } from '../support/salesforce/salesforce-stub.ts';
import { GOOD, tenantFolder } from '../support/stack/tenant-files.ts';

const files = tenantFolder();
let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterEach(() => void vi.useRealTimers());
afterAll(async () => {
  files.remove();
  await server.close();
});

it('the one key header of a tenant file goes to both domains of the vendor', async () => {
  const tenant = files.load(GOOD.replace('http://127.0.0.1:4010/', server.url));
  const { vendor } = connectRemotes(tenant);
  server.script({ body: { data: [] } }, { body: { data: [] } });
  await vendor.searchPortfolioItems({});
  await vendor.searchPriceLists();
  const keys = server.requests.map(({ path, headers }) => [path.split('/')[1], headers['x-our-key']]);
  expect(keys).toEqual([
    ['sales', 'vendor-key'],
    ['order', 'vendor-key'],
  ]);
});

it.each(['v0', 'v1'])(
  'a tenant of %s reads and writes deals by that version, and searches by the only one',
  async (version) => {
    const text = GOOD.replace('http://127.0.0.1:4010/', server.url).replace(
      'ratePerSecond: 2.5',
      `apiVersion: ${version}`,
    );
    const { vendor } = connectRemotes(files.load(text));
    const before = server.requests.length;
    server.script({ status: 503 }, { status: 503 }, { status: 503 });
    await expect(vendor.readLeadOpportunity({ id: 'LO-1' })).rejects.toMatchObject({ kind: 'unavailable' });
    const body = { leadOpportunity: { partnerLeadOpportunityId: 'x' } };
    await expect(vendor.updateLeadOpportunity({ id: 'LO-1', ...body })).rejects.toThrow();
    await expect(vendor.searchLeadOpportunities({ data: [{ partnerLeadOpportunityId: ['x'] }] })).rejects.toThrow();
    const paths = server.requests.slice(before).map(({ path }) => path.split('/')[3]);
    expect(paths).toEqual([version, version, 'v0']);
  },
);

it('a read that the vendor cannot answer is left to Temporal to repeat', async () => {
  const tenant = files.load(GOOD.replace('http://127.0.0.1:4010/', server.url));
  const { vendor } = connectRemotes(tenant);
  const before = server.requests.length;
  server.script({ status: 503 }, { body: { data: [] } });
  await expect(vendor.searchPortfolioItems({})).rejects.toMatchObject({ kind: 'unavailable' });
  expect(server.requests).toHaveLength(before + 1);
});

const PEM = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
const UNUSABLE_PEM = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n';
it.each([
  ['flow: client-credentials, clientId: c, clientSecret: file:secret', 'old-secret', 'another-secret'],
  ['flow: jwt, clientId: c, username: u, privateKey: file:secret', UNUSABLE_PEM, PEM],
])('each sign-in to Salesforce reads the secret’s file again: %s', async (auth, refused, accepted) => {
  const org = await startSalesforceStub(({ address, body }) => {
    if (body.includes('old-secret')) return refusal(400, 'invalid_client', 'invalid client credentials');
    return address.startsWith('/services/data') ? page([{ Id: STUB_ORGANIZATION }]) : undefined;
  });
  vi.useFakeTimers({ toFake: ['Date'] });
  files.put('secret', refused);
  const text = GOOD.replace(/auth: .*/, `auth: { ${auth} }`)
    .replace('http://127.0.0.1:4020', org.url)
    .replace('00D000000000001', STUB_ORGANIZATION);
  const { crm, close } = connectRemotes(files.load(text));
  await expect(crm.probe()).rejects.toMatchObject({ kind: 'systemic' });
  files.put('secret', accepted);
  // A refused sign-in is repeated after half a minute at the earliest.
  vi.setSystemTime(Date.now() + 31_000);
  expect((await crm.probe()).organizationId).toBe(STUB_ORGANIZATION);
  await close();
  await org.close();
});
