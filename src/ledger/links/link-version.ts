import { sql } from 'kysely';
import { LedgerError } from '../ledger-error.ts';
import type { Fence, LinkVersion } from './link-ledger.ts';
import type { StoredLink } from './link-row.ts';

/**
 * Whether a row of `links` still has the version that a writer has read. Only safe if the caller has locked the row, or if the caller's
 * write checks the version again.
 */
export function isSame(
  { version, newest_plan }: Pick<StoredLink, 'version' | 'newest_plan'>,
  expected: LinkVersion,
): boolean {
  return version === expected.version && newest_plan === (expected.newestPlan ?? null);
}

/** The columns that give a link its next version (see `LinksTable.version`): the time of the change, and the raised counter. */
export function changedAt(at: string) {
  return { updated_at: at, version: sql<number>`links.version + 1` };
}

/** SQL condition: the row of `links` still has this version. */
export function isAs({ version, newestPlan }: LinkVersion) {
  return sql<boolean>`version = ${version}
    and newest_plan is not distinct from ${newestPlan ?? null}`;
}

export function changed(): LedgerError {
  return new LedgerError('CHANGED', 'Another writer has settled or planned something of the link.');
}

/** Checks a fencing token: throws LedgerError `CHANGED` if one of the rows is the token's link but has another version. */
export function requireFenced(rows: readonly (StoredLink | undefined)[], fence: Fence | undefined): void {
  const own = fence && rows.find((row) => row?.key === fence.key);
  if (fence && own && !isSame(own, fence)) throw changed();
}
