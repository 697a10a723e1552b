import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHealthServer } from '../../src/platform/health-server.ts';
import { silentLogger } from '../../src/platform/logger.ts';
import { aReceiver, outboundMessage, PATH, rememberingIntake } from '../support/stack/webhooks.ts';

/**
 * What a sender's headers say is judged before any of its body is there, a body that nobody wants is not read on, and who
 * sends slowly is let go: five seconds for the headers, ten for all. The limits are those that run.
 */

const { intake } = rememberingIntake();
let receiver: Awaited<ReturnType<typeof aReceiver>>;
let probes: Awaited<ReturnType<typeof startHealthServer>>;
beforeAll(async () => {
  receiver = await aReceiver({
    intake,
    rates: { requests: { perSecond: 0.001, burst: 1_000 }, records: { perSecond: 1, burst: 1 } },
  });
  const metrics = () => 'up 1\n';
  probes = await startHealthServer({
    ...{ host: '127.0.0.1', port: 0, checks: {} },
    ...{ metrics, log: silentLogger },
  });
});
afterAll(() => Promise.all([receiver.close(), probes.close()]));

type Ended = { readonly answer: string; readonly afterMs: number };

const HOOK = `/hooks/salesforce/${PATH}`;
const XML = 'Content-Type: text/xml';
const BODY_TO_COME = 'Content-Length: 500000';

function head(line: string, ...headers: readonly string[]): string {
  return [`${line} HTTP/1.1`, 'Host: 127.0.0.1', ...headers, '', ''].join('\r\n');
}

/** What is answered, and when the other end hung up; `more` is sent every so often, for as long as it listens. */
function spoken(
  url: string,
  first: string,
  { more = '', everyMs = 50, until = 'close' as 'close' | 'data' | 'answer' } = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const startedMs = performance.now();
    let answer = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(first));
    const timer = setInterval(() => more !== '' && socket.write(more), everyMs);
    const done = (): void => {
      clearInterval(timer);
      socket.destroy();
      resolve({ answer, afterMs: performance.now() - startedMs });
    };
    socket.on('data', (chunk) => {
      answer += chunk.toString();
      if (until === 'data' || (until === 'answer' && /HTTP\/1\.1 [2-5]/.test(answer))) done();
    });
    // A sender whose connection is closed in the midst of sending gets an error too.
    socket.on('error', () => undefined);
    socket.on('close', done);
  });
}

const statusOf = ({ answer }: Ended): string | undefined => /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1];

