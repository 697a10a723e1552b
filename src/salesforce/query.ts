import { setTimeout as pause } from 'node:timers/promises';
import { queryPage } from './answers.ts';
import { crmError } from './classify.ts';
import type { RestQueryResult, RestRecord } from './options.ts';
import { QueryPages, ROWS_OF_A_PAGE } from './query-pages.ts';
import type { RestAnswer, RestCall, Session } from './session.ts';

/** The maximum number of rows that a query may return. If there are more, an error is thrown; a result is never cut. */
const MAX_QUERY_ROWS = 20_000;
/** The error code for a query that returns too many rows. */
export const TOO_MANY_ROWS = 'TOO_MANY_ROWS';
/**
 * How long, in ms, to pause after a page with fewer rows than Salesforce's pages normally have, so that many such pages leave time for
 * other work.
 */
const SHORT_PAGE_PAUSE_MS = 5;

export type QueryCall = RestCall & {
  /** Whether to include rows in the recycle bin, with `IsDeleted` true (`queryAll`). */
  readonly deleted?: boolean;
};

export type QueryAnswer = Pick<RestAnswer, 'date' | 'userId'> & {
  readonly rows: readonly RestRecord[];
  /** Counts the pages that this query and its sub-queries have requested. */
  readonly pages: QueryPages;
};

/** Reads all rows of a query, from all pages. `date`: when the CRM returned the first page, by the CRM's clock. */
export async function queryRows(session: Session, soql: string, call: QueryCall): Promise<QueryAnswer> {
  const first = await session.request({ method: 'GET', path: queryPath(soql, call) }, call);
  const { date, userId } = first;
  const pages = new QueryPages();
  return { rows: await allPages(session, first.body, call, pages), date, userId, pages };
}

/** The path of a query below `/services/data/vNN.N`. */
export function queryPath(soql: string, { deleted }: Pick<QueryCall, 'deleted'>): string {
  return `/${deleted ? 'queryAll' : 'query'}?q=${encodeURIComponent(soql)}`;
}

/**
 * Reads all rows of a query or sub-query. `first` is the body of its first page. Throws `transient` if there are fewer rows than the first
 * page announced.
 */
export async function allPages(
  session: Session,
  first: unknown,
  call: RestCall,
  pages: QueryPages,
): Promise<readonly RestRecord[]> {
  let page: RestQueryResult = queryPage(first);
  const { totalSize } = page;
  if (totalSize > MAX_QUERY_ROWS) throw crmError('permanent', TOO_MANY_ROWS);
  const rows = [...page.records];
  let children = childRows(page.records);
  let ofPage = page.records.length + children;
  for (let more = 0; page.nextRecordsUrl !== undefined; more += 1) {
    pages.take(page.nextRecordsUrl, { announced: totalSize, children }, more);
    if (rows.length >= MAX_QUERY_ROWS) throw crmError('permanent', TOO_MANY_ROWS);
    if (ofPage < ROWS_OF_A_PAGE) await pause(SHORT_PAGE_PAUSE_MS);
    const answer = await session.request({ method: 'GET', path: page.nextRecordsUrl }, call);
    page = queryPage(answer.body);
    for (const row of page.records) rows.push(row);
    const shown = childRows(page.records);
    children += shown;
    ofPage = page.records.length + shown;
  }
  if (rows.length < totalSize) throw crmError('transient', 'MALFORMED_ANSWER');
  return rows;
}

/** How many child rows the rows of a page show in the lists of their sub-queries. */
function childRows(records: readonly RestRecord[]): number {
  const lists = records.flatMap((record) => Object.values(record) as readonly unknown[]);
  return lists.reduce<number>((sum, list) => {
    const rows = (list as { readonly records?: unknown } | null | undefined)?.records;
    return sum + (Array.isArray(rows) ? rows.length : 0);
  }, 0);
}
