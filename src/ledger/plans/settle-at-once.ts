import { sql } from 'kysely';
import type { Link } from '../../domain/record/link.ts';
import type { Store } from '../core/store.ts';
import { journalInsert } from '../links/journal.ts';
import { type StoredLink, toLink } from '../links/link-row.ts';
import { isAs } from '../links/link-version.ts';
import type { Settlement } from './plan-ledger.ts';
import { ownColumns } from './settle.ts';

/**
 * Properties of an outcome for which `settle` must first lock and read the link's row, because the columns to store depend on the row's
 * present values.
 */
const RESTS_ON_ROW = [
  'planId',
  'state',
  'issues',
  'observedGeneration',
  'vendorReadGeneration',
  'plansNothing',
  'reportDue',
  'noNewsAfter',
  'news',
] as const satisfies readonly (keyof Settlement)[];

/**
 * Stores an outcome with one statement if it depends only on the version of the link. Otherwise, or if the version has changed, changes
 * nothing and returns null.
 */
export async function settleAtOnce(
  store: Store,
  tenant: string,
  key: string,
  settlement: Settlement,
): Promise<Link | null> {
  const { at, expected, reportedBefore, isReported, journal = [] } = settlement;
  if (expected === undefined || RESTS_ON_ROW.some((name) => settlement[name] !== undefined)) return null;
  // These keys cannot expire during the call. Repeating an executed call would fail, because the link's version has changed.
  const sealer = store.sealer.atHand(tenant);
  const isShown =
    reportedBefore === undefined ? sql`` : sql`and reported is not distinct from ${jsonOrNull(reportedBefore)}::jsonb`;
  const update = store.db
    .updateTable('links')
    .set({
      ...ownColumns(store, { tenant, key }, settlement),
      ...reportingOf(isReported ? null : at),
    })
    .where('tenant', '=', tenant)
    .where('key', '=', key)
    .where(sql<boolean>`state <> 'superseded' and ${isAs(expected)} ${isShown}`)
    .returningAll();
  const lines =
    journal.length === 0 ? sql`` : sql`, lines as (${journalInsert(store, tenant, key, journal, IF_SETTLED)})`;
  const { rows } = await sql<StoredLink>`with link as (${update})${lines} select * from link`.execute(store.db);
  const [row] = rows;
  return row === undefined ? null : toLink(row, sealer);
}

const IF_SETTLED = sql`where exists (select from link)`;

/**
 * The columns about unconfirmed reports to the CRM's users, after an outcome that makes no report due. `since`: null if the outcome
 * confirms the record's own report.
 */
function reportingOf(since: string | null) {
  const isOwn = sql`reporting_by = 'record'`;
  return {
    reporting_since: sql<string>`case when ${isOwn} then ${since}::timestamptz else reporting_since end`,
    reporting_by: sql<
      'record' | 'wait'
    >`case when ${isOwn} and ${since}::timestamptz is null then null else reporting_by end`,
  };
}

function jsonOrNull(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
