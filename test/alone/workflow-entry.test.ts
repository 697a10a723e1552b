import { expect, it, vi } from 'vitest';
import { STREAM_NAMES, STREAMS } from '../../src/domain/streams/streams.ts';
import type { TenantInput } from '../../workflows/messages.ts';
import { type ActivityCall, runAsWorkflow, type WorkflowHost } from '../support/engine/workflow-host.ts';
import { WORKFLOW_FILES } from '../support/workflow-files.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

type Workflow = (input: TenantInput) => Promise<unknown>;

const entry: Readonly<Record<string, unknown>> = await import('../../workflows/index.ts');

/** The first activity that a workflow asks for. */
async function firstAsked(workflow: Workflow): Promise<string | undefined> {
  const names: string[] = [];
  const host = {
    schedule: async ({ name }: ActivityCall) => {
      names.push(name);
      return { found: 0, more: false, woken: 0 };
    },
    setHandler: () => {},
  } as unknown as WorkflowHost;
  await runAsWorkflow(host, () => workflow({ tenant: 'acme' }));
  return names[0];
}

it('every workflow is exported by the bundle’s entry', () => {
  const names = WORKFLOW_FILES.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['guardTenant', 'pollVendor', 'syncOpportunity']));
  const missing = WORKFLOW_FILES.filter(({ name }) => typeof entry[name] !== 'function');
  expect(missing.map(({ name, file }) => `${name} of workflows/${file}: export it from workflows/index.ts`)).toEqual(
    [],
  );
});

it('every stream has the workflow that its schedule starts, and it reads that stream', async () => {
  const found: string[] = [];
  for (const stream of STREAM_NAMES) {
    const workflow = entry[stream];
    const { activity } = STREAMS[stream];
    const asked = typeof workflow === 'function' ? await firstAsked(workflow as Workflow) : undefined;
    if (asked !== activity)
      found.push(`${stream}: add to workflows/streams.ts: export const ${stream} = streamWorkflow('${stream}');`);
  }
  expect(found).toEqual([]);
});
