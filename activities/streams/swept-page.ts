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

/** The rows of a page that were not taken in before, and the page's part of the cursor. `part`: the cursor's name. */
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

/** A page's part of the cursor. `unseen`: its rows that were not taken in before, and are from now on. */
export function afterPageOf(
  { deps, runtime: { tenant } }: Reading,
  cursor: CrmCursor,
  page: ReadPage,
  unseen: readonly RowVersion[],
): Swept {
  // Read from earlier on than is needed, a row is known; from later on, it is missed: the CRM's clock is not trusted there.
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

/** An org that lacks an object or a field, or hides it from us, has no rows that changed. */
export function emptyWhereAbsent({ deps }: Reading, position: ChangedRowPage['position']) {
  return (error: unknown): ChangedRowPage => {
    if (!(error instanceof CrmError) || error.kind !== 'schema-mismatch') throw error;
    return { rows: [], position, more: false, now: deps.now() };
  };
}
