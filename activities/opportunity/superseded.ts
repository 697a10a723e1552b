import type { Link } from '../../src/domain/record/link.ts';
import type { ActivityDeps } from '../support/deps.ts';
import { type SyncSummary, summarise } from './summary.ts';

/** Handles a link that another link has taken over: wakes the other link and ends the workflow of this one. */
export async function supersededBy(
  deps: ActivityDeps,
  tenant: string,
  survivor: string,
  link: Link,
): Promise<SyncSummary> {
  await deps.wake(tenant, [survivor], 'any');
  return summarise(link, { next: 'superseded' }, `taken over by ${survivor}`);
}
