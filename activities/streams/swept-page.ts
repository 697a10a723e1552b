import {
  afterPage,
  type CrmCursor,
  type ReadPage,
  stableRows,
  sweepStart,
} from '../../src/domain/streams/crm-cursor.ts';
import type { RowVersion } from '../../src/ledger/streams/stream-ledger.ts';
import type { ChangedRowPage } from '../../src/salesforce/crm.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import type { ChangePage, Reading } from './stream.ts';

type Swept = Pick<ChangePage<CrmCursor, never>, 'cursor' | 'more' | 'seen'>;

/**
 * Filters a page to the rows that this stream has not read before. Also returns the cursor after the page. `part`: the name of the cursor.
 */
export async function sweptPage<Row extends RowVersion>(
  reading: Reading,
  part: string,
  cursor: CrmCursor,
  page: ReadPage,
  rows: readonly Row[],
): Promise<Swept & { readonly unseen: readonly Row[] }> {
  const unseen = await reading.deps.ledger.unseenRows(reading.runtime.tenant.tenant, part, rows);
  return { unseen, ...afterPageOf(reading, cursor, page, unseen) };
}

/**
 * Returns the cursor after a page, and the row versions to store as read, so that the next searches skip them. `unseen`: row versions of
 * the page that are not stored as read yet. A row that may still change without a new timestamp is not stored as read.
 */
export function afterPageOf(
  { deps, runtime: { tenant } }: Reading,
  cursor: CrmCursor,
  page: ReadPage,
  unseen: readonly RowVersion[],
): Swept {
  // The earlier time of Salesforce and Lockstep: a time that is too late could skip rows, but rows read twice are recognised.
  const now = [page.now, deps.now()].sort()[0] ?? page.now;
  const after = afterPage(cursor, { ...page, now });
  return {
    cursor: after,
    more: page.more,
    seen: {
      rows: stableRows(unseen, page.now),
      forgetBefore: sweepStart(after, tenant.salesforce.sweep.overlapMs),
    },
  };
}

/**
 * Makes an error handler for a read of changed rows. If the org lacks an object, a field or a permission, the handler returns an empty
 * page, so that the stream's other objects are still read. The page ends at `position`, where the read began, and no page follows it. The
 * handler throws other errors.
 */
export function emptyWhereAbsent({ deps }: Reading, position: ChangedRowPage['position']) {
  return (error: unknown): ChangedRowPage => {
    if (!(error instanceof CrmError) || error.kind !== 'schema-mismatch') throw error;
    return { rows: [], position, more: false, now: deps.now() };
  };
}
