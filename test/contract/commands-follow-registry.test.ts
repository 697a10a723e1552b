import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { declareText } from '../../src/platform/declared-text.ts';
import { openConsole, type TestConsole, THIRD } from '../support/console.ts';
import { at } from '../support/ledger/ledger-samples.ts';

/** Commands that run for long learn of tenants that are added and removed meanwhile. The vendor answers each request with 429. */

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'cli', 'connector-main.ts');
const REMOVED = 'The tenant third was removed';

const vendor = createServer((_, answer) => answer.writeHead(429, { 'retry-after': '1' }).end());
let asked = 0;
vendor.on('request', () => {
  asked += 1;
});
let console: TestConsole;

beforeAll(async () => {
  vendor.listen(0, '127.0.0.1');
  await once(vendor, 'listening');
  console = await openConsole();
}, 60_000);
afterAll(() => vendor.close());

/** Declares the tenant `third`, also if it was removed, and returns the version of its declaration. */
async function declareThird(): Promise<number> {
  const { port } = vendor.address() as AddressInfo;
  const text = THIRD.text.replace('https://vendor.example', `http://127.0.0.1:${port}`);
  const declared = declareText({ ...THIRD, text, mapping: null }, () => null, { env: {} });
  if ('problems' in declared) throw new Error(JSON.stringify(declared.problems));
  const before = (await console.ledger.tenantsSince(0)).find(({ tenant }) => tenant === 'third');
  return Number(await console.ledger.declareTenant('third', declared.declaration, before?.version ?? null, at(0)));
}

function run(...args: readonly string[]) {
  const env = { PATH: process.env['PATH'] ?? '', ...console.settings };
  const child: ChildProcess = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  afterAll(() => child.kill('SIGKILL'));
  const said = { out: '', err: '' };
  child.stdout?.on('data', (part: Buffer) => {
    said.out += part;
  });
  child.stderr?.on('data', (part: Buffer) => {
    said.err += part;
  });
  return { child, said, ended: once(child, 'exit').then(([code]) => code as number | null) };
}

const soon = (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 100 });
const lastTenants = (out: string): readonly string[] =>
  JSON.parse(out.trimEnd().split('\n').at(-1) ?? '').tenants.map(({ tenant }: { tenant: string }) => tenant);

it('mcp on stdin: serves a tenant that is added, and refuses one that is removed', async () => {
  const env = { PATH: process.env['PATH'] ?? '', ...console.settings };
  const client = new Client({ name: 'test', version: '0.0.0' });
  afterAll(() => client.close());
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [MAIN, 'mcp'], env, stderr: 'ignore' }),
  );
  const isServed = async (): Promise<boolean> =>
    (await client.callTool({ name: 'status', arguments: { tenant: 'third' } })).isError !== true;
  const served = (is: boolean) =>
    vi.waitFor(async () => expect(await isServed()).toBe(is), { timeout: 20_000, interval: 100 });
  expect(await isServed()).toBe(false);
  const version = await declareThird();
  await served(true);
  await console.ledger.removeTenant('third', version, at(1));
  await served(false);
}, 90_000);

it('status --watch: shows a tenant that is added, and leaves out one that is removed', async () => {
  const { child, said, ended } = run('status', '--watch', '1', '--json');
  await soon(() => expect(lastTenants(said.out)).toEqual(['acme', 'other']));
  const version = await declareThird();
  await soon(() => expect(lastTenants(said.out)).toEqual(['acme', 'other', 'third']));
  await console.ledger.removeTenant('third', version, at(1));
  await soon(() => expect(lastTenants(said.out)).toEqual(['acme', 'other']));
  child.kill('SIGINT');
  await ended;
}, 90_000);

it('status --watch of one tenant: ends when this tenant is removed', async () => {
  const version = await declareThird();
  const { said, ended } = run('status', '--watch', '1', '--json', '--tenant', 'third');
  await soon(() => expect(lastTenants(said.out)).toEqual(['third']));
  await console.ledger.removeTenant('third', version, at(1));
  expect([await ended, said.err]).toEqual([1, expect.stringContaining(REMOVED)]);
}, 60_000);

it('plan: ends before its next read when the tenant is removed', async () => {
  const version = await declareThird();
  const before = asked;
  const { said, ended } = run('plan', '--tenant', 'third', '--since', '2026-01-01');
  await soon(() => expect(asked).toBeGreaterThan(before));
  await console.ledger.removeTenant('third', version, at(1));
  expect([await ended, said.err]).toEqual([1, expect.stringContaining(REMOVED)]);
}, 60_000);

it('the console’s plan in the background: is cancelled when the tenant is removed', async () => {
  const version = await declareThird();
  await console.ports.refreshTenants();
  const before = asked;
  console.ports.plans.start(console.ports.tenant('third'), { since: at(0), mapping: null });
  await soon(() => expect(asked).toBeGreaterThan(before));
  expect(console.ports.plans.status('third').state).toBe('running');
  await console.ledger.removeTenant('third', version, at(1));
  await console.ports.refreshTenants();
  expect(console.ports.plans.status('third').state).toBe('cancelled');
}, 60_000);
