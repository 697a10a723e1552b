import { ApplicationFailure } from '@temporalio/common';
import { expect, it, vi } from 'vitest';
import { ContinueAsNew, runAsWorkflow, type WorkflowHost } from '../support/engine/workflow-host.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

const { syncOpportunity } = await import('../../workflows/index.ts');
const { pinned } = await import('../../workflows/history.ts');

type Told = { readonly historyLength?: number; readonly targetWorkerDeploymentVersionChanged?: boolean };

/**
 * A record whose side fails, so that its workflow waits and tries again. `told`: what Temporal tells the run after each wait;
 * it ends with the last.
 */
async function run(told: readonly Told[]) {
  const waits: (number | undefined)[] = [];
  const handlers = new Map<string, (wake: object) => void>();
  const host = {
    info: () => ({ historyLength: 1, continueAsNewSuggested: false, ...told[waits.length - 1] }),
    schedule: async () => {
      throw ApplicationFailure.create({ type: 'TRANSIENT', details: [{ retryAfterMs: null }] });
    },
    condition: async (check: () => boolean, limitMs: number | undefined) => {
      if (limitMs === undefined) handlers.get('wake')?.({ cause: 'crm' });
      if (check()) return true;
      if (waits.length === told.length) throw new Error('told all');
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

it('a pinned run goes on with newer workers at the end of a wait, with all that it knows', async () => {
  const { thrown, waits } = await run([{}, { targetWorkerDeploymentVersionChanged: true }]);
  expect(thrown).toBeInstanceOf(ContinueAsNew);
  const { args, options } = thrown as ContinueAsNew;
  expect(options).toEqual({ initialVersioningBehavior: 'AUTO_UPGRADE' });
  expect(args).toMatchObject([{ tenant: 'acme', key: 'k', carried: { failures: 2 } }]);
  expect(waits).toHaveLength(2);
});

it('a run whose history is long goes on as it was', async () => {
  const { thrown } = await run([{ historyLength: 2_000 }]);
  expect(thrown).toMatchObject({ options: {}, args: [{ carried: { failures: 1 } }] });
});

it('a run that nothing is told of goes on by itself', async () => {
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
