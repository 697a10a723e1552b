import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { toId18 } from '../../src/domain/record/salesforce-id.ts';
import {
  aReceiver,
  aTenant,
  changedEvent,
  NEXT_KEY,
  NOW,
  numbered,
  rememberingIntake,
  signed,
} from '../support/stack/webhooks.ts';

const running: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

async function receiver(options: Parameters<typeof aReceiver>[0]) {
  const server = await aReceiver(options);
  running.push(server);
  return server;
}

function secondsFromNow(seconds: number): Date {
  return new Date(NOW.getTime() + seconds * 1000);
}

describe('a signed event', () => {
  it('is stored under its webhook-id, signalled and answered with 202', async () => {
    const memory = rememberingIntake();
    const server = await receiver({ intake: memory.intake });
    const body = changedEvent([numbered('006', 1), toId18(numbered('006', 1)) as string, numbered('006', 2)]);

    const response = await server.sendEvent(body, signed(body));

    expect(response.status).toBe(202);
    expect(memory.order).toEqual(['record', 'wake', 'mark']);
    expect(memory.recorded[0]).toMatchObject({
      tenant: 'acme',
      id: `signed-event/${createHash('sha256').update('msg_1').digest('hex')}`,
      source: 'signed-event',
      crmIds: [toId18(numbered('006', 1)), toId18(numbered('006', 2))],
    });
  });

  it('is answered with 204 and no signal when it comes again', async () => {
    const memory = rememberingIntake();
    const server = await receiver({ intake: memory.intake });
    const body = changedEvent();
    await server.sendEvent(body, signed(body));
    expect((await server.sendEvent(body, signed(body))).status).toBe(204);
    expect(memory.wakes).toHaveLength(1);
  });

  it('of another type is answered with 204 and left alone', async () => {
    const memory = rememberingIntake();
    const server = await receiver({ intake: memory.intake });
    const body = JSON.stringify({ type: 'account.changed', data: {} });
    expect((await server.sendEvent(body, signed(body))).status).toBe(204);
    expect(memory.recorded).toEqual([]);
  });

  it('may be signed with the second live key, beside signatures that do not match', async () => {
    const server = await receiver({ intake: rememberingIntake().intake });
    const body = changedEvent();
    const good = signed(body, { key: NEXT_KEY });
    const headers = { ...good, 'webhook-signature': `v1,AAAA v1a,BBBB ${good['webhook-signature']}` };
    expect((await server.sendEvent(body, headers)).status).toBe(202);
  });

  it.each([-300, 300])('may be %i seconds away from now', async (seconds) => {
    const server = await receiver({ intake: rememberingIntake().intake });
    const body = changedEvent();
    const response = await server.sendEvent(body, signed(body, { at: secondsFromNow(seconds) }));
    expect(response.status).toBe(202);
  });
});

describe('a signed event that is refused', () => {
  const body = changedEvent();
  const stranger = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
  const badData = JSON.stringify({
    type: 'opportunity.changed',
    data: { opportunityIds: ['001000000000001'] },
  });
  const noIds = JSON.stringify({ type: 'opportunity.changed', data: { opportunityIds: [] } });
  const cases: [string, string, number, string, Record<string, string>, string?][] = [
    ["a stranger's key", 'bad-signature', 401, body, signed(body, { key: stranger })],
    ['a body changed on the way', 'bad-signature', 401, `${body} `, signed(body)],
    ['an id changed on the way', 'bad-signature', 401, body, { ...signed(body), 'webhook-id': 'msg_2' }],
    ['a time changed on the way', 'bad-signature', 401, body, { ...signed(body), 'webhook-timestamp': '1772600768' }],
    ['a time that is none', 'bad-signature', 401, body, { ...signed(body), 'webhook-timestamp': '1e9' }],
    ['an empty signature', 'bad-signature', 401, body, { ...signed(body), 'webhook-signature': '' }],
    ['no signature at all', 'bad-signature', 401, body, {}],
    ['a time 301 seconds back', 'stale', 400, body, signed(body, { at: secondsFromNow(-301) })],
    ['a time 301 seconds ahead', 'stale', 400, body, signed(body, { at: secondsFromNow(301) })],
    ['a body that is no JSON', 'malformed', 400, '{', signed('{')],
    ['no type', 'malformed', 400, '{}', signed('{}')],
    ["an account's id", 'malformed', 400, badData, signed(badData)],
    ['no ids', 'malformed', 400, noIds, signed(noIds)],
    ['an unknown tenant', 'bad-signature', 401, body, signed(body), 'nobody'],
    ['another media type', 'unsupported-media-type', 415, body, { ...signed(body), 'content-type': 'text/plain' }],
  ];

  it.each(cases)('for %s: %s, %i, and nothing is stored', async (_, code, status, sent, headers, tenant) => {
    const memory = rememberingIntake();
    const server = await receiver({ intake: memory.intake });
    const response = await server.sendEvent(sent, headers, tenant);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code });
    expect(memory.recorded).toEqual([]);
  });

  it('by its headers alone, before its body has come', async () => {
    const server = await receiver({ intake: rememberingIntake().intake });
    const path = `${server.url}/hooks/events/acme`;
    const headers = {
      'content-type': 'application/json',
      'webhook-id': 'd1',
      'webhook-timestamp': 'yesterday',
    };
    const sending = request(path, { method: 'POST', headers });
    sending.write('{ the rest never comes');

    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(401);
    sending.destroy();
  });

  it("for a tenant without keys, whatever the signature, and for another tenant's key", async () => {
    const tenants = [aTenant(), aTenant({ tenant: 'other', paths: [], keys: [] })];
    const server = await receiver({ intake: rememberingIntake().intake, tenants: () => tenants });
    expect((await server.sendEvent(body, signed(body), 'other')).status).toBe(401);
  });

  it('with 503 when the ledger is away', async () => {
    const memory = rememberingIntake({ recordDeliveries: () => Promise.reject(new Error('away')) });
    const server = await receiver({ intake: memory.intake });
    expect((await server.sendEvent(body, signed(body))).status).toBe(503);
  });
});
