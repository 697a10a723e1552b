import { isWaiting } from '../../src/domain/record/link-state.ts';
import type { LaneRecord } from '../../src/ledger/queue/lane-ledger.ts';
import type { SyncSummary } from '../opportunity/summary.ts';
import type { ActivityDeps } from '../support/deps.ts';

/** After a record was processed: shows it in Temporal's list of waiting records if it waits for a person, or removes it from that list. */
export async function showWaiting(
  { publishStatus }: Pick<ActivityDeps, 'publishStatus'>,
  tenant: string,
  { key, state: before }: LaneRecord,
  { crmId, vendorId, next, state, issues }: SyncSummary,
): Promise<void> {
  if (next === 'superseded' || (!isWaiting(state) && !isWaiting(before))) return;
  await publishStatus({ tenant, key, crmId, vendorId, state, issues });
}
