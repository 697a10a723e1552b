import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { RATES } from '../../src/console/access/rate-limits.ts';
import { createOrgDescriptions } from '../../src/console/live/org-descriptions.ts';
import { createMcpHttp } from '../../src/console/mcp/mcp-http.ts';
import { keepNote, takeNote } from '../../src/console/web/notes.ts';
import type { ConsoleContext } from '../../src/console/web/site.ts';
import { verifyAuditLog } from '../../src/operator/actions/audit-log.ts';
import { listen } from '../../src/platform/http-listen.ts';
import { silentLogger } from '../../src/platform/logger.ts';
import { csrfOf, grant, openConsole, send, type TestConsole } from '../support/console.ts';

/** A person or program with few rights passes no limit of the console, spoils no record of it, and puts no text on its pages. */

const LOOKUPS = Array.from({ length: 200 }, (_, n) => n);
const FIELD = { type: 'string', updateable: true, isCalculated: false, label: '' };

/** An org whose opportunities refer to two hundred other objects. */
const org = {
  schema: async (objects: readonly string[]) => {
    asked += objects.length;
    const lookups = LOOKUPS.map((n) => [`L${n}__c`, { ...FIELD, lookup: { name: `L${n}__r`, to: [`X${n}`] } }]);
    return Object.fromEntries(objects.map((object) => [object, { fields: Object.fromEntries(lookups) }]));
  },
  productsWithoutOffer: async () => [],
  knownOffers: async () => new Set<string>(),
  sharedLeadsWithout: async () => [],
};
let asked = 0;

let console: TestConsole;
beforeAll(async () => {
  console = await openConsole({
    ports: (own) => {
      const descriptions = createOrgDescriptions(() => Date.parse(own.now()));
      return { ...own, org: ({ tenant }) => descriptions.of(tenant, org as never) };
    },
  });
}, 60_000);

it('asks an org no more often for a viewer’s drafts than for other reads', async () => {
  const token = await console.signIn([grant('acme', 'viewer')]);
  for (const n of LOOKUPS) {
    const text = `fields:\n  nextMilestone: {crm: L${n}__r.Name}\n`;
    await send(console, '/api/v1/tenants/acme/mapping/check', { token, body: { text } });
  }
  expect(asked).toBeGreaterThan(5);
  expect(asked).toBeLessThan(2 * RATES.descriptions.burst);
});

describe('a viewer who checks drafts again and again', () => {
  /** A session that sends drafts; returns the status of the answer, or null if the console closed the connection of a refused body. */
  async function viewer() {
    const token = await console.signIn([grant('acme', 'viewer')]);
    const headers = {
      ...{ cookie: `lockstep=${token}`, origin: console.url, 'x-lockstep-csrf': await csrfOf(console, token) },
      // A closed connection must not be another session's.
      ...{ 'content-type': 'application/json', connection: 'close' },
    };
    return async (text: string, signal: AbortSignal | null = null): Promise<number | null> => {
      const request = { method: 'POST', headers, body: JSON.stringify({ text }), signal };
      const answer = await fetch(`${console.url}/api/v1/tenants/acme/mapping/diff`, request).catch(() => null);
      return answer?.status ?? null;
    };
  }

  it('has no more bytes read than the limit of a session', async () => {
    const send = await viewer();
    const statuses: (number | null)[] = [];
    for (let n = 0; n < 12; n += 1) statuses.push(await send(' '.repeat(200_000)));
    expect(statuses.filter((status) => status === 400)).toHaveLength(5);
    expect(statuses).toContain(429);
    console.advance(60_000);
    expect(await send(' '.repeat(200_000))).toBe(400);
  });

  it('delays no page of another viewer for long', async () => {
    const check = await viewer();
    const token = await console.signIn([grant('other', 'viewer')]);
    const page = () => send(console, '/tenants/other', { token });
    await page();
    const over = new AbortController();
    const checks = Array.from({ length: 100 }, () => check(`[${','.repeat(9_000)}]`, over.signal));
    const times: number[] = [];
    for (let n = 0; n < 40; n += 1) {
      const begunMs = processorMs();
      expect((await page()).status).toBe(200);
      times.push(processorMs() - begunMs);
      await pause(50);
    }
    expect(Math.max(...times)).toBeLessThan(250);
    over.abort();
    const statuses = await Promise.all(checks);
    expect(statuses).toContain(400);
    expect(statuses).toContain(429);
  }, 60_000);
});

