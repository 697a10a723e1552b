import { allHandlersFinished, condition, continueAsNew, setCurrentDetails, setHandler } from '@temporalio/workflow';
import { describeLane } from './descriptions.ts';
import { isLong } from './history.ts';
import { type LaneCounts, laneSignal, probeNowSignal, type SyncOpportunitiesInput } from './messages.ts';
import { outageReported } from './outage.ts';
import { lanes } from './proxies.ts';

const NOTHING: LaneCounts = { processed: 0, delegated: 0 };

/**
 * A tenant's lane, the workflow for many records: one activity syncs many records that changed together, or bulk work. Difficult records
 * are left to their own workflows. The run ends when the ledger (Lockstep's database) has no more records for the lane, or when an outage
 * begins. After the outage, the lane is started again for the records that are left.
 */
export async function syncOpportunities({ tenant, soFar = NOTHING }: SyncOpportunitiesInput): Promise<LaneCounts> {
  let counts = soFar;
  let isDue = true;
  setHandler(laneSignal, () => {
    isDue = true;
  });
  setHandler(probeNowSignal, () => {
    isDue = true;
  });
  while (isDue) {
    if (isLong()) return continueAsNew<typeof syncOpportunities>({ tenant, soFar: counts });
    isDue = false;
    setCurrentDetails(describeLane(counts));
    const summary = 'carry what came together';
    const part = await outageReported(tenant, () => lanes.syncRecords.executeWithOptions({ summary }, [{ tenant }]));
    if (part === null) break;
    counts = {
      processed: counts.processed + part.processed,
      delegated: counts.delegated + part.delegated,
    };
    setCurrentDetails(describeLane(counts, part.waitMs));
    if (part.waitMs > 0) {
      await condition(() => isDue || isLong(), part.waitMs, { summary: 'waits for the quota' });
      isDue = true;
    }
    isDue ||= part.more;
  }
  await condition(allHandlersFinished);
  return counts;
}
