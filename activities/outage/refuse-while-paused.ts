import { stoppedBy, type Work } from '../../src/domain/streams/work.ts';
import type { ActivityDeps } from '../support/deps.ts';
import { outage } from '../support/to-failure.ts';

/** Fails as SYSTEMIC while a pause stops this work: what it would do waits as due rows and cursors, not as workflows. */
export async function refuseWhilePaused(deps: ActivityDeps, tenant: string, work: Work): Promise<void> {
  const pause = stoppedBy(await deps.ledger.pauses(tenant), work);
  if (pause !== undefined) throw outage(pause.group, `${pause.group} is paused: ${pause.reason}`);
}
