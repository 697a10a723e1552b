import { OPERATION_GROUPS } from '../../src/domain/loop/operation-groups.ts';
import { stoppedBy, type Work } from '../../src/domain/streams/work.ts';
import type { Pause } from '../../src/ledger/quota/quota-ledger.ts';
import type { ActivityDeps } from '../support/deps.ts';
import { outage } from '../support/to-failure.ts';

/** Fails as SYSTEMIC while a pause stops this work: what it would do waits as due rows and cursors, not as workflows. */
export async function refuseWhilePaused(deps: ActivityDeps, tenant: string, work: Work): Promise<void> {
  refuseWhere(await deps.ledger.pauses(tenant), work);
}

/** The same of pauses that are known. */
export function refuseWhere(pauses: readonly Pause[], work: Work): void {
  const pause = stoppedBy(pauses, work);
  if (pause === undefined) return;
  const { group, reason } = pause;
  // A pause without probes may be a person's, which starts no guard.
  throw outage(group, `${group} is paused: ${reason}`, OPERATION_GROUPS[group].probes !== null);
}
