import type { Client } from '@temporalio/client';
import { describe, expect, it } from 'vitest';
import { createTenantWorkflows } from '../../../src/intake/tenant-workflows.ts';

/** A Temporal whose workflows have these histories, by run id. */
function temporalWith(histories: Readonly<Record<string, unknown>>) {
  const queries: string[] = [];
  const deleted: string[] = [];
  const client = {
    options: { namespace: 'default' },
    workflow: {
      list: async function* ({ query }: { readonly query: string }) {
        queries.push(query);
        for (const runId of Object.keys(histories)) yield { workflowId: 'acme/opportunity/006', runId };
      },
      getHandle: (_: string, runId: string) => ({ fetchHistory: async () => histories[runId] }),
    },
    workflowService: {
      deleteWorkflowExecution: async (asked: { readonly workflowExecution: { readonly runId: string } }) =>
        void deleted.push(asked.workflowExecution.runId),
    },
  };
  return { workflows: createTenantWorkflows(client as unknown as Client), queries, deleted };
}

const payload = (text: string) => ({
  events: [{ attributes: { input: { payloads: [{ data: Buffer.from(text) }] } } }],
});

describe('the histories of records', () => {
  const HISTORIES = {
    clean: payload('{"key":"006"}'),
    payload: payload('{"email":"Erika@muster.example"}'),
    text: { events: [{ failure: { message: 'erika@muster.example failed' } }] },
  };

  it('are read, and those with the text are counted', async () => {
    const { workflows, queries, deleted } = temporalWith(HISTORIES);
    expect(await workflows.holding('acme', ['006'], 'ERIKA@muster.example', false)).toEqual({
      read: 3,
      found: 2,
    });
    expect(queries).toEqual(["WorkflowId = 'acme/opportunity/006' OR WorkflowId = 'acme/waits/006'"]);
    expect(deleted).toEqual([]);
  });

  it('that have it are deleted, and no others', async () => {
    const { workflows, deleted } = temporalWith(HISTORIES);
    await workflows.holding('acme', ['006'], 'erika@muster.example', true);
    expect(deleted).toEqual(['payload', 'text']);
  });

  it('are not asked for by a key that would change the query', async () => {
    const { workflows, queries } = temporalWith(HISTORIES);
    await expect(workflows.holding('acme', ["x' OR 'a' = 'a"], 'x', true)).rejects.toThrow(TypeError);
    expect(queries).toEqual([]);
  });
});
