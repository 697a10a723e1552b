import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { startVendorSimulator } from '../../src/vendor/start.ts';

/** What can be looked at of a simulator, but for the snapshots, which a reset leaves. */
const VIEWS = {
  vendor: ['records', 'requests', 'faults', 'quota', 'violations', 'keys'],
  salesforce: [
    ...['records', 'requests', 'faults', 'quota', 'access', 'automations', 'notices', 'transactions', 'outbound'],
  ],
} as const;

type Change = readonly [method: string, path: string, body?: object];

const COMMON: readonly Change[] = [
  ['POST', '/faults', { status: 503, times: 9 }],
  ['PUT', '/quota', { limit: 1, windowSeconds: 60 }],
  ['PUT', '/clock', { now: '2040-01-01T00:00:00.000Z' }],
];

const CHANGES: Readonly<Record<keyof typeof VIEWS, readonly Change[]>> = {
  vendor: [
    ...COMMON,
    ['POST', '/records', { type: 'leadOpportunity', fields: { name: 'Added' } }],
    ['POST', '/keys', { hashedKey: `$2b$10$${'a'.repeat(53)}` }],
  ],
  salesforce: [
    ...COMMON,
    ['POST', '/records', { type: 'Account', fields: { Name: 'Added' } }],
    ['PUT', '/access', { user: 'integration', object: 'Account', access: 'none' }],
    ['PUT', '/sharing', { object: 'Account', model: 'Private' }],
    ['POST', '/automations', { object: 'Account', on: 'create', set: { Description: '"x"' } }],
    [
      'POST',
      '/transactions',
      { writes: [{ create: { type: 'Account', fields: { Name: 'Late' } } }], commitAfterMs: 60_000 },
    ],
    ['PUT', '/outbound', { url: 'http://127.0.0.1:9/hooks' }],
    ['DELETE', '/sessions'],
  ],
};

type Shown = { readonly type: string; readonly fields: Readonly<Record<string, unknown>> };

const named = ({ type, fields }: Shown): string => `${type} ${fields['Name'] ?? fields['name'] ?? ''}`;

const STARTS = {
  vendor: () => startVendorSimulator({ orders: 3, apiKey: 'a-key-of-the-start' }),
  salesforce: () => startSalesforceSimulator({ seed: 'demo' }),
} as const;

describe.each(['vendor', 'salesforce'] as const)('a reset of the %s simulator', (name) => {
  let simulator: { readonly url: string; readonly adminUrl: string; close(): Promise<void> };
  beforeAll(async () => {
    simulator = await STARTS[name]();
  });
  afterAll(() => simulator.close());

  const admin = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(`${simulator.adminUrl}${path}`, { method, ...(body && { body: JSON.stringify(body) }) });

  /** All visible data. Ids are assigned again and stamps come from the clock, so records are identified by type and name. */
  async function seen(): Promise<Readonly<Record<string, unknown>>> {
    const entries = VIEWS[name].map(async (view) => {
      const shown = (await (await admin('GET', `/${view}`)).json()) as { records?: Shown[] };
      return [view, view === 'records' ? shown.records?.map(named).toSorted() : shown];
    });
    return Object.fromEntries(await Promise.all(entries)) as Record<string, unknown>;
  }

  it('is one call that brings all back to the start', async () => {
    const before = await seen();
    for (const [method, path, body] of CHANGES[name]) {
      const answer = await admin(method, path, body);
      expect([path, answer.ok]).toEqual([path, true]);
    }
    await fetch(`${simulator.url}/services/data`);
    const changed = await seen();
    for (const view of VIEWS[name].filter((one) => !['notices', 'violations'].includes(one)))
      expect([view, changed[view]]).not.toEqual([view, before[view]]);
    expect((await admin('POST', '/reset')).status).toBe(200);
    const after = await seen();
    for (const view of VIEWS[name]) expect([view, after[view]]).toEqual([view, before[view]]);
    const { now } = (await (await admin('GET', '/clock')).json()) as { now: string };
    expect(Date.parse(now)).toBeLessThan(Date.parse('2039-01-01'));
  });
});
