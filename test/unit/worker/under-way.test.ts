import type { Context } from '@temporalio/activity';
import type { ActivityExecuteInput } from '@temporalio/worker';
import { expect, it, vi } from 'vitest';
import { type LogFields, silentLogger } from '../../../src/platform/logger.ts';
import { createUnderWay } from '../../../src/worker/under-way.ts';

function waiting() {
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { ended, end };
}

/** A worker with these activities under way; each ends when the test says so. */
function worker(types: readonly string[]) {
  const underWay = createUnderWay(10);
  const begun = types.map((activityType) => {
    const { ended, end } = waiting();
    const { inbound } = underWay.around({ info: { activityType } } as Context);
    const done = inbound?.execute?.({} as ActivityExecuteInput, () => ended);
    return async () => {
      end();
      await done;
    };
  });
  const lines: (readonly [string, LogFields])[] = [];
  const tell = (message: string, fields: LogFields = {}) => void lines.push([message, fields]);
  const log = { ...silentLogger, info: tell, warn: tell };
  return { underWay, begun, lines, log };
}

it('says what it waits for, again while it waits, and that nothing was left', async () => {
  const { underWay, begun, lines, log } = worker(['planSync', 'planSync', 'writeCrm']);
  const { ended, end } = waiting();
  const result = underWay.logUntil(ended, log, 20_000);
  expect(lines.map(([, fields]) => fields)).toEqual([
    { count: 3, waitMs: 20_000 },
    { activityType: 'planSync', count: 2 },
    { activityType: 'writeCrm', count: 1 },
  ]);
  await begun[0]?.();
  await begun[2]?.();
  lines.length = 0;
  await vi.waitUntil(() => lines.length > 0);
  expect(lines[0]?.[1]).toEqual({ activityType: 'planSync', count: 1 });
  await begun[1]?.();
  end();
  await result;
  expect(lines.at(-1)).toEqual([
    'the worker has ended, with nothing left under way',
    { durationMs: expect.any(Number) },
  ]);
});

it('says how much was cut off, also where the workers end with a failure', async () => {
  const { underWay, lines, log } = worker(['createAtVendor']);
  await underWay.logUntil(Promise.reject(new Error('too late')), log, 20_000);
  expect(lines.at(-1)).toEqual([
    'the worker ends; what is cut off is looked at again',
    { count: 1, durationMs: expect.any(Number) },
  ]);
});
