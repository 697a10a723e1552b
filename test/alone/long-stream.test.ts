import { expect, it, vi } from 'vitest';
import { ContinueAsNew, runAsWorkflow, type WorkflowHost } from '../support/engine/workflow-host.ts';

const details: string[] = vi.hoisted(() => []);
vi.mock('@temporalio/workflow', async () => ({
  ...(await import('../support/engine/workflow-runtime.ts')),
  setCurrentDetails: (text: string) => void details.push(text),
}));

const { loadOrders, pullOrders } = await import('../../workflows/index.ts');

/** Runs the workflow, a history of `historyLength` events behind it, over a stream that has so many steps. */
function run(steps: number, historyLength: number, input: Parameters<typeof pullOrders>[0]) {
  let asked = 0;
  const host = {
    info: () => ({ historyLength, continueAsNewSuggested: false }),
    schedule: async () => {
      asked += 1;
      return { found: 2, refused: 1, more: asked < steps };
    },
    setHandler: () => {},
  } as unknown as WorkflowHost;
  return runAsWorkflow(host, () => pullOrders(input));
}

it('a stream is read to its end', async () => {
  expect(await run(3, 10, { tenant: 'acme' })).toEqual({ reads: 3, found: 6, refused: 3 });
});

it('of a long history the rest is left to a new run, which goes on counting', async () => {
  const soFar = { reads: 5, found: 7 };
  const error: unknown = await run(3, 2_000, { tenant: 'acme', soFar }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ContinueAsNew);
  const [next] = (error as ContinueAsNew).args as [Parameters<typeof pullOrders>[0]];
  expect(next).toEqual({ tenant: 'acme', soFar: { reads: 6, found: 9, refused: 1 } });
  expect(await run(1, 10, next)).toEqual({ reads: 7, found: 11, refused: 2 });
});

it('no new run is begun for nothing', async () => {
  expect(await run(1, 2_000, { tenant: 'acme' })).toEqual({ reads: 1, found: 2, refused: 1 });
});

it('one that a person has paused ends, and says so in its result and in its details', async () => {
  const host = {
    info: () => ({ historyLength: 10, continueAsNewSuggested: false }),
    schedule: async () => ({ found: 0, more: false, pausedSince: '2027-01-04T08:00:00.000Z' }),
    setHandler: () => {},
  } as unknown as WorkflowHost;
  const result = await runAsWorkflow(host, () => loadOrders({ tenant: 'acme' }));
  expect(result).toEqual({ reads: 1, found: 0, pausedSince: '2027-01-04T08:00:00.000Z' });
  expect(details.slice(-1)).toEqual([
    'paused by an operator since 2027-01-04T08:00:00.000Z; to let it go on: lockstep load-orders resume acme',
  ]);
});

it('what is to be read again within moments is waited for, and what comes later is left to the next poll', async () => {
  const waits: number[] = [];
  const steps = [
    { found: 1, more: false, againMs: 60_000 },
    { found: 2, more: false, againMs: 300_000 },
  ];
  const host = {
    info: () => ({ historyLength: 10, continueAsNewSuggested: false }),
    schedule: async () => steps.shift(),
    condition: async (_: unknown, ms: number) => waits.push(ms) < 0,
    setHandler: () => {},
  } as unknown as WorkflowHost;
  expect(await runAsWorkflow(host, () => pullOrders({ tenant: 'acme' }))).toEqual({ reads: 2, found: 3 });
  expect(waits).toEqual([60_000]);
});
