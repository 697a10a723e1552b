import { parseXml } from '@rgrove/parse-xml';
import { afterEach, describe, expect, it } from 'vitest';
import { toId18 } from '../../src/domain/record/salesforce-id.ts';
import { DELIVERY_LIMITS } from '../../src/intake/delivery.ts';
import {
  aReceiver,
  aTenant,
  NEXT_PATH,
  notification,
  numbered,
  ORGANIZATION,
  outboundMessage,
  rememberingIntake,
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

async function codeOf(response: Response): Promise<string> {
  return ((await response.json()) as { code: string }).code;
}

describe('an Outbound Message that is accepted', () => {
  it('is stored, then signalled, then marked, then acknowledged in a SOAP envelope', async () => {
    const memory = rememberingIntake();
    const server = await receiver({ intake: memory.intake });

    const response = await server.send(outboundMessage());

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/xml; charset=utf-8');
    const answer = parseXml(await response.text());
    expect(answer.root?.name).toBe('soapenv:Envelope');
    expect(answer.root?.text).toBe('true');
    expect(memory.order).toEqual(['record', 'wake', 'mark']);
    expect(memory.recorded).toEqual([
      {
        tenant: 'acme',
        id: `outbound-message/${toId18(numbered('04l', 1))}`,
        source: 'outbound-message',
        crmIds: [toId18(numbered('006', 1))],
        at: '2026-03-04T05:06:07.000Z',
      },
    ]);
  });

  it('may hold 100 notifications, which are one delivery and one wake-up with each record once', async () => {
    const memory = rememberingIntake();
    const server = await receiver({ intake: memory.intake });
    const notifications = Array.from({ length: 100 }, (_, index) =>
      notification(index, { id: numbered('006', index % 10) }),
    );

    const response = await server.send(outboundMessage({ notifications }));

    expect(response.status).toBe(200);
    expect(memory.order).toEqual(['record', 'wake', 'mark']);
    expect(memory.wakes[0]?.keys).toHaveLength(10);

    const reordered = outboundMessage({ notifications: notifications.toReversed() });
    expect((await server.send(reordered)).status).toBe(200);
    expect(memory.wakes).toHaveLength(1);

    const others = outboundMessage({ notifications: notifications.slice(1) });
    expect((await server.send(others)).status).toBe(200);
    expect(memory.wakes).toHaveLength(2);
  });

  it.each([
    ['the second live path value', NEXT_PATH, ORGANIZATION],
    ['the organization id in 15 characters', undefined, ORGANIZATION.slice(0, 15)],
  ])('is accepted with %s', async (_, path, organizationId) => {
    const server = await receiver({ intake: rememberingIntake().intake });
    const response = await server.send(outboundMessage({ organizationId }), path ? { path } : {});
    expect(response.status).toBe(200);
  });

  it('is acknowledged when it concerns other objects, which are counted and left alone', async () => {
    const memory = rememberingIntake();
    const server = await receiver({ intake: memory.intake });
    const notifications = [notification(1, { type: 'Account', id: numbered('001', 1) }), notification(2)];

    const response = await server.send(outboundMessage({ notifications }));

    expect(response.status).toBe(200);
    expect(memory.recorded.map((delivery) => delivery.crmIds)).toEqual([[toId18(numbered('006', 2))]]);
    const metrics = await (await fetch(`${server.opsUrl}/metrics`)).text();
    expect(metrics).toContain('outcome="ignored"} 1');
  });

  it.each(['Lockstep_Order_Search__c', 'Lockstep_Found_Order__c'])(
    'of %s makes the stream be read that answers it, beside the deals of the message',
    async (type) => {
      const memory = rememberingIntake();
      const server = await receiver({ intake: memory.intake });
      const notifications = [1, 2].map((n) => notification(n, { type, id: numbered('a0S', n) }));

      const response = await server.send(outboundMessage({ notifications: [...notifications, notification(3)] }));

      expect(response.status).toBe(200);
      expect(memory.requested).toEqual([{ tenant: 'acme', stream: 'findOrders' }]);
      expect(memory.wakes).toHaveLength(1);
      const metrics = await (await fetch(`${server.opsUrl}/metrics`)).text();
      expect(metrics).not.toContain('outcome="ignored"');
    },
  );

  it('may use other prefixes, character references and CDATA', async () => {
    const memory = rememberingIntake();
    const server = await receiver({ intake: memory.intake });
    const text = outboundMessage()
      .replaceAll('soapenv', 'S')
      .replaceAll('sf:', 'o:')
      .replace('xmlns:sf', 'xmlns:o')
      .replace('Rolling stock', '<![CDATA[<a> & b]]> &#x26; &amp; c');

    expect((await server.send(text)).status).toBe(200);
    expect(memory.recorded).toHaveLength(1);
  });

  it('belongs to the tenant whose path it came by, and to no other', async () => {
    const memory = rememberingIntake();
    const other = aTenant({ tenant: 'other', paths: [] });
    const server = await receiver({ intake: memory.intake, tenants: () => [other, aTenant()] });
    await server.send(outboundMessage());
    expect(new Set(memory.recorded.map((delivery) => delivery.tenant))).toEqual(new Set(['acme']));
  });
});

describe('an Outbound Message that comes again', () => {
  it('is acknowledged without a second signal', async () => {
    const memory = rememberingIntake();
    const server = await receiver({ intake: memory.intake });
    await server.send(outboundMessage());
    const again = await server.send(outboundMessage());
    expect(again.status).toBe(200);
    expect(memory.wakes).toHaveLength(1);
  });
});

describe('an Outbound Message of a request', () => {
  const search = (n: number) =>
    outboundMessage({
      notifications: [notification(n, { type: 'Lockstep_Order_Search__c', id: numbered('a0S', n) })],
    });

  it('is not acknowledged, and comes again, if the request cannot be handed on', async () => {
    const requestStream = async () => {
      throw new Error('Temporal does not answer');
    };
    const server = await receiver({ intake: rememberingIntake({ requestStream }).intake });
    const response = await server.send(search(1));
    expect([response.status, await codeOf(response)]).toEqual([503, 'ledger-unavailable']);
  });

  it('shares its request with others that arrive together: a flood of them reads the stream once a second', async () => {
    const memory = rememberingIntake();
    const server = await receiver({ intake: memory.intake });
    const beganMs = performance.now();
    const responses = await Promise.all(Array.from({ length: 40 }, (_, n) => server.send(search(n))));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const seconds = Math.ceil((performance.now() - beganMs) / 1_000);
    expect(memory.requested.length).toBeLessThanOrEqual(1 + seconds);
  });
});

describe('an Outbound Message that is refused', () => {
  const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth);
  const cases: [
    string,
    string,
    number,
    () => string | Uint8Array<ArrayBuffer>,
    { path?: string; headers?: Record<string, string> }?,
  ][] = [
    ['a wrong secret', 'unknown-path', 404, () => outboundMessage(), { path: 'c'.repeat(64) }],
    ['a secret cut short', 'unknown-path', 404, () => outboundMessage(), { path: 'a'.repeat(63) }],
    [
      'another organization',
      'wrong-organization',
      403,
      () => outboundMessage({ organizationId: '00D000000000002EAA' }),
    ],
    ['no organization', 'malformed', 400, () => outboundMessage({ organizationId: '' })],
    ['no notification', 'no-notifications', 400, () => outboundMessage({ notifications: [] })],
    [
      '101 notifications',
      'no-notifications',
      400,
      () => outboundMessage({ notifications: Array.from({ length: 101 }, (_, n) => notification(n)) }),
    ],
    [
      'a record id that is none',
      'malformed',
      400,
      () => outboundMessage({ notifications: [notification(1, { id: "006' OR 1=1" })] }),
    ],
    [
      "an account's id in an opportunity",
      'malformed',
      400,
      () => outboundMessage({ notifications: [notification(1, { id: numbered('001', 1) })] }),
    ],
    ['a truncated body', 'malformed', 400, () => outboundMessage().slice(0, -40)],
    ['an empty body', 'malformed', 400, () => ''],
    ['another document', 'malformed', 400, () => '<hello/>'],
    [
      'the right names in no namespace',
      'malformed',
      400,
      () => outboundMessage().replace(' xmlns="http://soap.sforce.com/2005/09/outbound"', ''),
    ],
    ['an unknown entity', 'malformed', 400, () => outboundMessage().replace('Rolling', '&xxe;')],
    [
      'a document type',
      'doctype-refused',
      400,
      () =>
        outboundMessage()
          .replace('?>', '?><!DOCTYPE x [<!ENTITY xxe SYSTEM "file:///etc/passwd">]>')
          .replace('Rolling', '&xxe;'),
    ],
    ['20,000 nested tags', 'malformed', 400, () => outboundMessage().replace('Rolling', nested(20_000))],
    [
      'a Latin-1 body',
      'malformed',
      400,
      () => new Uint8Array(Buffer.from(outboundMessage().replace('Rolling', 'Café'), 'latin1')),
    ],
    [
      'another charset',
      'unsupported-media-type',
      415,
      () => outboundMessage(),
      { headers: { 'content-type': 'text/xml; charset=iso-8859-1' } },
    ],
    [
      'another media type',
      'unsupported-media-type',
      415,
      () => outboundMessage(),
      { headers: { 'content-type': 'application/json' } },
    ],
    [
      'a compressed body',
      'unsupported-media-type',
      415,
      () => outboundMessage(),
      { headers: { 'content-encoding': 'gzip' } },
    ],
    ['a body over 512 KB', 'too-large', 413, () => outboundMessage().replace('Rolling', 'x'.repeat(512 * 1024))],
  ];

  it.each(cases)('for %s: %s, %i, and nothing is stored', async (_, code, status, body, to) => {
    const memory = rememberingIntake();
    const server = await receiver({ intake: memory.intake });
    const response = await server.send(body(), to);
    expect(response.status).toBe(status);
    expect(await codeOf(response)).toBe(code);
    expect(memory.recorded).toEqual([]);
    const metrics = await (await fetch(`${server.opsUrl}/metrics`)).text();
    expect(metrics).toContain(`lockstep_webhook_refusals_total{code="${code}"} 1`);
  });

  it('for a body over 512 KB that does not say its length', async () => {
    const server = await receiver({ intake: rememberingIntake().intake });
    const chunk = new Uint8Array(256 * 1024).fill(32);
    let left = 12;
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        left -= 1;
        if (left < 0) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const response = await fetch(`${server.url}/hooks/salesforce/${'a'.repeat(64)}`, {
      method: 'POST',
      headers: { 'content-type': 'text/xml' },
      body: stream,
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(413);
  });

  it('for an action that the tenant does not list, and accepted for one that it lists in either form', async () => {
    const tenants = [aTenant({ actionIds: ['04k000000000001AAA'] })];
    const server = await receiver({ intake: rememberingIntake().intake, tenants: () => tenants });
    const refused = await server.send(outboundMessage({ actionId: '04k000000000002AAA' }));
    expect(refused.status).toBe(403);
    expect(await codeOf(refused)).toBe('action-not-allowed');
    expect((await server.send(outboundMessage({ actionId: '04k000000000001' }))).status).toBe(200);
  });

  it('echoes nothing of the message', async () => {
    const server = await receiver({ intake: rememberingIntake().intake });
    const response = await server.send(outboundMessage({ organizationId: '00D000000000002EAA' }));
    expect(await response.text()).not.toMatch(/00D0|Rolling|006/);
  });

  it('with 405 when it is not a POST', async () => {
    const server = await receiver({ intake: rememberingIntake().intake });
    const response = await fetch(`${server.url}/hooks/salesforce/${'a'.repeat(64)}`);
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
  });
});

describe('a ledger or a Temporal that cannot take a message', () => {
  it.each(['recordDeliveries', 'wake', 'markSignalled'] as const)(
    'means 503 and no acknowledgement when %s fails',
    async (call) => {
      const memory = rememberingIntake({ [call]: () => Promise.reject(new Error('connection refused')) });
      const server = await receiver({ intake: memory.intake });
      const response = await server.send(outboundMessage());
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toBe('10');
      expect(await codeOf(response)).toBe('ledger-unavailable');
    },
  );

  it('means 503 within the limit when the ledger does not answer', async () => {
    let release = (): void => {};
    const hanging = new Promise<void>((resolve) => {
      release = resolve;
    });
    const memory = rememberingIntake({
      recordDeliveries: async () => {
        await hanging;
        return [{ fresh: true, keys: ['k'] }];
      },
    });
    const server = await receiver({ intake: memory.intake, limits: { ...DELIVERY_LIMITS, storeMs: 50 } });
    const response = await server.send(outboundMessage());
    expect(response.status).toBe(503);
    release();
  });

  it('shows in /readyz while /healthz stays well', async () => {
    const memory = rememberingIntake({ ready: () => Promise.reject(new Error('no database')) });
    const server = await receiver({ intake: memory.intake });
    const ready = await fetch(`${server.opsUrl}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toEqual({ status: 'not-ready', failed: ['intake'] });
    for (const url of [server.url, server.opsUrl]) {
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
    }
  });
});
