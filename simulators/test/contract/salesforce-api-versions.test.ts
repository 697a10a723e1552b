import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SalesforceSimulator, startSalesforceSimulator } from '../../src/index.ts';

/** REST API Developer Guide, "API End-of-Life Policy": a retired version is 410; one that does not exist yet is 404 (integrators report it). */

let simulator: SalesforceSimulator;

beforeAll(async () => {
  simulator = await startSalesforceSimulator({ apiVersions: { oldest: 41, newest: 66 }, seed: 'empty' });
});
afterAll(() => simulator.close());

async function answer(version: string) {
  const headers = { authorization: `Bearer ${simulator.integration.accessToken}` };
  const response = await fetch(`${simulator.url}/services/data/v${version}/limits`, { headers });
  const body = (await response.json()) as readonly { readonly errorCode?: string }[];
  return [response.status, Array.isArray(body) ? body[0]?.errorCode : undefined];
}

async function put(versions: unknown): Promise<number> {
  const body = JSON.stringify(versions);
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${simulator.adminUrl}/api-versions`, { method: 'PUT', headers, body })).status;
}

it('serves the versions that it was started with, and lists them', async () => {
  expect(await answer('66.0')).toEqual([200, undefined]);
  expect(await answer('67.0')).toEqual([404, 'NOT_FOUND']);
  expect(await answer('40.0')).toEqual([410, 'GONE']);
  const listed = (await (await fetch(`${simulator.url}/services/data`)).json()) as { version: string }[];
  expect([listed[0]?.version, listed.at(-1)?.version]).toEqual(['41.0', '66.0']);
});

it('retires one at runtime, and has it again after a reset', async () => {
  expect(await put({ oldest: 67, newest: 68 })).toBe(200);
  expect(await answer('66.0')).toEqual([410, 'GONE']);
  expect(await put({ oldest: 60, newest: 59 })).toBe(400);
  expect(await put({ oldest: 'old' })).toBe(400);
  await fetch(`${simulator.adminUrl}/reset`, { method: 'POST' });
  expect((await answer('66.0'))[0]).not.toBe(410);
});