describe('headers alone', () => {
  test.each([
    ['an unknown path', '404', head('POST /hooks/salesforce/x', XML, BODY_TO_COME)],
    ['a path of nobody', '404', head('POST /', XML, BODY_TO_COME)],
    ['an unknown tenant', '401', head('POST /hooks/events/nobody', BODY_TO_COME)],
    ['a method', '405', head(`PUT ${HOOK}`, XML, BODY_TO_COME)],
    ['another kind of body', '415', head(`POST ${HOOK}`, 'Content-Type: text/html', BODY_TO_COME)],
    ['a packed body', '415', head(`POST ${HOOK}`, XML, 'Content-Encoding: gzip', BODY_TO_COME)],
    ['a body that is too long', '413', head(`POST ${HOOK}`, XML, 'Content-Length: 524289')],
    ['no signature', '401', head('POST /hooks/events/acme', 'Content-Type: application/json', BODY_TO_COME)],
    ['two lengths', '400', head(`POST ${HOOK}`, XML, BODY_TO_COME, 'Content-Length: 3')],
    ['a length and pieces', '400', head(`POST ${HOOK}`, XML, BODY_TO_COME, 'Transfer-Encoding: chunked')],
    ['more headers than any sender has', '431', head(`POST ${HOOK}`, XML, `X-Long: ${'x'.repeat(20_000)}`)],
  ])('of %s are refused with %s before a byte of the body is there', async (_, status, bytes) => {
    const result = await spoken(receiver.url, bytes, { until: 'data' });
    expect(statusOf(result)).toBe(status);
    expect(result.afterMs).toBeLessThan(2_000);
  });

  test.each([
    ['404', '/hooks/salesforce/x'],
    ['415', HOOK],
  ])('of one who asks before sending are refused with %s at once', async (status, path) => {
    const bytes = head(`POST ${path}`, 'Content-Type: text/html', BODY_TO_COME, 'Expect: 100-continue');
    expect(statusOf(await spoken(receiver.url, bytes, { until: 'data' }))).toBe(status);
  });

  test('of one who asks before sending what is taken are answered so', async () => {
    const open = await aReceiver({ intake });
    const bytes = head(`POST ${HOOK}`, XML, `Content-Length: ${outboundMessage().length}`, 'Expect: 100-continue');
    const result = await spoken(open.url, bytes, { more: outboundMessage(), everyMs: 500, until: 'answer' });
    expect(result.answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
    await open.close();
  });

  test('of one who sent too much already are refused with 503', async () => {
    const flooded = await aReceiver({
      intake,
      rates: { requests: { perSecond: 0.001, burst: 1 }, records: { perSecond: 1, burst: 1 } },
    });
    const bytes = head(`POST ${HOOK}`, XML, BODY_TO_COME);
    // The first is waited for, the second is not.
    void spoken(flooded.url, bytes);
    await expect.poll(async () => statusOf(await spoken(flooded.url, bytes, { until: 'data' }))).toBe('503');
    await flooded.close();
  });
});

describe('a body that nobody wants', () => {
  const piece = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  const endless = { more: piece, everyMs: 5 };

  test.each([
    ['for the hook', () => receiver.url, head('POST /hooks/salesforce/x', 'Transfer-Encoding: chunked')],
    ['of a GET', () => receiver.url, head(`GET ${HOOK}`, 'Transfer-Encoding: chunked')],
    ['of a GET that is answered', () => receiver.url, head('GET /healthz', 'Transfer-Encoding: chunked')],
    ['of a probe', () => probes.url, head('GET /metrics', 'Transfer-Encoding: chunked')],
    ['for a probe', () => probes.url, head('POST /metrics', 'Transfer-Encoding: chunked')],
  ])('and has no end, %s, is not read on', async (_, url, bytes) => {
    const result = await spoken(url(), bytes, endless);
    expect(statusOf(result)).toBeDefined();
    expect(result.afterMs).toBeLessThan(3_000);
  });
});

test('a body in pieces of a byte is refused long before its end', async () => {
  const quick = await aReceiver({ intake });
  const bytes = head(`POST ${HOOK}`, XML, 'Transfer-Encoding: chunked');
  const pieces = '1\r\n \r\n'.repeat(20_000);
  const result = await spoken(quick.url, bytes + pieces, { until: 'data' });
  expect(statusOf(result)).toBe('413');
  await quick.close();
});

const SLOW = [
  ['the hook, a sign of its headers at a time', () => receiver.url, `POST ${HOOK} HTTP/1.1\r\nX: `, 5_000],
  ['the hook, a sign of its body at a time', () => receiver.url, head(`POST ${HOOK}`, XML, BODY_TO_COME), 10_000],
  ['a probe, a sign of its headers at a time', () => probes.url, 'GET /readyz HTTP/1.1\r\nX: ', 5_000],
  ['the hook, nothing at all', () => receiver.url, '', 5_000],
] as const;

test.concurrent.each(SLOW)('who tells %s is let go in time', async (_, url, first, limitMs) => {
  const more = first === '' ? '' : 'x';
  const { answer, afterMs } = await spoken(url(), first, { more, everyMs: 200 });
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(afterMs).toBeGreaterThan(limitMs - 500);
  expect(afterMs).toBeLessThan(limitMs + 2_000);
});
