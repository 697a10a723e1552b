import { describe, expect, it } from 'vitest';
import { createClock } from '../../src/core/clock.ts';
import { describeFault, parseFault } from '../../src/core/fault-spec.ts';
import { createFaultPlan } from '../../src/core/faults.ts';
import { HIDDEN, loggableBody, redactQuery } from '../../src/core/redact.ts';
import { createRequestLog, type NewRequest } from '../../src/core/request-log.ts';

const request = (operation: string): NewRequest => ({
  operation,
  label: null,
  method: 'GET',
  path: '/a',
  query: '',
  body: null,
});

describe('request log', () => {
  it('drops the oldest beyond its capacity, but goes on counting', () => {
    const log = createRequestLog(
      createClock(() => 0),
      2,
    );
    for (const operation of ['a', 'b', 'a', 'a']) log.open(request(operation));
    expect(log.list().map((entry) => entry.seq)).toEqual([3, 4]);
    expect([log.count(), log.count('a'), log.count('b'), log.count('c')]).toEqual([4, 3, 1, 0]);
  });

  it('tells arrival, outcome and fault', () => {
    const log = createRequestLog(createClock(() => 0));
    const seq = log.open(request('a'));
    expect(log.list()).toMatchObject([{ time: '1970-01-01T00:00:00.000Z', status: null, fault: null }]);
    log.settle(seq, { fault: 'delay' });
    log.settle(seq, { status: 201 });
    log.settle(999, { status: 500 });
    expect(log.list()).toMatchObject([{ status: 201, fault: 'delay' }]);
  });

  it('filters by time, inclusive, and by operation; clears', () => {
    const time = { ms: 0 };
    const log = createRequestLog(createClock(() => time.ms));
    for (const [ms, operation] of [
      [0, 'a'],
      [10, 'a'],
      [20, 'b'],
    ] as const) {
      time.ms = ms;
      log.open(request(operation));
    }
    expect(log.list({ since: '1970-01-01T00:00:00.010Z' })).toHaveLength(2);
    expect(log.list({ since: '1970-01-01T00:00:00.010Z', operation: 'b' })).toHaveLength(1);
    log.clear();
    expect([log.list().length, log.count()]).toEqual([0, 0]);
  });
});

describe('what the log may keep', () => {
  it.each([
    ['', null],
    [
      '{"a":1,"client_secret":"s","deep":[{"hashedKey":"h","apiKey":{"x":1}}]}',
      { a: 1, client_secret: HIDDEN, deep: [{ hashedKey: HIDDEN, apiKey: HIDDEN }] },
    ],
    ['grant_type=x&assertion=abc.def&client_secret=s', `grant_type=x&assertion=${HIDDEN}&client_secret=${HIDDEN}`],
    ['{"password":"half', `{"password":"${HIDDEN}"`],
    ['plain', 'plain'],
  ])('%s', (text, expected) => {
    expect(loggableBody(text)).toEqual(expected);
  });

  it('keeps long JSON as cut text, its secrets hidden', () => {
    const body = loggableBody(JSON.stringify({ client_secret: 'abc', long: 'x'.repeat(300_000) })) as string;
    expect(body.length).toBeLessThan(20_100);
    expect(body).toContain(HIDDEN);
    expect(body).not.toContain('abc');
  });

  it('takes no time over hostile text', () => {
    const startedMs = performance.now();
    for (const char of ['?', '&', '"', 'secret']) loggableBody(char.repeat(500_000));
    expect(performance.now() - startedMs).toBeLessThan(2000);
  });

  it('cuts long text and hides secrets in queries', () => {
    expect((loggableBody('x'.repeat(50_000)) as string).length).toBe(20_000);
    expect(redactQuery('q=1&access_token=abc')).toBe(`q=1&access_token=${HIDDEN}`);
  });
});

describe('fault plan', () => {
  it('applies the first that matches, as often as planned', () => {
    const plan = createFaultPlan();
    plan.add({ operation: 'a', status: 503, times: 1 });
    plan.add({ status: 429 });
    const taken = ['b', 'a', 'a'].map((operation) => plan.take(operation)?.status);
    expect(taken).toEqual([429, 503, 429]);
    expect(plan.list().map((fault) => fault.applied)).toEqual([1, 2]);
    plan.clear();
    expect(plan.take('a')).toBeUndefined();
  });

  it('falls on the same share of requests for the same seed', () => {
    const draw = (seed: number) => {
      const plan = createFaultPlan(seed);
      plan.add({ status: 503, share: 0.3 });
      return Array.from({ length: 1000 }, () => plan.take('a') !== undefined);
    };
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
    const hits = draw(1).filter(Boolean).length;
    expect(hits).toBeGreaterThan(240);
    expect(hits).toBeLessThan(360);
  });

  it.each([
    [{ resetSeconds: 5 }, { resetSeconds: 5, status: 429 }],
    [
      { operation: 'a', cut: 'after', times: 2 },
      { operation: 'a', cut: 'after', times: 2 },
    ],
    [
      { delayMs: 5, cut: 'early' },
      { delayMs: 5, cut: 'early' },
    ],
    [
      { delayMs: 5, hang: true },
      { delayMs: 5, hang: true },
    ],
  ])('takes %j', (input, expected) => {
    expect(parseFault(input, ['a'])).toEqual(expected);
  });

  it.each([
    [[], 'object'],
    [null, 'object'],
    [{ colour: 1 }, 'colour'],
    [{ operation: 'x', status: 500 }, 'operation'],
    [{ status: 99 }, 'status'],
    [{ status: '503' }, 'status'],
    [{ delayMs: -1 }, 'delayMs'],
    [{ hang: 'yes' }, 'hang'],
    [{ cut: 'middle' }, 'cut'],
    [{ status: 503, share: 0 }, 'share'],
    [{ status: 503, times: 0 }, 'times'],
    [{ times: 1 }, 'effect'],
    [{ hang: false }, 'effect'],
    [{ cut: 'after', hang: true }, 'one of'],
  ])('refuses %j', (input, word) => {
    expect(() => parseFault(input, ['a'])).toThrow(word);
  });

  it('is described in short', () => {
    const specs = [{ cut: 'after' }, { hang: true }, { status: 503 }, { delayMs: 1 }] as const;
    expect(specs.map(describeFault)).toEqual(['cut:after', 'hang', 'status:503', 'delay']);
  });
});
