import { sleep } from '@temporalio/workflow';
import { stops } from '../src/domain/streams/work.ts';
import type { GuardTenantInput } from './messages.ts';
import { upkeep } from './proxies.ts';

const FIRST_PROBE_MS = 5_000;
const SLOWEST_PROBE_MS = 300_000;
const DRAIN_PAUSE_MS = 1_000;

/**
 * Watches over one tenant and group of operations that is out (a dead key, a revoked session). Probes with a cheap
 * read until it answers, then wakes the records that waited for it, if any did, a bounded number a second.
 */
export async function guardTenant({
  tenant,
  group,
}: GuardTenantInput): Promise<{ probes: number; drained: number }> {
  let probes = 0;
  let waitMs = FIRST_PROBE_MS;
  let recovered = false;
  while (!recovered) {
    await sleep(waitMs);
    probes += 1;
    waitMs = Math.min(waitMs * 2, SLOWEST_PROBE_MS);
    recovered = (await upkeep.probeGroup({ tenant, group })).recovered;
  }
  const { at } = await upkeep.resumeGroup({ tenant, group });
  let drained = 0;
  let more = stops(group, 'records');
  while (more) {
    const batch = await upkeep.drainDue({ tenant, before: at });
    drained += batch.woken;
    more = batch.more;
    if (more) await sleep(DRAIN_PAUSE_MS);
  }
  return { probes, drained };
}
