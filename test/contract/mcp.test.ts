import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/console/api/endpoints.ts';
import { toolName } from '../../src/console/mcp/mcp-server.ts';
import { openConsole, type TestConsole } from '../support/console.ts';
import { at, DECISION, PRIVATE_VALUES } from '../support/ledger/ledger-samples.ts';

/** `lockstep mcp` as a program uses it: a child process, by the protocol's own client. */

const CRM = '006Hs00001ABCDEIA5';
const MAIN = join(import.meta.dirname, '..', '..', 'src', 'cli', 'connector-main.ts');

let console: TestConsole;
beforeAll(async () => {
  console = await openConsole();
  await console.ledger.resolveLink('acme', { crmId: CRM, vendorId: 'V1' }, at(0));
  const issue = { code: 'vendor-refused', field: 'name', message: 'Correct it.' } as const;
  await console.ledger.settle('acme', CRM, { at: at(1), state: 'parked', issues: [issue] } as never);
  await console.ledger.addToJournal('acme', CRM, { at: at(1), kind: 'decision', summary: {}, decisions: [DECISION] });
}, 60_000);

async function connect(...options: readonly string[]) {
  const env = { PATH: process.env['PATH'] ?? '', ...console.settings };
  const args = [MAIN, 'mcp', ...options];
  const client = new Client({ name: 'test', version: '0.0.0' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  afterAll(() => client.close());
  const call = async (name: string, input: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: input });
    const [{ text }] = content as [{ text: string }];
    return { text, isError: isError === true };
  };
  return { client, call };
}

it('has a tool for each endpoint that takes no secret, and none that says it changes something', async () => {
  const { client } = await connect();
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).toSorted()).toEqual(
    ENDPOINTS.filter(({ takesSecrets }) => takesSecrets !== true)
      .map(toolName)
      .toSorted(),
  );
  const left = ENDPOINTS.filter(({ takesSecrets }) => takesSecrets === true).map(({ verb }) => verb);
  expect(left).toEqual(['keys set', 'tenants preview', 'tenants add', 'tenants apply']);
  for (const { annotations, inputSchema } of tools) {
    expect(annotations?.readOnlyHint).toBe(true);
    expect(inputSchema.properties ?? {}).not.toHaveProperty('reason');
  }
}, 60_000);

it('reads within its rights, and shows no value without that right', async () => {
  const { call } = await connect('--tenant', 'acme');
  expect(JSON.parse((await call('inbox', { tenant: 'acme' })).text)).toMatchObject({
    shape: 'inbox/1',
    records: [{ crmId: CRM }],
  });
  const { text } = await call('history', { tenant: 'acme', id: CRM });
  for (const value of PRIVATE_VALUES) expect(text).not.toContain(value);
  for (const [name, input] of [
    ['status', { tenant: 'other' }],
    ['history', { tenant: 'acme', id: CRM, values: true }],
    ['audit_log_of_installation', {}],
    ['propose_sync', { tenant: 'acme', ids: [CRM] }],
  ] as const)
    expect([name, (await call(name, input)).isError]).toEqual([name, true]);
}, 60_000);

it('proposes a change with the page where a person confirms it, and changes nothing', async () => {
  const { call } = await connect('--role', 'administrator');
  const proposed = await call('propose_tenants_pause', { tenant: 'acme' });
  expect(JSON.parse(proposed.text)).toMatchObject({ isDone: false, confirmAt: 'http://127.0.0.1:4050/tenants/acme' });
  const sync = JSON.parse((await call('propose_sync', { tenant: 'acme', ids: [CRM] })).text);
  expect(sync).toMatchObject({ plans: [{}], confirmAt: `http://127.0.0.1:4050/tenants/acme/records/${CRM}` });
  expect(await console.ledger.pauses('acme')).toEqual([]);
  expect(await console.ledger.lastActions(null, null, 10)).toEqual([]);
}, 60_000);
