import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/console/api/endpoints.ts';
import { createMcpHttp } from '../../src/console/mcp/mcp-http.ts';
import { toolName } from '../../src/console/mcp/mcp-server.ts';
import { listen } from '../../src/platform/http-listen.ts';
import { silentLogger } from '../../src/platform/logger.ts';
import { grant } from '../support/console.ts';
import { INPUT, type NeighbouredConsole, OWN, openNeighbouredConsole, SECRETS } from '../support/console-neighbours.ts';

/** A program with a token for one tenant, and a model that reads hostile texts: what the tools of MCP let it reach. */

const BASE = 'https://console.example';
const ALL = ENDPOINTS.filter(({ takesSecrets }) => takesSecrets !== true).map((one) => [toolName(one), one] as const);

let console: NeighbouredConsole;
let client: Client;
beforeAll(async () => {
  console = await openNeighbouredConsole();
  const own = { ports: console.ports, site: { origin: null }, base: BASE, log: silentLogger, version: '0.0.0' };
  const server = await listen(createMcpHttp(own), { host: '127.0.0.1', port: 0 });
  const grants = [grant('acme', 'administrator', true)];
  const { token } = await console.tokens.create({ name: 'assistant', grants, days: 1, madeBy: 'ada' });
  client = new Client({ name: 'test', version: '0.0.0' });
  const headers = { authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit: { headers } });
  await client.connect(transport as never);
  afterAll(async () => {
    await client.close();
    await server.close();
  });
}, 60_000);

async function use(name: string, input: object): Promise<{ readonly text: string; readonly isError: boolean }> {
  console.advance(120_000);
  const { content, isError = false } = await client.callTool({ name, arguments: { ...input } });
  return { text: (content as [{ text: string }])[0].text, isError: isError === true };
}

function expectNoSecret(text: string): void {
  for (const secret of SECRETS) expect(text.replaceAll(`${SECRETS[0]}: acme`, '')).not.toContain(secret);
}

const given = { ...INPUT, ids: INPUT['ids'], field: 'description' };

describe('a tool', () => {
  it.each(ALL)('%s shows and changes nothing of another tenant', async (name, { path, effect }) => {
    const before = await console.stateOfOther();
    console.takeSent();
    for (const tenant of ['acme', 'other', 'acme/../other', 'ACME', '*', '']) {
      const { text, isError } = await use(name, { ...given, tenant });
      expectNoSecret(text);
      if (path.includes('{tenant}') && tenant !== 'acme') expect([tenant, isError]).toEqual([tenant, true]);
    }
    expect(await console.stateOfOther()).toBe(before);
    expect(console.takeSent().filter((args) => effect === 'writes' || args.includes('"other"'))).toEqual([]);
  });

  it.each(ALL.filter(([, { effect }]) => effect === 'writes'))(
    '%s changes nothing, and names only a page of the console',
    async (name) => {
      const actions = JSON.stringify(await console.ledger.lastActions(null, null, 100));
      for (const id of [OWN.crmId, 'x.evil.example', '..', 'a:b']) {
        const input = {
          ...given,
          tenant: 'acme',
          id,
          ids: [id],
          crmId: OWN.crmId,
          vendorId: id,
          confirmAt: 'https://evil.example',
        };
        const { text, isError } = await use(name, input);
        if (isError) continue;
        const { isDone, confirmAt } = JSON.parse(text) as { isDone: boolean; confirmAt: string };
        expect(isDone).toBe(false);
        expect(new URL(confirmAt).origin).toBe(BASE);
        expect(new URL(confirmAt).pathname).toMatch(/^\/(tenants\/acme(\/[\w%.:-]+)*|tokens|notices)$/);
      }
      expect(console.takeSent()).toEqual([]);
      expect(JSON.stringify(await console.ledger.lastActions(null, null, 100))).toBe(actions);
    },
  );
});
