import { crmError } from './classify.ts';
import { type CompositeAnswer, type SubAnswer, sendLoads } from './composite.ts';
import { allPages, type QueryAnswer, type QueryCall, queryPath } from './query.ts';
import { QueryPages } from './query-pages.ts';
import type { Session } from './session.ts';

/** Salesforce's limit of queries in one composite request. A `queryAll` (a query that includes deleted rows) counts as a query. */
export const MOST_QUERIES = 5;

/** Returns all rows of one query of a composite request. Rejects with the error of this query. */
export type ComposedAnswer = () => Promise<Pick<QueryAnswer, 'rows' | 'date'>>;

/**
 * Sends several queries as one request. Rejects only if the whole request failed. Further pages of a query are read only when the function
 * for its answer is called.
 */
export async function composeQueries(
  session: Session,
  soqls: readonly string[],
  call: QueryCall,
): Promise<readonly ComposedAnswer[]> {
  const loads = soqls.map((soql, place) => ({
    requests: [{ method: 'GET' as const, path: queryPath(soql, call), referenceId: `query${place}` }],
    read: ({ parts: [part], date }: CompositeAnswer) => ({ part, date }),
  }));
  const reads = await sendLoads<{ readonly part: SubAnswer | undefined; readonly date: string | null }[]>(
    session,
    loads,
    call,
  );
  return reads.map((read) => async () => {
    const { part, date } = read();
    if (part === undefined || part.error !== null) throw part?.error ?? crmError('transient', 'MALFORMED_ANSWER');
    return { rows: await allPages(session, part.body, call, new QueryPages()), date };
  });
}
