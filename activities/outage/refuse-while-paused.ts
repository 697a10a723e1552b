import { OPERATION_GROUPS } from '../../src/domain/loop/operation-groups.ts';
import { stoppedBy, type Work } from '../../src/domain/streams/work.ts';
import type { Pause } from '../../src/ledger/quota/quota-ledger.ts';
import type { ActivityDeps } from '../support/deps.ts';
import { outage } from '../support/to-failure.ts';

/**
 * Throws a SYSTEMIC failure (the type for outages) while a pause of the tenant stops this kind of work. Records that were to be synced stay
 * marked as due in the ledger (Lockstep's database), and their workflows are woken (signalled or started) when the pause ends.
 */
export async function refuseWhilePaused(deps: ActivityDeps, tenant: string, work: Work): Promise<void> {
  refuseWhere(await deps.ledger.pauses(tenant), work);
}

/** Throws a SYSTEMIC failure (the type for outages) if one of the given pauses stops this kind of work. */
export function refuseWhere(pauses: readonly Pause[], work: Work): void {
  const pause = stoppedBy(pauses, work);
  if (pause === undefined) return;
  const { group, reason } = pause;
  // An operator's pause has no probes, and may have no running `guardTenant`. So the failure does not count as known, and the report of the
  // outage starts `guardTenant`.
  throw outage(group, `${group} is paused: ${reason}`, OPERATION_GROUPS[group].probes !== null);
}
