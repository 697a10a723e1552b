/** A stream that users' requests start: a request that arrives while the stream is read makes it be read once more. */
import { describe, expect, it, vi } from 'vitest';
import { requestSignal } from '../../workflows/messages.ts';
import { runAsWorkflow, type WorkflowHost } from '../support/engine/workflow-host.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

const { findOrders } = await import('../../workflows/index.ts');

type Page = { readonly found: number; readonly more: boolean; readonly againMs?: number };

/** Runs the stream. `pages`: what each read gives; during the reads with these numbers a request arrives. */
async function readsOf(pages: readonly Page[], requestsDuring: readonly number[]): Promise<number> {
  let request = (): void => {};
  let reads = 0;
  const host = {
    info: () => ({ historyLength: 3, continueAsNewSuggested: false, runId: 'run-1' }),
    condition: async () => false,
    schedule: async () => {
      reads += 1;
      if (requestsDuring.includes(reads)) request();
      return pages[reads - 1] ?? { found: 0, more: false };
    },
    setHandler: (name: string, handler: () => void) => {
      if (name === requestSignal.name) request = handler;
    },
  } as unknown as WorkflowHost;
  await runAsWorkflow(host, () => findOrders({ tenant: 'acme' }));
  return reads;
}

describe('the stream is read', () => {
  it.each<[string, readonly Page[], readonly number[], number]>([
    ['once without a request', [], [], 1],
    ['once more after a request during the last read', [], [1], 2],
    ['again as often as requests arrive during reads', [], [1, 2], 3],
    ['no more often for a request during a read that others follow', [{ found: 1, more: true }], [1], 2],
  ])('%s', async (_, pages, requestsDuring, expected) => {
    expect(await readsOf(pages, requestsDuring)).toBe(expected);
  });
});
