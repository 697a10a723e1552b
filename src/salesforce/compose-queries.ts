import { crmError } from './classify.ts';
import { type CompositeAnswer, type SubAnswer, sendLoads } from './composite.ts';
import { allPages, type QueryAnswer, type QueryCall, queryPath } from './query.ts';
import { QueryPages } from './query-pages.ts';
import type { Session } from './session.ts';

/** Queries that one composite request may hold, those of deleted rows among them. */
export const MOST_QUERIES = 5;

/** All rows of one of the queries; rejects with what it was refused for. */
export type ComposedAnswer = () => Promise<Pick<QueryAnswer, 'rows' | 'date'>>;

/**
 * Asks queries as one request, which counts as one against the org's limit. Rejects only where the whole failed; pages behind the
 * first of a query are asked for when its answer is taken.
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
    if (part === undefined || part.error !== null)
      throw part?.error ?? crmError('transient', 'MALFORMED_ANSWER');
    return { rows: await allPages(session, part.body, call, new QueryPages()), date };
  });
}
