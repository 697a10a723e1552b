import type { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityExecuteInput } from '@temporalio/worker';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failure } from '../../../activities/support/to-failure.ts';
import { type Queue, shareSlots } from '../../../src/worker/tenant-share.ts';
import { createTurns } from '../../../src/worker/turns.ts';

type Run = () => Promise<unknown>;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A worker of four slots of each kind; a tenant that failed `failed` times before. */
function worker(failed = 0) {
  const turns = createTurns({ perSecond: 5, longestMs: 600_000 });
  for (let n = 0; n < failed; n += 1) turns.next('acme', 0);
  const remotes = { isSlow: false };
  let hang: (tenant: string) => void = () => undefined;
  const slow = {
    isSlow: () => remotes.isSlow,
    onSlow: (listener: typeof hang) => {
      hang = listener;
    },
  };
  const share = shareSlots({ sync: 4, vendor: 4, localActivities: 4 }, turns, slow, () => 0);
  const execute = (
    { queue = 'sync' as Queue, isLocal = false, cancelled = new Promise<never>(() => undefined) },
    args: readonly unknown[],
    run: Run,
  ): Promise<unknown> => {
    const { inbound } = share(queue)({ info: { isLocal }, cancelled } as Context);
    const input = { args, headers: {} } as unknown as ActivityExecuteInput;
    return inbound?.execute?.(input, run) as Promise<unknown>;
  };
  const record = [{ tenant: 'acme', key: 'x' }];
  return {
    hang: () => {
      remotes.isSlow = true;
      hang('acme');
    },
    ordinary: (run: Run, cancelled?: Promise<never>) => execute(cancelled ? { cancelled } : {}, record, run),
    vendor: (run: Run) => execute({ queue: 'vendor' }, record, run),
    firstTry: (run: Run) => execute({ isLocal: true }, record, run),
    stream: (run: Run) => execute({}, [{ tenant: 'acme' }], run),
    neighbour: (run: Run) => execute({}, [{ tenant: 'globex', key: 'x' }], run),
  };
}

const done = async () => 'done';
const fails = (error: unknown) => () => Promise.reject(error);
const hangs = () => new Promise(() => undefined);
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);
const outcome = (work: Promise<unknown>) => work.catch((error: unknown) => error);
const turnOf = async (work: Promise<unknown>): Promise<unknown> => {
  const error = await outcome(work);
  return error instanceof ApplicationFailure
    ? (error.details?.[0] as { fairnessDelayMs?: number } | undefined)?.fairnessDelayMs
    : error;
};
/** What it came to, or `waits`. */
const now = (work: Promise<unknown>) =>
  Promise.race([outcome(work), vi.advanceTimersByTimeAsync(1).then(() => 'waits')]);

test.each([
  ['out', failure('TRANSIENT', 'x', { waitsFor: 'crm-unavailable' })],
  ['throttled', failure('THROTTLED', 'x', { retryAfterMs: 7 })],
  ['answering nonsense', failure('CONTRACT', 'x')],
  ['refusing', failure('REFUSED', 'x')],
])('of a remote that is %s the hundredth comes when ninety-nine had their turn', async (_, error) => {
  const result = await outcome(worker(99).ordinary(fails(error)));
  expect(result).toMatchObject({
    ...{ type: error.type, message: 'x', nonRetryable: error.nonRetryable, stack: error.stack },
    details: [{ ...(error.details?.[0] as object), fairnessDelayMs: 20_000 }],
  });
  expect(result).toHaveProperty('category', error.category);
  expect(result).toHaveProperty('nextRetryDelay', error.nextRetryDelay);
});

test('what fails alone is reported as it is', async () => {
  const error = failure('TRANSIENT', 'x');
  expect(await outcome(worker().ordinary(fails(error)))).toBe(error);
});

