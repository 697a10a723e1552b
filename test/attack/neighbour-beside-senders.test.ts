import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generatedSecret } from '../../src/platform/secret.ts';
import { type Attack, expectFlatHeap, expectUnhurt, timedBeside } from '../support/hostile/neighbour.ts';
import {
  aReceiver,
  aTenant,
  KEY,
  notification,
  outboundMessage,
  PATH,
  rememberingIntake,
} from '../support/stack/webhooks.ts';

/**
 * A sender, with the secret of its tenant or without one, sends what is costly, several times in a row. A neighbour's message at the same
 * receiver takes at most twice the processor's time in the median.
 */

const NEIGHBOURS_PATH = 'c'.repeat(64);

let server: Awaited<ReturnType<typeof aReceiver>>;
beforeAll(async () => {
  const tenants = [
    aTenant(),
    aTenant({ tenant: 'bolt', paths: [generatedSecret(NEIGHBOURS_PATH)], keys: [generatedSecret(KEY)] }),
  ];
  server = await aReceiver({ intake: rememberingIntake().intake, tenants: () => tenants });
});
afterAll(() => server.close());

const post = (path: string, body: string, type = 'text/xml', more = ''): Buffer =>
  Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\n${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
const own = (body: string): Buffer => post(`/hooks/salesforce/${PATH}`, body);
const within = (inner: string): string => outboundMessage({ notifications: [inner] });
const fields = Array.from(
  { length: 50 },
  (_, n) => `<sf:Field${n}__c>A value of usual length, and more of it</sf:Field${n}__c>`,
);
const large = outboundMessage({
  notifications: Array.from({ length: 100 }, (_, n) =>
    notification(n).replace('</sObject>', `${fields.join('')}</sObject>`),
  ),
});
const signature = `webhook-id: a\r\nwebhook-timestamp: 1772600767\r\nwebhook-signature: v1,${'a'.repeat(44)}\r\n`;
const chunks = `POST /hooks/salesforce/${PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: text/xml\r\nTransfer-Encoding: chunked\r\n\r\n`;

/** What is sent over each of so many connections at once, again and again. */
const ATTACKS: readonly (readonly [string, number, () => Buffer])[] = [
  ['character references', 4, () => own(within(`<a>${'&#65;'.repeat(90_000)}</a>`))],
  ['long character references', 4, () => own(within(`<a>&#${'0'.repeat(450_000)}65;</a>`))],
  ['messages as large as they may be', 2, () => own(large)],
  ['elements in each other', 4, () => own(within('<a>'.repeat(7_000)))],
  [
    'attributes of one element',
    4,
    () => own(within(`<a ${Array.from({ length: 7_000 }, (_, n) => `a${n}="b"`).join(' ')}/>`)),
  ],
  ['unknown paths, one after the other', 4, () => Buffer.from('GET /x HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1_500))],
  [
    'guessed secrets, one after the other',
    4,
    () =>
      Buffer.from(
        `POST /hooks/salesforce/${'d'.repeat(64)} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`.repeat(1_500),
      ),
  ],
  ['guessed tenants', 4, () => post('/hooks/events/bolt', 'x'.repeat(64_000), 'application/json', signature)],
  ['a body in chunks of one byte', 4, () => Buffer.from(chunks + '1\r\n<\r\n'.repeat(80_000))],
  ['a chunk with an extension that does not end', 4, () => Buffer.from(`${chunks}1;${'a'.repeat(500_000)}`)],
  ['headers that are too long', 4, () => Buffer.from(`POST / HTTP/1.1\r\n${'x-a: b\r\n'.repeat(60_000)}`)],
  ['what is no HTTP', 4, () => Buffer.from('\u0016\u0003\u0001'.repeat(100_000))],
  ['blank lines', 4, () => Buffer.from('\r\n'.repeat(250_000))],
  ['connections that send nothing', 20, () => Buffer.from('POST')],
];

function sending(connections: number, bytes: Buffer): Attack {
  const { hostname, port } = new URL(server.url);
  const open = new Set<Socket>();
  return {
    once: () => {
      for (let at = 0; at < connections; at += 1) {
        const socket = connect(Number(port), hostname);
        open.add(socket);
        socket.on('error', () => undefined).on('data', () => undefined);
        socket.write(bytes);
      }
    },
    end: async () => {
      for (const socket of open) socket.destroy();
    },
  };
}

/** Other programs on the machine make a try longer, and none shorter. */
test.each(ATTACKS)('%s', { retry: 3 }, async (_, connections, made) => {
  const bytes = made();
  const message = async (): Promise<void> => {
    expect((await server.send(outboundMessage(), { path: NEIGHBOURS_PATH })).status).toBe(200);
  };
  const result = await timedBeside(message, () => sending(connections, bytes));
  expectUnhurt(result);
  expectFlatHeap();
});
