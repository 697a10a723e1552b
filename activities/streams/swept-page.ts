import {
  afterPage,
  type CrmCursor,
  type ReadPage,
  sweepStart,
  toldRows,
} from '../../src/domain/streams/crm-cursor.ts';
import type { RowVersion } from '../../src/ledger/ledger.ts';
import type { ChangedRowPage } from '../../src/salesforce/crm.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import type { ChangePage, Reading } from './stream.ts';

/** The rows of a page that were not taken in before, and the page's part of the cursor. `part`: the cursor's name. */
export async function sweptPage<Row extends RowVersion>(
  { deps, runtime: { tenant } }: Reading,
  part: string,
  cursor: CrmCursor,
  page: ReadPage,
  rows: readonly Row[],
): Promise<
  Pick<ChangePage<CrmCursor, never>, 'cursor' | 'more' | 'seen'> & { readonly unseen: readonly Row[] }
> {
  const unseen = await deps.ledger.unseenRows(tenant.tenant, part, rows);
  // Read from earlier on than is needed, a row is known; from later on, it is missed: the CRM's clock is not trusted there.
  const now = [page.now, deps.now()].sort()[0] ?? page.now;
  const after = afterPage(cursor, { ...page, now });
  return {
    unseen,
    cursor: after,
    more: page.more,
    seen: {
      rows: toldRows(unseen, page.now),
      forgetBefore: sweepStart(after, tenant.salesforce.sweep.overlapMs),
    },
  };
}

/** An org that lacks an object or a field, or hides it from us, has no rows that changed. */
export function emptyWhereAbsent({ deps }: Reading, position: ChangedRowPage['position']) {
  return (error: unknown): ChangedRowPage => {
    if (!(error instanceof CrmError) || error.kind !== 'drift') throw error;
    return { rows: [], position, more: false, now: deps.now() };
  };
}
