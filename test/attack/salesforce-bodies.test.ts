import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { CrmError } from '../../src/salesforce/errors.ts';
import { createSession } from '../../src/salesforce/session.ts';
import { endless, NO_HTTP, thenTrickle, trickle } from '../support/hostile/bodies.ts';
import { crmOptions, startHostileSalesforce } from '../support/hostile/hostile-salesforce.ts';
import type { HostileAnswer, HostileServer } from '../support/hostile/hostile-server.ts';

/** No body may take the memory, the time or the stack of a worker that serves other tenants too. */

const MB = 1024 * 1024;
const MOST_BYTES = 40 * MB;

let org: HostileServer;
afterEach(() => org.close());

async function attacked(answer: () => HostileAnswer, timeoutMs = 5_000): Promise<CrmError> {
  org = await startHostileSalesforce(answer);
  const session = createSession(crmOptions(org.url, { timeoutMs }));
  const result: unknown = await session
    .request({ method: 'GET', path: '/query?q=x' }, { operation: 'query' })
    .catch((error: unknown) => error);
  await session.close();
  expect(result).toBeInstanceOf(CrmError);
  return result as CrmError;
}

describe('a body without an end', () => {
  test.each<[string, HostileAnswer]>([
    ['of blanks', { body: endless(' ') }],
    ['of rows', { body: endless('{"a":1},') }],
    ['of an error', { status: 503, body: endless('x') }],
    ['of a refused session', { status: 401, body: endless('x') }],
    ['of a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: endless('x') }],
    ['said to have none', { headers: { 'transfer-encoding': 'identity' }, body: endless('x') }],
  ])('%s is cut off', async (_, answer) => {
    const error = await attacked(() => answer);
    expect(['ANSWER_TOO_LARGE', 'NETWORK']).toContain(error.code);
    expect(org.sentBytes()).toBeLessThan(MOST_BYTES);
  });

  test('of a sign-in is cut off', async () => {
    org = await startHostileSalesforce(() => ({}));
    await org.close();
    const { startHostileServer } = await import('../support/hostile/hostile-server.ts');
    org = await startHostileServer(() => ({ body: endless(' ') }));
    const session = createSession(crmOptions(org.url, { timeoutMs: 5_000 }));
    const result = await session.request({ method: 'GET', path: '/x' }, { operation: 'x' }).catch((e: unknown) => e);
    await session.close();
    expect(result).toMatchObject({ code: 'ANSWER_TOO_LARGE' });
    expect(org.sentBytes()).toBeLessThan(MOST_BYTES);
  });
});

test('a body byte by byte ends with the time of the whole answer', async () => {
  const startedAt = performance.now();
  expect(await attacked(() => ({ body: trickle() }), 500)).toMatchObject({ code: 'TIMEOUT' });
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});

test('a silence ends with it as well', async () => {
  expect(await attacked(() => 'silent', 300)).toMatchObject({ code: 'TIMEOUT' });
});

test.each([
  ['lists', '['],
  ['objects', '{"a":'],
])('a million %s in each other are no answer', async (_, open) => {
  const error = await attacked(() => ({ body: open.repeat(1_000_000) }));
  expect(error).toMatchObject({ kind: 'transient', code: 'ANSWER_TOO_LARGE' });
});

test('two million values are no answer', async () => {
  const error = await attacked(() => ({ body: `[${'{},'.repeat(1_000_000)}{}]` }));
  expect(error).toMatchObject({ kind: 'transient', code: 'ANSWER_TOO_LARGE' });
});

test('bodies that are read beside each other take no more than two', async () => {
  org = await startHostileSalesforce(() => ({ body: thenTrickle(20 * MB) }));
  const session = createSession(crmOptions(org.url, { timeoutMs: 3_000 }));
  const reads = Array.from({ length: 10 }, () =>
    session.request({ method: 'GET', path: '/x' }, { operation: 'x' }).catch((error: unknown) => error),
  );
  const codes = (await Promise.all(reads)).map((error) => (error as CrmError).code);
  expect(codes.filter((code) => code === 'ANSWER_TOO_LARGE').length).toBeGreaterThanOrEqual(7);
  await session.close();
});

test('brackets within a text nest nothing', async () => {
  org = await startHostileSalesforce(() => ({ body: JSON.stringify({ text: `${'[{'.repeat(10_000)}"\\` }) }));
  const session = createSession(crmOptions(org.url));
  const answer = await session.request({ method: 'GET', path: '/x' }, { operation: 'x' });
  expect(answer.body).toHaveProperty('text');
  await session.close();
});

test('what is compressed is never unpacked', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * MB, ' '));
  const error = await attacked(() => ({ headers: { 'content-encoding': 'gzip' }, body: bomb }));
  expect(error).toMatchObject({ kind: 'transient', code: 'MALFORMED_ANSWER' });
  expect(org.requests.at(-1)?.headers['accept-encoding']).toBeUndefined();
});

test.each(NO_HTTP)('%s is a network that failed', async (_, raw) => {
  expect(await attacked(() => ({ raw }))).toMatchObject({ kind: 'transient', code: 'NETWORK' });
});
