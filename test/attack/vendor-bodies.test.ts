import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { PartnerApiError } from '../../src/partner-api/index.ts';
import { endless, NO_HTTP, thenTrickle, trickle } from '../support/hostile/bodies.ts';
import type { HostileAnswer } from '../support/hostile/hostile-server.ts';
import { type HostileVendor, startHostileVendor, vendorBody } from '../support/hostile/hostile-vendor.ts';

/** No body of the vendor's may take the memory, the time or the stack of a worker that serves other tenants too. */

const MB = 1024 * 1024;
const MOST_BYTES = 40 * MB;

let vendor: HostileVendor;
afterEach(() => vendor.close());

/** A read of one record, as everything that workflows do begins with. */
async function read(answer: HostileAnswer, timeoutMs = 5_000): Promise<unknown> {
  vendor = await startHostileVendor(() => answer);
  return vendor
    .connect({ timeoutMs })
    .readLeadOpportunity({ id: 'DS-1' })
    .catch((error: unknown) => error);
}

async function attacked(answer: HostileAnswer, timeoutMs?: number): Promise<PartnerApiError> {
  const result = await read(answer, timeoutMs);
  expect(result).toBeInstanceOf(PartnerApiError);
  return result as PartnerApiError;
}

describe('a body without an end', () => {
  test.each<[string, HostileAnswer]>([
    ['of blanks', { body: endless(' ') }],
    ['of rows', { body: endless('{"a":1},') }],
    ['of an error', { status: 503, body: endless('x') }],
    ['of a refused key', { status: 401, body: endless('x') }],
    ['of a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: endless('x') }],
    ['said to have none', { headers: { 'transfer-encoding': 'identity' }, body: endless('x') }],
  ])('%s is cut off', async (_, answer) => {
    const { kind } = await attacked(answer);
    expect(['protocol', 'unavailable', 'unknown', 'network']).toContain(kind);
    expect(vendor.sentBytes()).toBeLessThan(MOST_BYTES);
  });
});

test.each<[string, HostileAnswer]>([
  ['a body byte by byte', { body: trickle() }],
  ['an error byte by byte', { status: 500, body: trickle() }],
  ['a silence', 'silent'],
])('%s ends with the time of the whole answer', async (_, answer) => {
  const startedAt = performance.now();
  const { kind } = await attacked(answer, 300);
  expect(['timeout', 'server']).toContain(kind);
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});

const LEVELS = 1_000_000;
const NESTED: readonly (readonly [string, string, string])[] = [
  ['lists', '[', ']'],
  ['objects', '{"a":', '}'],
];

describe.each(NESTED)('a million %s in each other', (_, open, close) => {
  test.each<[string, string]>([
    ['never closed', open.repeat(LEVELS)],
    [
      'in a field that the documents do not show',
      vendorBody({ leadOpportunity: { dsLeadOpportunityId: 'DS-1', x: 0 } }).replace(
        '"x":0',
        `"x":${open.repeat(LEVELS)}1${close.repeat(LEVELS)}`,
      ),
    ],
    [
      'beside a number that a double cannot hold',
      `{"n":1234567890123456789,"x":${open.repeat(LEVELS)}1${close.repeat(LEVELS)}}`,
    ],
  ])('are no answer: %s', async (_what, body) => {
    expect(await attacked({ body })).toMatchObject({ kind: 'protocol', code: 'BODY_TOO_DEEP' });
  });

  test('leave an error its status', async () => {
    const body = `${open.repeat(LEVELS)}1${close.repeat(LEVELS)}`;
    expect(await attacked({ status: 503, body })).toMatchObject({ kind: 'unavailable' });
  });
});

test('two million values are no answer', async () => {
  const body = vendorBody([0]).replace('[0]', `[${'{},'.repeat(1_000_000)}{}]`);
  expect(await attacked({ body })).toMatchObject({ kind: 'protocol', code: 'BODY_TOO_LARGE' });
});

test.each(['searchOrders', 'searchLeadOpportunities'] as const)(
  'a list of a hundred thousand of what is none is no answer to %s, and reported from the first',
  async (operation) => {
    const body = vendorBody([0]).replace('[0]', `[${'{},'.repeat(145_000)}{}]`);
    vendor = await startHostileVendor(() => ({ body }));
    const api = vendor.connect({ timeoutMs: 60_000 });
    const [from, to] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:01.000Z'];
    const startedAt = performance.now();
    const asked =
      operation === 'searchOrders'
        ? api.searchOrders({ lastUpdateDateTime: { from, to } })
        : api.searchLeadOpportunities({ data: [{ modifiedDate: { fromDate: from, toDate: to } }] });
    const error = await asked.catch((result: unknown) => result);
    expect(error).toMatchObject({ kind: 'protocol', code: 'CONTRACT' });
    expect((error as PartnerApiError).fields.every((field) => field.startsWith('data[0].'))).toBe(true);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  },
);

test('bodies that are read beside each other take no more than two', async () => {
  vendor = await startHostileVendor(() => ({ body: thenTrickle(20 * MB) }));
  const api = vendor.connect({ timeoutMs: 3_000 });
  const reads = Array.from({ length: 10 }, () =>
    api.readLeadOpportunity({ id: 'DS-1' }).catch((error: unknown) => error),
  );
  const codes = (await Promise.all(reads)).map((error) => (error as PartnerApiError).code);
  expect(codes.filter((code) => code === 'BODY_TOO_LARGE').length).toBeGreaterThanOrEqual(7);
});

test('brackets within a text nest nothing', async () => {
  const description = `${'[{'.repeat(10_000)}"\\`;
  const body = vendorBody({ leadOpportunity: { dsLeadOpportunityId: 'DS-1', description } });
  expect(await read({ body })).toMatchObject({ data: { leadOpportunity: { description } } });
});

test('what is compressed is never unpacked', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * MB, ' '));
  const error = await attacked({ headers: { 'content-encoding': 'gzip' }, body: bomb });
  expect(error).toMatchObject({ kind: 'protocol', code: 'BODY_NOT_JSON' });
  expect(vendor.requests.at(-1)?.headers['accept-encoding']).toBeUndefined();
});

test.each([301, 302, 303, 307, 308])('the key follows no redirect: %i', async (status) => {
  const thief = await startHostileVendor(() => ({}));
  const error = await attacked({ status, headers: { location: `${thief.url}/steal` } });
  expect(error).toMatchObject({ kind: 'protocol', code: 'REDIRECT' });
  expect(thief.requests).toEqual([]);
  await thief.close();
});

test.each(NO_HTTP)('%s is a connection that failed', async (_, raw) => {
  const { kind } = await attacked({ raw });
  expect(['network', 'protocol']).toContain(kind);
});
