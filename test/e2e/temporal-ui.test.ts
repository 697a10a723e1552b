/**
 * What the Temporal UI shows of a record that waits, read from a real server: summaries, the details that stay after
 * completion, results, and the filter that lists what waits now.
 */
import { type WorkflowHandle, WorkflowNotFoundError } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { expect, it } from 'vitest';
import { SEARCH_ATTRIBUTES, workflowIds } from '../../temporal.config.ts';
import { withStack } from '../support/stack/with-stack.ts';
import { until } from '../support/until.ts';

const { stack, user, vendor } = await withStack();
const { client, tenant } = stack;

/** As docs/operations/temporal.md gives it. */
const WAITING = `LockstepTenant="${tenant}" AND WorkflowType="recordWaits" AND ExecutionStatus="Running"`;

async function listed(query: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { workflowId } of client.workflow.list({ query })) found.push(workflowId);
  return found;
}

/** What the UI shows at the top of a run, whether or not it has completed. */
async function currentDetails(handle: WorkflowHandle): Promise<string> {
  const metadata = await handle.query<{ readonly currentDetails?: string }>('__temporal_workflow_metadata');
  return metadata.currentDetails ?? '';
}

/** The summaries of a run's timers and activities, in order. */
async function summaries(handle: WorkflowHandle): Promise<readonly string[]> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).flatMap(({ userMetadata }) =>
    userMetadata?.summary == null ? [] : [String(defaultPayloadConverter.fromPayload(userMetadata.summary))],
  );
}

function notStarted(error: unknown): null {
  if (error instanceof WorkflowNotFoundError) return null;
  throw error;
}

/** The newest run of the record's workflow, once it has completed in this state. */
async function completedIn(key: string, state: string): Promise<WorkflowHandle> {
  const workflowId = workflowIds.syncOpportunity(tenant, key);
  return until(`a run has ended ${state}`, async () => {
    const description = await client.workflow.getHandle(workflowId).describe().catch(notStarted);
    if (description === null) return null;
    const isIn = description.typedSearchAttributes.get(SEARCH_ATTRIBUTES.syncState) === state;
    if (description.status.name !== 'COMPLETED' || !isIn) return null;
    return client.workflow.getHandle(workflowId, description.runId);
  });
}

it('says why a record waits, lists it as long as it does, and not for an old run’s sake', async () => {
  const deal = await user.deal('Refused');
  await completedIn(deal, 'in-sync');
  expect(await listed(WAITING)).toEqual([]);

  await vendor.fault({ operation: 'updateLeadOpportunity', status: 400, times: 1 });
  await user.update('Opportunity', deal, { Description: 'A secret of the deal' });
  const parked = await completedIn(deal, 'parked');

  const issues = ['vendor-refused'];
  expect(await parked.result()).toMatchObject({ state: 'parked', issues });
  expect(await currentDetails(parked)).toMatch(new RegExp(`^${deal} = \\S+: parked, vendor-refused$`));
  const answer = await summaries(parked);
  expect(answer).toEqual(
    expect.arrayContaining([
      // A busy worker reads and updates in one activity.
      expect.stringMatching(/^update .*: description$|, and update it$/),
      'report to the CRM: parked, vendor-refused',
      'show: parked, vendor-refused',
    ]),
  );
  expect(JSON.stringify(answer)).not.toContain('secret');

  const id = workflowIds.recordWaits(tenant, deal);
  await until('the filter lists it', async () => (await listed(WAITING)).includes(id));
  expect(await listed(`${WAITING} AND LockstepSyncState="parked"`)).toEqual([id]);
  expect(await listed(`${WAITING} AND LockstepSyncState="conflict"`)).toEqual([]);
  const waits = client.workflow.getHandle(id);
  expect(await currentDetails(waits)).toMatch(new RegExp(`^${deal} = \\S+: parked, vendor-refused$`));

  await user.update('Opportunity', deal, { Description: 'Repaired' });
  const repaired = await completedIn(deal, 'in-sync');
  expect(await repaired.result()).toMatchObject({ state: 'in-sync', issues: [] });
  expect(await currentDetails(repaired)).toMatch(/: in-sync$/);
  expect(await waits.result()).toEqual({ state: 'in-sync', issues: [] });
  await until('the filter lists nothing', async () => (await listed(WAITING)).length === 0);
  // The state alone still finds the run that ended parked.
  const old = `LockstepCrmId="${deal}" AND WorkflowType="syncOpportunity" AND LockstepSyncState="parked"`;
  expect(await listed(old)).toHaveLength(1);
  expect(await currentDetails(parked)).toContain('parked, vendor-refused');
});

it('says what a wait is for, with the code of the failure', async () => {
  const deal = await user.deal('Throttled');
  await completedIn(deal, 'in-sync');
  await vendor.fault({ operation: 'updateLeadOpportunity', status: 429, resetSeconds: 3, times: 1 });
  await user.update('Opportunity', deal, { Description: 'Later' });
  const throttled = await until('it has waited', async () => {
    const handle = client.workflow.getHandle(workflowIds.syncOpportunity(tenant, deal));
    return (await summaries(handle)).some((words) => words.includes('vendor-throttled')) ? handle : null;
  });
  await throttled.result();
  expect(await currentDetails(throttled)).toMatch(/: in-sync$/);

  await vendor.fault({ operation: 'updateLeadOpportunity', status: 503, times: 1 });
  await user.update('Opportunity', deal, { Description: 'Later still' });
  const words = await until('it has waited', async () => {
    const all = await summaries(client.workflow.getHandle(workflowIds.syncOpportunity(tenant, deal)));
    return all.find((each) => each.includes('vendor-unavailable')) ?? null;
  });
  expect(words).toMatch(/^waits \d+ s for .* \(vendor-unavailable\): \S/);
});
