import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectRemotes } from '../../src/worker/remotes.ts';
import { type ScriptedServer, startScriptedServer } from '../support/partner-api/scripted-server.ts';
import { GOOD, tenantFolder } from '../support/stack/tenant-files.ts';

const files = tenantFolder();
let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
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

it('a read that the vendor cannot answer is left to Temporal to repeat', async () => {
  const tenant = files.load(GOOD.replace('http://127.0.0.1:4010/', server.url));
  const { vendor } = connectRemotes(tenant);
  const before = server.requests.length;
  server.script({ status: 503 }, { body: { data: [] } });
  await expect(vendor.searchPortfolioItems({})).rejects.toMatchObject({ kind: 'unavailable' });
  expect(server.requests).toHaveLength(before + 1);
});
