import type { Fence, LinkVersion } from './ledger.ts';
import { LedgerError } from './ledger-error.ts';
import type { StoredLink } from './link-row.ts';

/** Throws LedgerError `CHANGED`. The row is locked, or read again by whoever writes it. */
export function requireSame(
  { updated_at, newest_plan }: Pick<StoredLink, 'updated_at' | 'newest_plan'>,
  expected: LinkVersion,
): void {
  if (updated_at.toISOString() === expected.updatedAt && newest_plan === (expected.newestPlan ?? null))
    return;
  throw new LedgerError('CHANGED', 'Another hand has settled or planned something of the link.');
}

/** The same of that one of several links which is a hand's own. */
export function requireFenced(rows: readonly (StoredLink | undefined)[], fence: Fence | undefined): void {
  const own = fence && rows.find((row) => row?.key === fence.key);
  if (fence && own) requireSame(own, fence);
}
