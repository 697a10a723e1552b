import type { Link } from '../../src/domain/record/link.ts';
import type { ActivityDeps } from '../support/deps.ts';
import { type SyncSummary, summarise } from './summary.ts';

/**
 * Handles a link (a stored pair of CRM record and vendor record) whose deal now belongs to another link, `survivor`. Wakes the workflow of
 * that link, and returns a summary that ends the workflow of this link.
 */
export async function supersededBy(
  deps: ActivityDeps,
  tenant: string,
  survivor: string,
  link: Link,
): Promise<SyncSummary> {
  await deps.wake(tenant, [survivor], 'any');
  return summarise(link, { next: 'superseded' }, `taken over by ${survivor}`);
}