/** The processor time of this thread, because other programs on the machine lengthen the time by the clock. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

describe('a program that speaks MCP', () => {
  /** An MCP server, and a program that sends it bodies. */
  async function program() {
    const site = { origin: null };
    const own = { ports: console.ports, site, base: 'http://127.0.0.1:4050', log: silentLogger, version: '0.0.0' };
    const server = await listen(createMcpHttp(own), { host: '127.0.0.1', port: 0 });
    onTestFinished(() => server.close());
    const grants = [grant('acme', 'viewer')];
    const { token } = await console.tokens.create({ name: 'assistant', grants, days: 1, madeBy: 'ada' });
    return (body: unknown, more: Readonly<Record<string, string>> = {}) =>
      fetch(`${server.url}/mcp`, {
        method: 'POST',
        headers: {
          ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
          ...{ authorization: `Bearer ${token}`, ...more },
        },
        body: JSON.stringify(body),
      });
  }
  const call = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'status', arguments: { tenant: 'acme' } } };

  it('sends one message in a request, because the limits count requests', async () => {
    const post = await program();
    const many = Array.from({ length: 100 }, (_, id) => ({ ...call, id }));
    expect((await post(many)).status).toBe(400);
    expect((await post([{ ...call, id: 1 }])).status).toBe(400);
    const one = await post({ ...call, id: 1 });
    expect([one.status, await one.text()]).toEqual([200, expect.stringContaining('status/1')]);
  });

  it('has no more bytes read than the limit of a session', async () => {
    const post = await program();
    const large = [{ ...call, id: ' '.repeat(200_000) }];
    const statuses: (number | null)[] = [];
    for (let n = 0; n < 12; n += 1)
      statuses.push((await post(large, { connection: 'close' }).catch(() => null))?.status ?? null);
    expect(statuses.filter((status) => status === 400)).toHaveLength(5);
    expect(statuses).toContain(429);
  });
});

it.each(['x \ud800 y', '\udc00', 'a\u202eb', '\ufffe', 'e\u0301', 'a\u2028b'])(
  'leaves a whole audit log with the reason %j',
  async (reason) => {
    const token = await console.signIn([grant('*', 'administrator')]);
    expect((await send(console, '/api/v1/tenants/acme/pause', { token, body: { reason } })).status).toBe(200);
    expect(
      (await send(console, '/api/v1/tokens', { token, body: { name: `a${reason}`, reason } })).status,
    ).toBeLessThan(500);
    expect((await verifyAuditLog(console.ledger, [])).problems).toEqual([]);
  },
);

it('shows no note of another site, which may set cookies of the whole domain only', () => {
  const site = { origin: 'https://console.example' };
  const kept: string[] = [];
  const header = (_: string, value: string) => void kept.push(value);
  keepNote(site, { header } as unknown as ConsoleContext, { isGood: true, text: 'Done.' });
  const [own = ''] = kept;
  expect(own).toMatch(/^__Host-lockstep-note=.*; Path=\/;.* Secure/);
  const shown = (cookie: string) => {
    const raw = new Request('https://console.example', { headers: { cookie } });
    return takeNote(site, { req: { raw }, header } as unknown as ConsoleContext)?.text ?? null;
  };
  expect(shown('lockstep-note=%2BSign%20in%20at%20https%3A%2F%2Fevil.example')).toBeNull();
  expect(shown(own.split(';')[0] ?? '')).toBe('Done.');
});
