import { Webhook } from 'standardwebhooks';
import { afterAll, expect, test, vi } from 'vitest';
import { generatedSecret } from '../../src/platform/secret.ts';
import { aReceiver, aTenant, changedEvent, numbered, rememberingIntake, signed } from '../support/stack/webhooks.ts';

/** Whoever has no key of a tenant learns of no name whether there is such a tenant. */

const tenants = [aTenant(), aTenant({ tenant: 'keyless', keys: [], paths: [generatedSecret('k'.repeat(64))] })];
const server = await aReceiver({
  intake: rememberingIntake().intake,
  tenants: () => tenants,
  rates: { requests: { perSecond: 0.001, burst: 3 }, records: { perSecond: 0.001, burst: 1 } },
  elapsedMs: () => 0,
});
afterAll(() => server.close());

const body = changedEvent();
const forged = { ...signed(body), 'webhook-signature': 'v1,Zm9yZ2Vk' };
const LARGE = 'x'.repeat(65 * 1024);

const REQUESTS: readonly (readonly [string, string, RequestInit])[] = [
  ['nothing', '', { method: 'POST' }],
  ['a body alone', '', { method: 'POST', body }],
  ['a forged signature', '', { method: 'POST', body, headers: { ...forged, 'content-type': 'application/json' } }],
  ['another type', '', { method: 'POST', body, headers: { ...forged, 'content-type': 'text/xml' } }],
  [
    'a packed body',
    '',
    {
      method: 'POST',
      body,
      headers: { ...forged, 'content-type': 'application/json', 'content-encoding': 'gzip' },
    },
  ],
  ['a large body', '', { method: 'POST', body: LARGE, headers: { ...forged, 'content-type': 'application/json' } }],
  [
    'an old signature',
    '',
    {
      method: 'POST',
      body,
      headers: { ...forged, 'webhook-timestamp': '1', 'content-type': 'application/json' },
    },
  ],
  [
    'half a signature',
    '',
    { method: 'POST', body, headers: { 'webhook-id': 'x', 'content-type': 'application/json' } },
  ],
  ['another method', '', { method: 'PUT', body }],
  ['a question', '', {}],
  ['a longer path', '/x', { method: 'POST', body }],
];

async function told(name: string, more: string, request: RequestInit): Promise<unknown> {
  const answer = await fetch(`${server.url}/hooks/events/${name}${more}`, request);
  const headers = [...answer.headers].filter(([header]) => header !== 'date');
  return { status: answer.status, headers, text: await answer.text() };
}

test.each(REQUESTS)('by %s', async (_, more, request) => {
  const unknown = await told('nobody', more, request);
  for (const name of ['acme', 'keyless']) expect(await told(name, more, request)).toEqual(unknown);
});

test('by what a tenant is put off with', async () => {
  const many = changedEvent([1, 2, 3].map((n) => numbered('006', n)));
  const sent = [
    await server.sendEvent(many, signed(many)),
    await server.sendEvent(many, signed(many, { id: 'msg_2' })),
  ];
  expect(sent.map(({ status }) => status)).toEqual([202, 503]);
  const headers = { ...forged, 'content-type': 'application/json' };
  const request = { method: 'POST', body, headers };
  expect(await told('acme', '', request)).toEqual(await told('nobody', '', request));
  expect((await server.sendEvent(body, signed(body))).status).toBe(503);
});

test('by how much is computed for a name', async () => {
  const computed = vi.spyOn(Webhook.prototype, 'sign');
  const request = { method: 'POST', body, headers: { ...forged, 'content-type': 'application/json' } };
  const counts: number[] = [];
  for (const name of ['acme', 'keyless', 'nobody']) {
    computed.mockClear();
    await told(name, '', request);
    counts.push(computed.mock.calls.length);
  }
  computed.mockRestore();
  expect(counts.map((count) => count > 0)).toEqual([true, true, true]);
});
