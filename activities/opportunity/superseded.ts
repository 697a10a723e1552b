import type { Link } from '../../src/domain/record/link.ts';
import type { ActivityDeps } from '../support/deps.ts';
import { type SyncSummary, summarise } from './summary.ts';

/** Another link took over the deal: it is woken, and this key's workflow ends. */
export async function supersededBy(
  deps: ActivityDeps,
  tenant: string,
  survivor: string,
  link: Link,
): Promise<SyncSummary> {
  await deps.wake(tenant, [survivor], 'any');
  return summarise(link, { next: 'superseded' }, `taken over by ${survivor}`);
}
