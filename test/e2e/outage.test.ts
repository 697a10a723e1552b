/**
 * Outages on the real stack. A dead vendor key: the tenant pauses, nothing is kept waiting in Temporal, and all of it comes
 * after. Temporal or the ledger gone: worker and receiver say so to whoever probes them.
 */
import { describe, expect, it } from 'vitest';
import { workflowIds } from '../../temporal.config.ts';
import { queryOnce } from '../support/ledger/postgres.ts';
import { withStack } from '../support/stack/with-stack.ts';
import { until } from '../support/until.ts';

const { stack, user, vendor } = await withStack();

async function runningRecords(): Promise<number> {
  const { count } = await stack.client.workflow.count(
    "WorkflowType = 'syncOpportunity' AND ExecutionStatus = 'Running'",
  );
  return count;
}

it('pauses on a refused key, keeps changes as due rows, and drains them when the key works again', async () => {
  await vendor.fault({ status: 403 });

  const first = await user.deal('During the outage');
  await until('the tenant is paused', async () => (await stack.ledger.pauses(stack.tenant)).length > 0);
  const second = await user.deal('Later in the outage');
  await until('both are due', async () => {
    const links = await Promise.all(
      [first, second].map((crmId) => stack.ledger.findLinkByIds(stack.tenant, { crmId })),
    );
    return links.every((link) => link !== null && link.generation > link.observedGeneration);
  });
  await until('no record waits in a workflow', async () => (await runningRecords()) === 0);
  const guard = stack.client.workflow.getHandle(workflowIds.guardTenant(stack.tenant, 'vendor-sales'));
  expect((await guard.describe()).status.name).toBe('RUNNING');
  expect(await vendor.records('leadOpportunity')).toHaveLength(0);

  await vendor.clearFaults();
  await until('both are at the vendor', async () => (await vendor.records('leadOpportunity')).length === 2, 60_000);
  await until('nothing is paused', async () => (await stack.ledger.pauses(stack.tenant)).length === 0);
  expect(await guard.result()).toMatchObject({ drained: 2 });
});

/** What has failed, by `/readyz`; empty when it is ready. */
async function failedAt(ops: string): Promise<readonly string[]> {
  const answer = await fetch(`${ops}/readyz`);
  const { failed = [] } = (await answer.json()) as { readonly failed?: readonly string[] };
  expect(answer.status).toBe(failed.length === 0 ? 200 : 503);
  expect((await fetch(`${ops}/healthz`)).status).toBe(200);
  return failed;
}

/** A probe looks every few seconds. */
async function bothSay(worker: readonly string[], receiver: readonly string[]): Promise<void> {
  const says = (ops: string, wanted: readonly string[]) =>
    until(`/readyz names [${wanted.join()}]`, async () => (await failedAt(ops)).join() === wanted.join(), 20_000);
  await Promise.all([says(stack.ops.worker, worker), says(stack.ops.receiver, receiver)]);
}

/** The ledger's database for nobody, with those cut off who use it; or for all again. */
async function allowLedger(allowed: boolean): Promise<void> {
  const url = new URL(stack.databaseUrl);
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  await queryOnce(url.href, `alter database ${name} with allow_connections ${allowed}`);
  if (allowed) return;
  await queryOnce(url.href, 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
}

describe('worker and receiver are not ready, and are again when it is back', () => {
  it('while Temporal is gone', async () => {
    await bothSay([], []);
    await stack.temporal.kill();
    await bothSay(['temporal'], ['intake']);
    await stack.temporal.start();
    await bothSay([], []);
  });

  it('while the ledger is gone', async () => {
    await allowLedger(false);
    await bothSay(['ledger'], ['intake']);
    await allowLedger(true);
    await bothSay([], []);
  });
});
