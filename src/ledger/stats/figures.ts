import { sql } from 'kysely';
import type { OperationGroup, Quota } from '../../domain/loop/operation-groups.ts';
import type { IssueCode } from '../../domain/record/issue.ts';
import type { Store } from '../core/store.ts';
import type { ForgottenKind } from '../upkeep/count-forgotten.ts';

/** Figures about all tenants for monitoring. Instants are ISO. */
export type LedgerFigures = {
  /** Size of the whole database on disk, in bytes. */
  readonly bytes: number;
  readonly paused: readonly { readonly tenant: string; readonly group: OperationGroup }[];
  /** How many records of each tenant are due (have a change to sync), and since when the oldest change waits. */
  readonly backlog: readonly { readonly tenant: string; readonly records: number; readonly since: string }[];
  readonly issues: readonly { readonly tenant: string; readonly code: IssueCode; readonly records: number }[];
  /**
   * The last stored window of each of the vendor's rate limits. `remaining`: the requests left in it. After `until`, the window has ended,
   * `remaining` is outdated, and the quota counts as full.
   */
  readonly quotas: readonly {
    readonly tenant: string;
    readonly quota: Quota;
    readonly limit: number | null;
    readonly remaining: number | null;
    readonly until: string;
  }[];
  /**
   * How many rows of each stream (kind of regular read, such as orders) the CRM has refused to store. Lockstep retries them. Refused
   * notices to owners count as rows of the stream `ownerNotices`.
   */
  readonly refusedRows: readonly {
    readonly tenant: string;
    readonly stream: string;
    readonly rows: number;
  }[];
  /** How many rows of each tenant and kind were deleted so far because they were older than their retention. */
  readonly forgotten: readonly {
    readonly tenant: string;
    readonly kind: ForgottenKind;
    readonly rows: number;
  }[];
};

/**
 * Reads all figures with several statements at the same time. While the worker is busy, each statement waits for a free connection of the
 * pool. Statements that are sent together wait together; sent one after another, they would take too long.
 */
export async function figures(store: Store): Promise<LedgerFigures> {
  const { db } = store;
  const [bytes, paused, backlog, ofIssues, known, refused, gone] = await Promise.all([
    sql<{ bytes: string }>`select pg_database_size(current_database()) as bytes`.execute(db),
    db.selectFrom('pauses').select(['tenant', 'domain as group']).execute(),
    backlogs(store),
    issues(store),
    quotas(store),
    refusedRows(store),
    forgotten(store),
  ]);
  return {
    bytes: Number(bytes.rows[0]?.bytes),
    ...{ paused, backlog, issues: ofIssues, quotas: known, refusedRows: refused, forgotten: gone },
  };
}

async function quotas({ db }: Store): Promise<LedgerFigures['quotas']> {
  const rows = await db.selectFrom('quota').selectAll().execute();
  return rows.map(({ tenant, domain, quota_limit, remaining, window_end }) => ({
    ...{ tenant, quota: domain, limit: quota_limit, remaining },
    until: window_end.toISOString(),
  }));
}

/** Counts the due links of each tenant, and finds since when the oldest waits, with the index `links_due`. */
async function backlogs({ db }: Store): Promise<LedgerFigures['backlog']> {
  const rows = await db
    .selectFrom('links')
    .select((select) => [
      'tenant',
      select.fn.countAll<string>().as('records'),
      sql<Date>`min(waiting_since)`.as('since'),
    ])
    .where('due_since', 'is not', null)
    .where('waiting_since', 'is not', null)
    .where('state', '<>', 'superseded')
    .groupBy('tenant')
    .execute();
  return rows.map(({ tenant, records, since }) => ({
    tenant,
    records: Number(records),
    since: since.toISOString(),
  }));
}

async function issues({ db }: Store): Promise<LedgerFigures['issues']> {
  const { rows } = await sql<{ tenant: string; code: IssueCode; records: string }>`
    select tenant, code, count(*) as records from links, unnest(issue_codes) as code
    where issue_codes <> '{}' and state <> 'superseded'
    group by tenant, code`.execute(db);
  return rows.map(({ records, ...row }) => ({ ...row, records: Number(records) }));
}

async function refusedRows({ db }: Store): Promise<LedgerFigures['refusedRows']> {
  const { rows } = await sql<{ tenant: string; stream: string; refused: string }>`
    select tenant, split_part(stream, ':', 1) as stream, count(*) as refused from refused_rows
    group by tenant, split_part(stream, ':', 1)
    union all
    select tenant, 'ownerNotices', count(distinct notice) from row_news where tries > 0 group by tenant`.execute(db);
  return rows.map(({ refused, ...row }) => ({ ...row, rows: Number(refused) }));
}

async function forgotten({ db }: Store): Promise<LedgerFigures['forgotten']> {
  const { rows } = await sql<{ tenant: string; kind: ForgottenKind; removed: string }>`
    select tenant, kind, removed from forgotten_rows`.execute(db);
  return rows.map(({ removed, ...row }) => ({ ...row, rows: Number(removed) }));
}
