import { sql } from 'kysely';
import { LedgerError } from '../ledger-error.ts';
import type { Fence, LinkVersion } from './link-ledger.ts';
import type { StoredLink } from './link-row.ts';

/** The row is locked, or read again by whoever writes it. */
export function isSame(
  { updated_at, newest_plan }: Pick<StoredLink, 'updated_at' | 'newest_plan'>,
  expected: LinkVersion,
): boolean {
  return updated_at.toISOString() === expected.updatedAt && newest_plan === (expected.newestPlan ?? null);
}

/** The same of a row that is neither locked nor read, in a condition on `links`. */
export function isAs({ updatedAt, newestPlan }: LinkVersion) {
  return sql<boolean>`date_trunc('milliseconds', updated_at) = ${updatedAt}::timestamptz
    and newest_plan is not distinct from ${newestPlan ?? null}`;
}

export function changed(): LedgerError {
  return new LedgerError('CHANGED', 'Another writer has settled or planned something of the link.');
}

/** Throws LedgerError `CHANGED` where that one of several links which is a writer's own is not as it knows it. */
export function requireFenced(rows: readonly (StoredLink | undefined)[], fence: Fence | undefined): void {
  const own = fence && rows.find((row) => row?.key === fence.key);
  if (fence && own && !isSame(own, fence)) throw changed();
}
