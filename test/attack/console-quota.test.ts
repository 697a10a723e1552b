import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { RATES } from '../../src/console/access/rate-limits.ts';
import type { Endpoint } from '../../src/console/api/endpoint.ts';
import { ENDPOINTS } from '../../src/console/api/endpoints.ts';
import { createOrgDescriptions } from '../../src/console/live/org-descriptions.ts';
import type { ConsolePorts } from '../../src/console/ports.ts';
import { toOpportunityId } from '../../src/domain/record/salesforce-id.ts';
import { csrfOf, grant, openConsole, type TestConsole, THIRD } from '../support/console.ts';

/** No endpoint of the console lets one person use up the quota of a tenant's remote systems, however much one request names. */

const CRM = '006Hs00001ABCDEIA5';
/** Opportunities that Lockstep knows, as many as one correction may name. */
const KNOWN = Array.from({ length: 200 }, (_, n) => toOpportunityId(`006Hs00002${String(n).padStart(5, '0')}`) ?? '');
const OPPORTUNITY = { Id: CRM, Name: 'A deal', SystemModstamp: '2026-11-02T10:00:00.000Z', Vendor_Share__c: true };
/** What the costliest endpoint, `doctor`, may ask in one call. */
const MOST_OF_A_CALL = 60;

let asked = 0;
/** A remote system that counts each request and answers it with nothing. */
function counting(answers: Readonly<Record<string, unknown>> = {}): never {
  const call = (name: string | symbol) => async () => {
    asked += 1;
    return answers[String(name)] ?? [];
  };
  return new Proxy({}, { get: (_, name) => call(name) }) as never;
}

function countingPorts(own: ConsolePorts): ConsolePorts {
  const descriptions = createOrgDescriptions(() => Date.parse(own.now()));
  const remotes = {
    crm: counting({ readGraph: null }),
    vendor: counting({ searchOrders: { data: [], rateLimit: {} } }),
  };
  const readable = (tenant: unknown) => ({ tenant, ...remotes }) as never;
  const of =
    <T>(answers: Readonly<Record<string, unknown>>): (() => Promise<T>) =>
    async () =>
      answered(answers);
  return {
    ...own,
    readable,
    readableWith: (tenant) => ({ remotes: readable(tenant), close: async () => {} }),
    org: ({ tenant }) => descriptions.of(tenant, counting({ schema: {}, knownOffers: new Set() })),
    remote: () => counting({ opportunity: OPPORTUNITY, hasVendorRecord: true }),
    diagnose: async () => answered({}),
    intake: of({ requestSync: { workflowId: 'w' } }),
    ...{ guards: of({}), rotation: of({ status: null }), backfills: of({ status: null, start: true, control: true }) },
    ...{ undos: of({ status: null, start: true }), audits: of({ status: null }), streamStarts: of({}) },
  };
}

/** Something whose every method answers as the table says, without a remote system. */
function answered(answers: Readonly<Record<string, unknown>>): never {
  return new Proxy(
    {},
    {
      get: (_, name) => (name === 'then' ? undefined : async () => answers[String(name)] ?? null),
    },
  ) as never;
}

let console: TestConsole;
beforeAll(async () => {
  console = await openConsole({ ports: countingPorts });
  const at = '2026-11-02T10:00:00.000Z';
  await console.ledger.resolveLink('acme', { crmId: CRM, vendorId: 'LO-00000005' }, at);
  for (const crmId of KNOWN) await console.ledger.resolveLink('acme', { crmId }, at);
}, 60_000);

/** As many ids as a request may name. Lockstep knows none of them. */
const MANY = Array.from({ length: 1_000 }, (_, n) => `LO-9${String(n).padStart(7, '0')}`);
const INPUT: Readonly<Record<string, unknown>> = {
  ...{ code: 'vendor-refused', field: 'description', take: 'value', value: 'x', channel: 'ops', since: '2026-01-01' },
  ...{ crmId: CRM, vendorId: 'LO-00000099', orders: Array.from({ length: 20 }, (_, n) => `10${n}`), name: 'a program' },
  ...{ text: 'fields:\n  nextMilestone: {crm: Next__c}\n', version: 0, basedOn: 0, key: 'k', reason: 'an attack' },
};

function requestOf({ path, method, verb }: Endpoint): { readonly path: string; readonly body?: object } {
  const at = `/api/v1${path.replace('{tenant}', 'acme').replace('{id}', CRM)}`;
  if (method === 'GET') {
    const query: Readonly<Record<string, string>> = { 'relink plan': '?field=Former__c', 'find-order': '?po=1' };
    return { path: `${at}${query[verb] ?? ''}` };
  }
  const ids = verb === 'inbox correct' ? KNOWN : MANY;
  const more = path.startsWith('/registry/') ? THIRD : verb === 'relink' ? { field: 'Former__c' } : { ids };
  return { path: at, body: { ...INPUT, ...(path.startsWith('/registry') ? { tenant: 'third' } : {}), ...more } };
}

/** Sends an endpoint's request as often as a fast program would, in one session. Returns what each request asked of a remote system. */
async function burst(endpoint: Endpoint, token: string, times = RATES.costly.burst + 10): Promise<readonly number[]> {
  const { path, body } = requestOf(endpoint);
  const headers = {
    ...{ cookie: `lockstep=${token}`, origin: console.url, 'content-type': 'application/json' },
    'x-lockstep-csrf': await csrfOf(console, token),
  };
  const given = { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) };
  const costs: number[] = [];
  for (let n = 0; n < times; n += 1) {
    const before = asked;
    await (await fetch(`${console.url}${path}`, given)).arrayBuffer();
    costs.push(asked - before);
  }
  return costs;
}

const sum = (costs: readonly number[]): number => costs.reduce((total, cost) => total + cost, 0);
const eve = () => console.signIn([grant('*', 'administrator', true)], `eve-${randomUUID()}`);

it.each(ENDPOINTS.map((one) => [`${one.method} ${one.path}`, one] as const))(
  'is used up by no burst of %s',
  async (_, endpoint) => {
    const costs = await burst(endpoint, await eve());
    expect(sum(costs)).toBeLessThanOrEqual(RATES.costly.burst * MOST_OF_A_CALL);
    expect(costs.filter((cost) => cost > 0).length).toBeLessThanOrEqual(RATES.costly.burst + 2);
  },
  60_000,
);

it.each(['plan', 'link', 'sync', 'inbox correct'])(
  'is used up by no second session of one person: %s',
  async (verb) => {
    const endpoint = ENDPOINTS.find((one) => one.verb === verb) as Endpoint;
    const user = `eve-${randomUUID()}`;
    const costs: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      const token = await console.signIn([grant('*', 'administrator', true)], user);
      costs.push(...(await burst(endpoint, token, 8)));
    }
    expect(costs.filter((cost) => cost > 0).length).toBeLessThanOrEqual(RATES.costly.burst + 2);
    expect(sum(costs)).toBeLessThanOrEqual(RATES.changes.burst);
  },
);

it('leaves event streams to others, in any number of sessions of one person', async () => {
  const user = `eve-${randomUUID()}`;
  const over = new AbortController();
  const open = async (token: string) => {
    const headers = { cookie: `lockstep=${token}` };
    return (await fetch(`${console.url}/api/v1/events`, { headers, signal: over.signal })).status;
  };
  const statuses: number[] = [];
  for (let session = 0; session < 7; session += 1) {
    const token = await console.signIn([grant('acme', 'viewer')], user);
    for (let n = 0; n < 9; n += 1) statuses.push(await open(token));
  }
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(50);
  expect(await open(await eve())).toBe(200);
  over.abort();
});
