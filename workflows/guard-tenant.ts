import { condition, continueAsNew, setCurrentDetails, setHandler, sleep } from '@temporalio/workflow';
import { stops } from '../src/domain/streams/work.ts';
import { describeGuard } from './descriptions.ts';
import { isLong } from './history.ts';
import { type GuardProgress, type GuardTenantInput, probeNowSignal, workWaitsSignal } from './messages.ts';
import { upkeep } from './proxies.ts';

const FIRST_PROBE_MS = 5_000;
const SLOWEST_PROBE_MS = 300_000;
const DRAIN_PAUSE_MS = 1_000;
/** For how long `guardTenant` collects waiting records before it notifies CRM users of them together, in ms. */
const GATHER_MS = 3_000;

const BEGINNING: GuardProgress = { probes: 0, waitMs: FIRST_PROBE_MS, recoveredAt: null, drained: 0 };

/**
 * Watches one operation group of a tenant (requests that fail together) while it fails, for example because a key or a session has become
 * invalid. Probes the group with cheap requests until it works again, and meanwhile notifies CRM users of waiting records. Then wakes the
 * workflows of these records at a limited rate.
 */
export async function guardTenant({
  tenant,
  group,
  carried = BEGINNING,
}: GuardTenantInput): Promise<{ probes: number; drained: number }> {
  let progress = carried;
  // The first run notifies users at once, because records that were under way at the outage wait too.
  const news = { isUnreported: carried === BEGINNING, isAsked: false };
  setHandler(workWaitsSignal, () => {
    news.isUnreported = true;
  });
  setHandler(probeNowSignal, () => {
    news.isAsked = true;
  });
  const show = () => setCurrentDetails(describeGuard(tenant, group, progress));
  const carriedOn = () => continueAsNew<typeof guardTenant>({ tenant, group, carried: progress });
  show();
  while (progress.recoveredAt === null) {
    await notifyFor(progress.waitMs, news, tenant);
    news.isAsked = false;
    if (isLong()) return carriedOn();
    const { recovered } = await upkeep.probeGroup({ tenant, group });
    progress = {
      ...progress,
      probes: progress.probes + 1,
      waitMs: Math.min(progress.waitMs * 2, SLOWEST_PROBE_MS),
      recoveredAt: recovered ? (await upkeep.resumeGroup({ tenant, group })).at : null,
    };
    show();
    if (isLong()) return carriedOn();
  }
  const before = progress.recoveredAt;
  let more = stops(group, 'records');
  while (more) {
    const batch = await upkeep.drainDue({ tenant, before });
    progress = { ...progress, drained: progress.drained + batch.woken };
    show();
    more = batch.more;
    if (more) await sleep(DRAIN_PAUSE_MS);
    if (more && isLong()) return carriedOn();
  }
  return { probes: progress.probes, drained: progress.drained };
}

type News = { isUnreported: boolean; isAsked: boolean };

/**
 * Waits for `ms`, but ends the wait early if an operator requests a probe or the workflow's history is long. Meanwhile notifies CRM users
 * of waiting records.
 */
async function notifyFor(ms: number, news: News, tenant: string): Promise<void> {
  let isOver = false;
  const timer = sleep(ms).then(() => {
    isOver = true;
  });
  while (!isOver && !news.isAsked && !isLong()) {
    await condition(() => news.isUnreported || isOver || news.isAsked);
    if (!news.isUnreported) continue;
    await sleep(GATHER_MS);
    news.isUnreported = false;
    await notifyAll(tenant);
  }
  if (isOver) await timer;
}

async function notifyAll(tenant: string): Promise<void> {
  while ((await upkeep.notifyWaiting({ tenant })).more) await sleep(DRAIN_PAUSE_MS);
}
