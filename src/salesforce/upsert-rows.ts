import type { CrmFields } from '../domain/record/crm-graph.ts';
import { listOf, writtenRow } from './answers.ts';
import { classifyAnswer } from './classify.ts';
import { isFailedRow } from './composite.ts';
import type { CrmError } from './errors.ts';
import type { RestCall, RestRequest, Session } from './session.ts';

/** Rows that one collection may hold. */
const MAX_ROWS = 200;

/**
 * Makes or changes the rows of one object, told apart by an external id field that each of them has, 200 a request.
 * Each is answered by itself, null or its error, and none undoes another. Two rows with one external id, which Salesforce
 * refuses in one request: the later one counts, and both have its answer.
 */
export async function upsertRows(
  session: Session,
  object: string,
  externalId: string,
  rows: readonly CrmFields[],
  call: RestCall,
): Promise<readonly (null | CrmError)[]> {
  const idOf = (row: CrmFields): string => String(row[externalId]);
  const latest = [...new Map(rows.map((row) => [idOf(row), row])).values()];
  const errors = new Map<string, CrmError>();
  for (let start = 0; start < latest.length; start += MAX_ROWS) {
    const batch = latest.slice(start, start + MAX_ROWS);
    const answer = await session.request(upsertRequest(object, externalId, batch), call);
    const answers = listOf(answer.body, batch.length);
    for (const [place, row] of batch.entries()) {
      const told = writtenRow(answers[place]);
      if (isFailedRow(told)) errors.set(idOf(row), classifyAnswer(400, told));
    }
  }
  return rows.map((row) => errors.get(idOf(row)) ?? null);
}

/** One collection: external ids stand in its body, where no character of theirs needs to be encoded. */
export function upsertRequest(
  object: string,
  externalId: string,
  rows: readonly CrmFields[],
): RestRequest & { readonly method: 'PATCH' } {
  const records = rows.map((row) => ({ attributes: { type: object }, ...row }));
  return {
    method: 'PATCH',
    path: `/composite/sobjects/${object}/${externalId}`,
    body: { allOrNone: false, records },
  };
}
