import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { VendorSimulatorOptions } from '../../src/vendor/options.ts';
import { field, type Sandbox, startSandbox } from '../support/vendor-sandbox.ts';

const open: Sandbox[] = [];
async function start(options: VendorSimulatorOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ orders: 0, ...options });
  open.push(sandbox);
  return sandbox;
}
afterEach(async () => {
  for (const sandbox of open.splice(0)) await sandbox.close();
});

async function generate(sandbox: Sandbox) {
  const { status, body } = await sandbox.order('POST', 'v0/apikeys');
  expect(status).toBe(200);
  return body as { readonly api_key: string; readonly hashed_key: string };
}

const statusWith = async (sandbox: Sandbox, apiKey: string): Promise<readonly number[]> => [
  (await sandbox.api('GET', 'v0/portfolio-items/search', undefined, { apiKey })).status,
  (await sandbox.order('GET', 'v0/price-lists/search', undefined, { apiKey })).status,
];

describe('the key procedure (order spec 2.18, 4.1, 5)', () => {
  it('replace: the new key works after the operator step, and the old one ends with it', async () => {
    const sandbox = await start();
    const { api_key, hashed_key } = await generate(sandbox);
    expect(await statusWith(sandbox, api_key)).toEqual([403, 403]);
    expect(await statusWith(sandbox, sandbox.apiKey)).toEqual([200, 200]);
    expect((await sandbox.admin('POST', 'keys', { hashedKey: hashed_key })).status).toBe(201);
    expect(await statusWith(sandbox, api_key)).toEqual([200, 200]);
    expect(await statusWith(sandbox, sandbox.apiKey)).toEqual([403, 403]);
  });

  it('overlap: both work until the old one is revoked', async () => {
    const sandbox = await start({ rotation: 'overlap' });
    const { api_key, hashed_key } = await generate(sandbox);
    await sandbox.admin('POST', 'keys', { hashedKey: hashed_key });
    expect(await statusWith(sandbox, api_key)).toEqual([200, 200]);
    expect(await statusWith(sandbox, sandbox.apiKey)).toEqual([200, 200]);
    const listed = field((await sandbox.admin('GET', 'keys')).body, 'keys') as readonly { id: string }[];
    expect(listed).toHaveLength(2);
    expect((await sandbox.admin('DELETE', `keys/${listed[0]?.id}`)).status).toBe(204);
    expect(await statusWith(sandbox, sandbox.apiKey)).toEqual([403, 403]);
    expect((await sandbox.admin('DELETE', `keys/${listed[0]?.id}`)).status).toBe(404);
  });

  it('a single registration may go the other way', async () => {
    const sandbox = await start();
    const { api_key, hashed_key } = await generate(sandbox);
    const registered = { hashedKey: hashed_key, rotation: 'overlap' };
    expect((await sandbox.admin('POST', 'keys', { ...registered, rotation: 'both' })).status).toBe(400);
    expect((await sandbox.admin('POST', 'keys', registered)).status).toBe(201);
    expect(await statusWith(sandbox, api_key)).toEqual([200, 200]);
    expect(await statusWith(sandbox, sandbox.apiKey)).toEqual([200, 200]);
  });

  it.each([{}, { hashedKey: 'x' }, { hashedKey: 7 }])('the operator step refuses %j', async (body) => {
    expect((await (await start()).admin('POST', 'keys', body)).status).toBe(400);
  });

  it('carries no rate-limit headers in the order domain, but counts against the quota', async () => {
    const sandbox = await start();
    await sandbox.admin('PUT', 'quota', { limit: 1, windowSeconds: 60 });
    const first = await sandbox.order('GET', 'v0/price-lists/search');
    const second = await sandbox.order('GET', 'v0/price-lists/search');
    expect([first.status, second.status]).toEqual([200, 429]);
    expect(second.body).toEqual({ message: expect.any(String) });
    expect([first, second].map(({ headers }) => headers.get('X-RateLimit-Limit'))).toEqual([null, null]);
  });

  it('keeps hashes only; a rotation survives a restart, and the old key stays dead', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lockstep-keys-'));
    const state = join(folder, 'state.json');
    const first = await start({ state });
    const { api_key, hashed_key } = await generate(first);
    await first.close();
    const second = await start({ state, apiKey: first.apiKey });
    await second.admin('POST', 'keys', { hashedKey: hashed_key });
    await second.close();
    const third = await start({ state, apiKey: first.apiKey });
    expect(await statusWith(third, api_key)).toEqual([200, 200]);
    expect(await statusWith(third, first.apiKey)).toEqual([403, 403]);
    await third.close();
    const text = await readFile(state, 'utf8');
    expect([text.includes(api_key), text.includes(first.apiKey)]).toEqual([false, false]);
    await rm(folder, { recursive: true });
  });
});
