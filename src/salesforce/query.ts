import { crmError } from './classify.ts';
import type { RestQueryResult, RestRecord } from './options.ts';
import type { RestCall, Session } from './session.ts';

/** A result set larger than this is an error, never a silent cut. */
const MAX_QUERY_ROWS = 20_000;
/** The code of that error. */
export const TOO_MANY_ROWS = 'TOO_MANY_ROWS';

export type QueryCall = RestCall & {
  /** Also rows in the recycle bin, with `IsDeleted` true (`queryAll`). */
  readonly deleted?: boolean;
};

export type QueryAnswer = { readonly rows: readonly RestRecord[]; readonly date: string | null };

/** All rows of a query, through every page. `date` is the CRM's clock of the first page. */
export async function queryRows(session: Session, soql: string, call: QueryCall): Promise<QueryAnswer> {
  const resource = call.deleted ? 'queryAll' : 'query';
  const path = `/${resource}?q=${encodeURIComponent(soql)}`;
  const first = await session.request<RestQueryResult>({ method: 'GET', path }, call);
  return { rows: await allPages(session, first.body, call), date: first.date };
}

/** The rest of a query's or a sub-query's pages. */
export async function allPages(
  session: Session,
  first: RestQueryResult,
  call: RestCall,
): Promise<readonly RestRecord[]> {
  if (first.totalSize > MAX_QUERY_ROWS) throw crmError('permanent', TOO_MANY_ROWS);
  const rows = [...first.records];
  let page = first;
  while (!page.done) {
    if (page.nextRecordsUrl === undefined) throw crmError('transient', 'MALFORMED_ANSWER');
    if (rows.length >= MAX_QUERY_ROWS) throw crmError('permanent', TOO_MANY_ROWS);
    const answer = await session.request<RestQueryResult>({ method: 'GET', path: page.nextRecordsUrl }, call);
    page = answer.body;
    rows.push(...page.records);
  }
  return rows;
}
