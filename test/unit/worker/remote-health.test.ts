import type { Context } from '@temporalio/activity';
import type { ActivityExecuteInput } from '@temporalio/worker';
import { expect, it } from 'vitest';
import { failure, outage } from '../../../activities/support/to-failure.ts';
import { watchRemoteHealth } from '../../../src/worker/remote-health.ts';

const NOW = '2026-03-01T12:00:00.000Z';

/** A worker's activities, and the calls to the ledger, which fail as long as `isOut`. */
function worker() {
  const ledger = { isOut: false };
  const clock = { now: NOW };
  const told: unknown[] = [];
  const failures: unknown[] = [];
  const saveCursor = async (...args: readonly unknown[]): Promise<void> => {
    if (ledger.isOut) throw new Error('out');
    told.push(args);
  };
  const { around, ended } = watchRemoteHealth({
    ledger: { saveCursor },
    now: () => clock.now,
    onFailure: (error) => failures.push(error),
  });
  const run = async (activityType: string, end: unknown, tenant = 'acme'): Promise<unknown> => {
    const { inbound } = around({ info: { activityType } } as unknown as Context);
    const input = { args: [{ tenant, key: 'x' }], headers: {} } as unknown as ActivityExecuteInput;
    const next = async () => {
      if (end instanceof Error) throw end;
      return end;
    };
    return (inbound?.execute ? inbound.execute(input, next) : next()).catch((error: unknown) => error);
  };
  const times = async (count: number, ...run1: Parameters<typeof run>): Promise<void> => {
    for (let n = 0; n < count; n += 1) await run(...run1);
  };
  return { ledger, clock, told, failures, run, times, ended };
}

const is = (isHealthy: boolean, tenant = 'acme') => [tenant, 'remote health', { isHealthy }, NOW];

it.each([
  ['an answer that is none', failure('CONTRACT', 'x')],
  ['no answer', failure('TRANSIENT', 'x')],
  ['a refusal', failure('REFUSED', 'x')],
  ['a pause', outage('salesforce', 'x', true)],
])('tells that remotes fail once, and once that they are good again: %s', async (_, error) => {
  const { told, times } = worker();
  await times(50, 'planSync', error);
  expect(told).toEqual([is(false)]);
  await times(50, 'planSync', {});
  expect(told).toEqual([is(false), is(true)]);
});

it('gives what the activity gives, and fails as it does', async () => {
  const { run } = worker();
  const error = failure('CONTRACT', 'x');
  expect(await run('planSync', 7)).toBe(7);
  expect(await run('planSync', error)).toBe(error);
});

it.each([
  ['a quota that is used up', 'planSync', failure('THROTTLED', 'x', { retryAfterMs: 1 })],
  ['what is our own', 'planSync', failure('TRANSIENT', 'x', { isOurs: true })],
  ['a bug', 'planSync', new TypeError('x')],
  ['a reading that was not due', 'readVendor', { next: 'plan-again' }],
  ['upkeep', 'parkUnanswered', {}],
])('%s says nothing of a remote', async (_, activityType, end) => {
  const { told, times } = worker();
  await times(50, activityType, end);
  expect(told).toEqual([]);
});

it('a tenant in good health is not touched by one bad answer, nor by its neighbour', async () => {
  const { told, run, times } = worker();
  await times(20, 'planSync', {});
  await run('readVendor', failure('TRANSIENT', 'x'));
  await times(50, 'planSync', failure('TRANSIENT', 'x'), 'hostile');
  expect(told).toEqual([is(true), is(false, 'hostile')]);
});

it('tells it again where the ledger was out', async () => {
  const { ledger, told, failures, run, times } = worker();
  ledger.isOut = true;
  await times(5, 'planSync', {});
  expect(failures).toHaveLength(1);
  ledger.isOut = false;
  await run('planSync', {});
  expect(told).toEqual([is(true)]);
});

it('tells it again after a minute: another worker may have reported otherwise, and ended', async () => {
  const { clock, told, times } = worker();
  await times(20, 'planSync', {});
  clock.now = '2026-03-01T12:00:59.000Z';
  await times(20, 'planSync', {});
  expect(told).toHaveLength(1);
  clock.now = '2026-03-01T12:01:00.000Z';
  await times(20, 'planSync', {});
  expect(told).toHaveLength(2);
});

it('learns of steps that were no activities of their own', () => {
  const { told, ended } = worker();
  for (let n = 0; n < 5; n += 1) ended('acme', 'readVendor', failure('TRANSIENT', 'HTTP 503'));
  expect(told).toEqual([is(false)]);
});