test.each([
  ['what is our own', failure('TRANSIENT', 'x', { isOurs: true })],
  ['a bug', failure('BUG', 'x')],
  ['a stale reading', failure('STALE', 'x')],
  ['any other error', new TypeError('x')],
  ['what is no error', null],
])('%s takes no turn', async (_, error) => {
  const { ordinary } = worker(4);
  for (let n = 0; n < 20; n += 1) expect(await outcome(ordinary(fails(error)))).toBe(error);
  expect(await turnOf(ordinary(fails(failure('REFUSED', 'x'))))).toBe(1_000);
});

test('a stream takes none either', async () => {
  const error = failure('TRANSIENT', 'x');
  expect(await outcome(worker(99).stream(fails(error)))).toBe(error);
});

test('while its remotes answer nothing of a tenant is refused, however much there is', async () => {
  const { ordinary, neighbour } = worker();
  const ends: (() => void)[] = [];
  const running = times(12, () => ordinary(() => new Promise((resolve) => ends.push(() => resolve('done')))));
  await vi.advanceTimersByTimeAsync(0);
  expect(ends).toHaveLength(3);
  expect(await now(neighbour(done))).toBe('done');
  for (let n = 0; n < 12; n += 1) {
    ends[n]?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(ends).toHaveLength(Math.min(12, n + 4));
  }
  expect(await Promise.all(running)).toEqual(times(12, () => 'done'));
});

test.each([
  ['ordinary', 25_000],
  ['vendor', 10_000],
] as const)(
  'what waits for its share is let go of after a while, since its own time is short: %s',
  async (queue, ms) => {
    const work = worker()[queue];
    times(3, () => void work(hangs));
    const waiting = outcome(work(done));
    await vi.advanceTimersByTimeAsync(ms - 10);
    expect(await now(waiting)).toBe('waits');
    await vi.advanceTimersByTimeAsync(10);
    expect(await waiting).toMatchObject({ type: 'TRANSIENT', details: [{ isOurs: true }] });
  },
);

test('what was cancelled while it waited leaves its slot to the next', async () => {
  const { ordinary } = worker();
  const first = Promise.withResolvers<unknown>();
  const cancelled = Promise.withResolvers<never>();
  void ordinary(() => first.promise);
  times(2, () => void ordinary(hangs));
  const waiting = outcome(ordinary(done, cancelled.promise));
  const next = ordinary(done);
  cancelled.reject(new Error('cancelled'));
  expect(await waiting).toMatchObject({ type: 'TRANSIENT' });
  first.resolve('done');
  expect(await now(next)).toBe('done');
});

test('what waits is refused as soon as the remotes hang, and comes again one after the other', async () => {
  const { ordinary, hang } = worker();
  times(3, () => void ordinary(hangs));
  const waiting = times(8, () => turnOf(ordinary(done)));
  await vi.advanceTimersByTimeAsync(0);
  hang();
  expect(await Promise.all(waiting)).toEqual([...times(4, () => undefined), ...[1_000, 1_200, 1_400, 1_600]]);
});

test('while its remotes hang a tenant has few slots, of either queue, and no local activities', async () => {
  const { ordinary, vendor, firstTry, neighbour, hang } = worker(99);
  hang();
  void ordinary(hangs);
  expect(await turnOf(ordinary(done))).toBe(20_000);
  // What the vendor would be read for has no slot.
  expect(await turnOf(vendor(done))).toBe(20_200);
  expect(await turnOf(firstTry(done))).toBe(20_400);
  expect(await now(neighbour(done))).toBe('done');
});

test('local activities of a tenant hold a fifth of the places for workflow tasks, of which one is left', async () => {
  const { firstTry, ordinary } = worker(99);
  void firstTry(hangs);
  expect(await outcome(firstTry(done))).toMatchObject({ type: 'TRANSIENT', details: [{ isOurs: true }] });
  expect(await now(ordinary(done))).toBe('done');
});

test('a first try without a share is followed by an ordinary one, which waits', async () => {
  const { firstTry, ordinary } = worker(99);
  void firstTry(hangs);
  times(3, () => void ordinary(hangs));
  expect(await turnOf(firstTry(done))).toBeUndefined();
  expect(await now(ordinary(done))).toBe('waits');
});
