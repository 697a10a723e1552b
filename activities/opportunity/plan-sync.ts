import { refuseWhilePaused } from '../outage/refuse-while-paused.ts';
import type { ActivityDeps, RecordArgs } from '../support/deps.ts';
import { decideWithOffers, identified, linkOf, readCrm } from './observe.ts';
import { recordDecision, summarise } from './record-decision.ts';
import type { SyncSummary } from './summary.ts';

export type PlanSyncArgs = RecordArgs & {
  /** `seen`: the vendor was read in this round, and its reading in the ledger may be used. */
  readonly vendor: 'unread' | 'seen';
};

/** A vendor reading older than this is no basis for a decision. */
const FRESH_MS = 60_000;

/** Reads the CRM's graph, decides, and stores what is to be done. */
export function createPlanSync(deps: ActivityDeps) {
  return async function planSync({ tenant, key, vendor }: PlanSyncArgs): Promise<SyncSummary> {
    const known = await linkOf(deps, tenant, key);
    if (known.key !== key) return supersededBy(deps, tenant, known.key, known);
    await refuseWhilePaused(deps, tenant, 'records');
    if (vendor === 'unread' && known.vendorDue && known.vendorId !== null) {
      return summarise(known, 'read-vendor', { reason: 'changed at the vendor' });
    }
    const runtime = deps.runtime(tenant);
    const crm = await readCrm(runtime, known);
    const link = await identified(deps, known, crm);
    const seen = vendor === 'seen' ? link.vendorObservation : null;
    const fresh = seen !== null && Date.parse(deps.now()) - Date.parse(seen.readAt) <= FRESH_MS;
    const plan = await decideWithOffers(runtime, link, crm, fresh ? seen : 'unread');
    return recordDecision(deps, link, plan, {
      trigger: vendor === 'seen' ? 'vendor' : 'crm',
      dueSeq: link.dueSeq,
      graph: typeof crm === 'string' ? null : crm.graph,
      crmReadAt: typeof crm === 'string' ? null : deps.now(),
      vendorReadAt: fresh ? seen.readAt : null,
    });
  };
}

/** Another link of the same deal took over: it gets the wake-up, and this key's workflow ends. */
export async function supersededBy(
  deps: ActivityDeps,
  tenant: string,
  survivor: string,
  link: Parameters<typeof summarise>[0],
): Promise<SyncSummary> {
  await deps.wake(tenant, [survivor], 'any');
  return summarise(link, 'superseded', { reason: `taken over by ${survivor}` });
}
