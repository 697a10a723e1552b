/** A dead vendor key on the real stack: the tenant pauses, nothing is kept waiting in Temporal, and all of it comes after. */
import { expect, it } from 'vitest';
import { workflowIds } from '../../temporal.config.ts';
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
    return links.every((link) => link !== null && link.dueSeq > link.doneSeq);
  });
  await until('no record waits in a workflow', async () => (await runningRecords()) === 0);
  const guard = stack.client.workflow.getHandle(workflowIds.guardTenant(stack.tenant, 'vendor-sales'));
  expect((await guard.describe()).status.name).toBe('RUNNING');
  expect(await vendor.records('leadOpportunity')).toHaveLength(0);

  await vendor.clearFaults();
  await until(
    'both are at the vendor',
    async () => (await vendor.records('leadOpportunity')).length === 2,
    60_000,
  );
  await until('nothing is paused', async () => (await stack.ledger.pauses(stack.tenant)).length === 0);
  expect(await guard.result()).toMatchObject({ drained: 2 });
});
