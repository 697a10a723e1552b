/** What starts while the worker is busy. */
import type { Context } from '@temporalio/activity';
import type { ActivityExecuteInput } from '@temporalio/worker';
import { expect, it } from 'vitest';
import { byLag } from '../../../src/worker/by-lag.ts';

type Call = { readonly isLocal?: boolean; readonly activityId?: string; readonly isRepeated?: true };

function worker(lagMs: number) {
  let waiting = 0;
  const localActivity = () => {
    waiting += 1;
    return () => {
      waiting -= 1;
    };
  };
  const around = byLag({ ms: () => lagMs }, { localActivity });
  const run = ({ isLocal = true, activityId = '1', ...args }: Call): Promise<unknown> => {
    const workflowExecution = { workflowId: 'x', runId: 'run' };
    const { inbound } = around({ info: { isLocal, activityId, workflowExecution } } as Context);
    const input = { args: [args], headers: {} } as unknown as ActivityExecuteInput;
    return inbound?.execute?.(input, async () => waiting) as Promise<unknown>;
  };
  return async (call: Call) => {
    const result = await run(call).catch((error: unknown) => error);
    expect(waiting).toBe(0);
    return result;
  };
}

const refusal = (message: string) => ({ type: 'TRANSIENT', message, details: [{ isOurs: true }] });

it.each<readonly [what: string, lagMs: number, call: Call, result: unknown]>([
  ['a quick worker runs it, and its workflow task waits', 20, {}, 1],
  ['a busy worker refuses it', 80, {}, refusal('the worker is busy')],
  ['a busy worker runs an ordinary activity', 80, { isLocal: false }, 0],
  ['a task that was cut off before', 0, { isRepeated: true }, refusal('the workflow task was handed out before')],
])('%s', async (_, lagMs, call, result) => {
  const answer = await worker(lagMs)(call);
  if (typeof result === 'number') expect(answer).toBe(result);
  else expect(answer).toMatchObject(result as object);
});

it('the same local activity again is of a task that was handed out again', async () => {
  const run = worker(0);
  expect(await run({})).toBe(1);
  expect(await run({ activityId: '2' })).toBe(1);
  expect(await run({})).toMatchObject(refusal('the workflow task was handed out before'));
  expect(await run({ isLocal: false })).toBe(0);
});

it('ordinary activities of a busy worker start one in each turn of the event loop, in order', async () => {
  const run = worker(80);
  const started: number[] = [];
  const all = [1, 2, 3].map((n) => run({ isLocal: false }).then(() => started.push(n)));
  for (let turn = 0; turn < 4; turn += 1) {
    expect(started.length).toBeLessThanOrEqual(turn);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(all);
  expect(started).toEqual([1, 2, 3]);
});
