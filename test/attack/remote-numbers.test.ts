import { ApplicationFailure, DefaultFailureConverter, defaultPayloadConverter } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { createActivities } from '../../activities/index.ts';
import type { ActivityDeps } from '../../activities/support/deps.ts';
import { failure } from '../../activities/support/to-failure.ts';
import { afterAnswer } from '../../src/ledger/quota/quota-window.ts';
import { readRateLimit, readRetryAfter } from '../../src/partner-api/rate-limit.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import { createSession } from '../../src/salesforce/session.ts';
import { crmOptions, startHostileSalesforce } from '../support/hostile/hostile-salesforce.ts';
import fc from '../support/properties.ts';

/** No number of a remote may end a process, stop a stream for longer than an hour, or fail a good answer. */

const HOUR_MS = 3_600_000;
const MOST = 1_000_000_000;
const AT = Date.UTC(2026, 2, 1);

const NUMBERS = [
  '1e308',
  '-1e308',
  'Infinity',
  'NaN',
  '-1',
  '-0',
  '0',
  '0.0000001',
  '31536000',
  '1795000000',
  '99999999999',
  '9'.repeat(400),
  '0x7fffffff',
  '1_000',
  ' 5',
  '',
  'Fri, 31 Dec 9999 23:59:59 GMT',
  'Thu, 01 Jan 1970 00:00:00 GMT',
] as const;

/** Headers that somebody made up, and any others. */
const header = fc.oneof(fc.constantFrom(...NUMBERS), fc.double().map(String), fc.bigInt().map(String), fc.string());
const number = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(Infinity, -Infinity, NaN, 2 ** 53, 1e308));

function isBounded(value: number | null, most: number): boolean {
  return value === null || (Number.isSafeInteger(value) && value >= 0 && value <= most);
}

test('the headers of the vendor are whole numbers within bounds, or none', () => {
  fc.assert(
    fc.property(header, header, (value, date) => {
      const headers = {
        'x-ratelimit-limit': value,
        'x-ratelimit-remaining': value,
        'x-ratelimit-reset': value,
        'retry-after': value,
        date,
      };
      const { limit, remaining, resetSeconds } = readRateLimit(headers);
      expect(isBounded(limit, MOST)).toBe(true);
      expect(isBounded(remaining, MOST)).toBe(true);
      expect(isBounded(resetSeconds, HOUR_MS / 1000)).toBe(true);
      expect(isBounded(readRetryAfter(headers), HOUR_MS / 1000)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('the quota gate never blocks for longer than an hour, and its numbers fit into its table', () => {
  fc.assert(
    fc.property(fc.option(number), number, number, (limit, remaining, resetSeconds) => {
      const window = afterAnswer(null, { limit, remaining, resetSeconds, atMs: AT });
      expect(isBounded(window.limit, MOST)).toBe(true);
      expect(isBounded(window.remaining, MOST)).toBe(true);
      expect(isBounded(window.seconds, HOUR_MS / 1000)).toBe(true);
      expect(isBounded(window.endMs - AT, HOUR_MS)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('a failure asks to be tried again within the hour', () => {
  fc.assert(
    fc.property(number, (retryAfterMs) => {
      const { nextRetryDelay, details } = failure('THROTTLED', 'x', { retryAfterMs });
      expect(isBounded((nextRetryDelay ?? null) as number | null, HOUR_MS)).toBe(true);
      expect(isBounded(((details ?? [])[0] as { retryAfterMs: number }).retryAfterMs, HOUR_MS)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

describe('Salesforce', () => {
  test.each(NUMBERS)('asks for a wait of %j', async (value) => {
    const org = await startHostileSalesforce(() => ({ status: 503, headers: { 'retry-after': value } }));
    const session = createSession(crmOptions(org.url));
    const result = await session
      .request({ method: 'GET', path: '/limits' }, { operation: 'limits' })
      .catch((error: unknown) => error);
    expect(result).toBeInstanceOf(CrmError);
    expect(isBounded((result as CrmError).retryAfterMs, HOUR_MS)).toBe(true);
    await session.close();
    await org.close();
  });
});

describe('an error of an activity, of any shape,', () => {
  const loop = new Error('its own cause');
  loop.cause = loop;
  const getter = Object.defineProperty(new Error('x'), 'message', { get: () => fail() });
  const fail = (): never => {
    throw new Error('read me not');
  };
  const deep = Array.from({ length: 20_000 }).reduce<Error>((cause) => new Error('x', { cause }), new Error('x'));
  test.each<[string, unknown]>([
    ['its own cause', loop],
    ['a message that throws', getter],
    ['a message that is no text', Object.assign(new Error('x'), { message: { a: 1 } })],
    ['a stack that is no text', Object.assign(new Error('x'), { stack: 7 })],
    ['twenty thousand causes', deep],
    ['ten megabytes of message', new Error('x'.repeat(10_000_000))],
    ['details that are no JSON', ApplicationFailure.create({ message: 'x', details: [10n] })],
    ['a wait without end', ApplicationFailure.create({ message: 'x', nextRetryDelay: Infinity })],
    ['nothing', undefined],
    ['a symbol', Symbol('x')],
    ['no prototype', Object.create(null)],
    ['a proxy that throws', new Proxy({}, { get: fail, getPrototypeOf: fail })],
  ])('is one that the SDK can write down: %s', async (_, error) => {
    const ledger = new Proxy({}, { get: () => async () => Promise.reject(error) });
    const activities = createActivities({
      ledger,
      now: () => '2026-03-01T00:00:00.000Z',
    } as unknown as ActivityDeps);
    const result = await activities
      .planSync({ tenant: 'a', key: '006000000000001AAA', vendor: 'unread' })
      .catch((thrown: unknown) => thrown);
    const written = new DefaultFailureConverter().errorToFailure(result, defaultPayloadConverter);
    expect(typeof written.message).toBe('string');
    expect(JSON.stringify(written).length).toBeLessThan(100_000);
  });
});
