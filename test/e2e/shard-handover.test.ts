/** A shard's activity sends no heartbeats to Temporal: beats in the ledger show that its worker is dead. */
import { expect, it } from 'vitest';
import { attemptOf } from '../../src/domain/streams/shards.ts';
import { workflowIds } from '../../temporal.config.ts';
import { withStack } from '../support/stack/with-stack.ts';
import { until } from '../support/until.ts';

const { stack, user, vendor, worker, atVendor } = await withStack();
const SHARD = 0;
/** Fifteen seconds until the death is noticed, a second until the next attempt, and as long again on a busy machine. */
const MOST_MS = 32_000;

/** The attempt that reads the shard, as Temporal sees it; null if none does. */
async function activityOfShard() {
  const { info } = await stack.client.schedule.getHandle(workflowIds.readTenants(SHARD)).describe();
  const workflow = info.runningActions.at(-1)?.workflow;
  if (workflow === undefined) return null;
  const { raw } = await stack.client.workflow.getHandle(workflow.workflowId).describe();
  return raw.pendingActivities?.[0] ?? null;
}

async function readerOf(): Promise<string | undefined> {
  const [row] = await stack.ledgerQuery(`select attempt from shard_readers where shard = ${SHARD}`);
  return row?.['attempt'] as string | undefined;
}

it('goes on with another worker when its worker is killed, in the same run', async () => {
  const crmId = await user.deal('Handover');
  const { id } = await until('the vendor has the deal', async () => (await atVendor(crmId))[0]);
  const other = await stack.startAnotherWorker({});
  const before = await until('a worker reads the shard', readerOf);
  const identity = (await activityOfShard())?.lastWorkerIdentity ?? '';
  const killed = [worker, other].find(({ pid }) => identity.startsWith(`${pid}@`)) ?? worker;
  await killed.kill();
  const after = await until(
    'another attempt reads the shard',
    async () => {
      const reader = await readerOf();
      return reader === before ? null : reader;
    },
    MOST_MS,
  );
  expect(attemptOf(after)).toEqual({ ...attemptOf(before), attempt: attemptOf(before).attempt + 1 });
  await vendor.edit(id, { gtmTacticId: 'HANDOVER' });
  await until('the CRM has the edit', async () => {
    const row = await user.read<Readonly<Record<string, unknown>>>('Opportunity', crmId);
    return row['Vendor_GTM_Tactic__c'] === 'HANDOVER';
  });
}, 120_000);

it('ends within seconds when an operator terminates its run, though it sends no heartbeats', async () => {
  const before = await until('a worker reads the shard', readerOf);
  const { workflowId, runId } = attemptOf(before);
  const reads = async () => (await vendor.requests('searchLeadOpportunities')).length;
  await stack.client.schedule.getHandle(workflowIds.readTenants(SHARD)).pause('test');
  await stack.client.workflow.getHandle(workflowId, runId).terminate('test');
  await until('nobody polls any more', async () => {
    const earlier = await reads();
    // Longer than three polls.
    await new Promise((settle) => setTimeout(settle, 7_000));
    return (await reads()) === earlier;
  });
}, 60_000);
