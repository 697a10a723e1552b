import { ApplicationFailure } from '@temporalio/common';
import { expect, it, vi } from 'vitest';
import { ContinueAsNew, runAsWorkflow, type WorkflowHost } from '../support/engine/workflow-host.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

const { syncOpportunity } = await import('../../workflows/index.ts');
const { pinned } = await import('../../workflows/history.ts');

type Told = { readonly historyLength?: number; readonly targetWorkerDeploymentVersionChanged?: boolean };

/** So many waits are over before a run is taken for young no more: until then it tries in its own tasks, and asks nothing of them. */
const YOUNG = 4;

/**
 * A record whose side fails, so that its workflow waits and retries; `retryAfterMs`: the wait that the side demands. `told`: Temporal's
 * answers to the run after each wait; the run ends with the last.
 */
async function run(result: readonly Told[], retryAfterMs: number | null = null) {
  const waits: (number | undefined)[] = [];
  const handlers = new Map<string, (wake: object) => void>();
  const host = {
    info: () => ({ historyLength: 1, continueAsNewSuggested: false, ...result[waits.length - 1] }),
    schedule: async () => {
      throw ApplicationFailure.create({ type: 'TRANSIENT', details: [{ retryAfterMs }] });
    },
    condition: async (check: () => boolean, limitMs: number | undefined) => {
      if (limitMs === undefined) handlers.get('wake')?.({ cause: 'crm' });
      if (check()) return true;
      if (waits.length === result.length) throw new Error('told all');
      waits.push(limitMs);
      return false;
    },
    setHandler: (name: string, handler: (wake: object) => void) => handlers.set(name, handler),
    upsertSearchAttributes: () => undefined,
  } as unknown as WorkflowHost;
  const input = { tenant: 'acme', key: 'k', crmId: null, vendorId: null, syncState: null };
  const thrown: unknown = await runAsWorkflow(host, () => syncOpportunity(input)).catch((error) => error);
  return { thrown, waits };
}

const NEWER = { targetWorkerDeploymentVersionChanged: true };

it('a pinned run goes on with newer workers at the end of a wait, with all that it knows', async () => {
  const { thrown, waits } = await run([...Array<Told>(YOUNG + 1).fill({}), NEWER]);
  expect(thrown).toBeInstanceOf(ContinueAsNew);
  const { args, options } = thrown as ContinueAsNew;
  expect(options).toEqual({ initialVersioningBehavior: 'AUTO_UPGRADE' });
  expect(args).toMatchObject([{ tenant: 'acme', key: 'k', carried: { failures: YOUNG + 2 } }]);
  expect(waits).toHaveLength(YOUNG + 2);
});

it('a young one asks for them at the end of a long wait only', async () => {
  const result = Array<Told>(YOUNG + 2).fill(NEWER);
  expect((await run(result)).waits).toHaveLength(YOUNG + 1);
  expect((await run(result, 20_000)).waits).toHaveLength(YOUNG + 1);
  expect((await run(result, 30_000)).waits).toHaveLength(1);
});

it('a run whose history is long goes on as it was', async () => {
  const { thrown } = await run(Array<Told>(YOUNG + 1).fill({ historyLength: 2_000 }));
  expect(thrown).toMatchObject({ options: {}, args: [{ carried: { failures: YOUNG + 1 } }] });
});

it('a run that nothing is signalled to goes on by itself', async () => {
  const { thrown, waits } = await run([{}, {}, {}]);
  expect(thrown).toEqual(new Error('told all'));
  expect(waits).toHaveLength(3);
});

it.each([
  ['of a version', { deploymentName: 'lockstep', buildId: '0.1.0' }, { versioningBehavior: 'PINNED' }],
  // As the SDK tells it where a worker is given no version.
  ['without a version', { deploymentName: '', buildId: '@temporalio/worker@1.24.0' }, {}],
  ['that tells none', undefined, {}],
])('a run of a worker %s is pinned where it may be', (_, currentDeploymentVersion, options) => {
  const host = { info: () => ({ currentDeploymentVersion }) } as unknown as WorkflowHost;
  expect(runAsWorkflow(host, pinned)).toEqual(options);
});
