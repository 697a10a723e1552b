import { OPERATION_GROUPS } from '../../src/domain/loop/operation-groups.ts';
import { stoppedBy, type Work } from '../../src/domain/streams/work.ts';
import type { Pause } from '../../src/ledger/quota/quota-ledger.ts';
import type { ActivityDeps } from '../support/deps.ts';
import { outage } from '../support/to-failure.ts';

/**
 * Throws a SYSTEMIC failure while a pause of the tenant stops this kind of work. The records stay due in the ledger (to be synced), and
 * their workflows are woken when the pause ends.
 */
export async function refuseWhilePaused(deps: ActivityDeps, tenant: string, work: Work): Promise<void> {
  refuseWhere(await deps.ledger.pauses(tenant), work);
}

/** Throws a SYSTEMIC failure if one of the given pauses stops this kind of work. */
export function refuseWhere(pauses: readonly Pause[], work: Work): void {
  const pause = stoppedBy(pauses, work);
  if (pause === undefined) return;
  const { group, reason } = pause;
  // A pause without probes may be an operator's, and an operator's pause has no guard.
  throw outage(group, `${group} is paused: ${reason}`, OPERATION_GROUPS[group].probes !== null);
}
