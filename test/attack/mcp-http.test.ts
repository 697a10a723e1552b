import { request } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMcpHttp } from '../../src/console/mcp/mcp-http.ts';
import { listen } from '../../src/platform/http-listen.ts';
import { silentLogger } from '../../src/platform/logger.ts';
import { grant, openConsole, type TestConsole } from '../support/console.ts';

/** What a page of another site, a program without the right or a thief of an address gets out of `lockstep mcp --http`. */

let console: TestConsole;
let url = '';
let token = '';
beforeAll(async () => {
  console = await openConsole();
  const base = 'http://127.0.0.1:4050';
  const own = { ports: console.ports, site: { origin: null }, base, log: silentLogger, version: '0.0.0' };
  const server = await listen(createMcpHttp(own), { host: '127.0.0.1', port: 0 });
  afterAll(() => server.close());
  ({ url } = server);
  const grants = [grant('acme', 'operator')];
  ({ token } = await console.tokens.create({ name: 'assistant', grants, days: 1, madeBy: 'ada' }));
}, 60_000);

const INITIALIZE = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
};
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

const send = (headers: Readonly<Record<string, string>>, path = '/mcp', body: object = INITIALIZE) =>
  fetch(`${url}${path}`, { method: 'POST', headers: { ...HEADERS, ...headers }, body: JSON.stringify(body) });

it('answers a program with a token by its rights, and changes nothing', async () => {
  const client = new Client({ name: 'test', version: '0.0.0' });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }) as never);
  const call = async (name: string, input: Record<string, unknown>) => {
    const { content, isError = false } = await client.callTool({ name, arguments: input });
    return { text: (content as [{ text: string }])[0].text, isError };
  };
  expect(JSON.parse((await call('inbox', { tenant: 'acme' })).text)).toMatchObject({ shape: 'inbox/1' });
  expect((await call('inbox', { tenant: 'other' })).isError).toBe(true);
  const proposed = JSON.parse((await call('propose_resume', { tenant: 'acme' })).text);
  expect(proposed).toMatchObject({ isDone: false, confirmAt: 'http://127.0.0.1:4050/tenants/acme' });
  expect(await console.ledger.lastActions(null, null, 10)).toEqual([]);
  await client.close();
});

it.each([
  ['without a token', {}, '/mcp', 401],
  ['with another token', { authorization: `Bearer lockstep_${'A'.repeat(43)}` }, '/mcp', 401],
  ['with a session of a person', { cookie: `lockstep=${'A'.repeat(43)}` }, '/mcp', 401],
  ['from a page of another site', { origin: 'https://evil.example' }, '/mcp', 403],
  ['from a page of no origin', { origin: 'null' }, '/mcp', 403],
  ['that another site caused', { 'sec-fetch-site': 'cross-site' }, '/mcp', 403],
] as const)('refuses a request %s', async (_, headers, path, status) => {
  const own = status === 403 ? { authorization: `Bearer ${token}` } : {};
  expect((await send({ ...own, ...headers }, path)).status).toBe(status);
});

it('refuses a token in the address', async () => {
  expect((await send({}, `/mcp?token=${token}`)).status).toBe(400);
  expect((await send({ authorization: `Bearer ${token}` }, `/mcp?access_token=${token}`)).status).toBe(400);
});

it('answers under no other name, against DNS rebinding', async () => {
  for (const host of ['evil.example', '127.0.0.1.evil.example', '10.0.0.7']) {
    const status = await new Promise<number>((resolve, reject) => {
      const headers = { ...HEADERS, host, authorization: `Bearer ${token}` };
      const asked = request(`${url}/mcp`, { method: 'POST', headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      });
      asked.once('error', reject);
      asked.end(JSON.stringify(INITIALIZE));
    });
    expect([host, status]).toEqual([host, 403]);
  }
});

it('gives no session of the protocol, and continues none that a program names', async () => {
  const planted = { authorization: `Bearer ${token}`, 'mcp-session-id': 'planted' };
  const answer = await send(planted);
  expect([answer.status, answer.headers.get('mcp-session-id')]).toEqual([200, null]);
  const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
  expect((await send({ 'mcp-session-id': 'planted' }, '/mcp', list)).status).toBe(401);
  for (const method of ['GET', 'DELETE'])
    expect((await fetch(`${url}/mcp`, { method, headers: planted })).status).toBe(405);
});
