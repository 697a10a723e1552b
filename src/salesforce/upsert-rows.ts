import type { CrmFields } from '../domain/record/crm-graph.ts';
import { listOf, writtenRow } from './answers.ts';
import { classifyAnswer, crmError } from './classify.ts';
import { isFailedRow } from './composite.ts';
import type { CrmMaster } from './crm.ts';
import { CrmError } from './errors.ts';
import type { RowSizes } from './row-sizes.ts';
import type { RestAnswer, RestCall, RestRequest, Session } from './session.ts';

export type RowTools = { readonly session: Session; readonly sizes: RowSizes };

/**
 * If a request exceeds a governor limit of the org, its rows are sent again in halves. One call does this for at most this long, in
 * milliseconds. Rows that are left after this time get an error, and the caller retries them later.
 */
const HALVES_FOR_MS = 20_000;

/**
 * Upserts rows of one object by an external id field, at most 200 in a request. The result for each row is null or an error; if a row
 * fails, the others are still written. If rows exceed a governor limit of the org, they are sent again in halves. Of two rows with the same
 * external id, the later one counts. `references`: the lookup and master-detail fields whose values in `rows` are external ids of the
 * related records.
 */
export function upsertRows(
  tools: RowTools,
  object: string,
  externalId: string,
  rows: readonly CrmFields[],
  call: RestCall,
  references: readonly CrmMaster[] = [],
): Promise<readonly (null | CrmError)[]> {
  return writeRows(tools, { object, key: externalId, rows, call }, (batch) =>
    upsertRequest(object, externalId, batch.map(leading(references))),
  );
}

/**
 * Updates rows of one object by their `Id`, at most 200 in a request. The result for each row is null or an error; if a row fails, the
 * others are still written. If rows exceed a governor limit of the org, they are sent again in halves.
 */
export function updateRows(
  tools: RowTools,
  object: string,
  rows: readonly CrmFields[],
  call: RestCall,
): Promise<readonly (null | CrmError)[]> {
  return writeRows(tools, { object, key: 'Id', rows, call }, (batch) => ({
    method: 'PATCH',
    path: '/composite/sobjects',
    body: {
      allOrNone: false,
      records: batch.map(({ Id: id, ...fields }) => ({ attributes: { type: object }, id, ...fields })),
    },
  }));
}

type Rows = {
  readonly object: string;
  readonly key: string;
  readonly rows: readonly CrmFields[];
  readonly call: RestCall;
};

async function writeRows(
  { session, sizes }: RowTools,
  { object, key, rows, call }: Rows,
  requestWith: (batch: readonly CrmFields[]) => RestRequest,
): Promise<readonly (null | CrmError)[]> {
  const idOf = (row: CrmFields): string => String(row[key]);
  const errors = new Map<string, CrmError>();
  const begunMs = performance.now();
  let left = [...new Map(rows.map((row) => [idOf(row), row])).values()];
  let isHalved = false;
  while (left.length > 0) {
    const batch = left.slice(0, sizes.of(object));
    left = left.slice(batch.length);
    const answers = await answersOf(object, () => session.request(requestWith(batch), call), batch.length);
    const tooMany = batch.filter((_, place) => answers[place]?.kind === 'governor');
    const mayHalve = tooMany.length > 0 && batch.length > 1;
    if (mayHalve) sizes.tooMany(object, batch.length);
    for (const [place, row] of batch.entries()) {
      const error = answers[place] ?? null;
      if (error !== null && !(mayHalve && error.kind === 'governor')) errors.set(idOf(row), error);
    }
    if (mayHalve) left = [...tooMany, ...left];
    isHalved ||= mayHalve;
    if (isHalved && performance.now() - begunMs > HALVES_FOR_MS) {
      for (const row of left) errors.set(idOf(row), crmError('busy', 'NOT_SENT_YET'));
      break;
    }
  }
  return rows.map((row) => errors.get(idOf(row)) ?? null);
}

/**
 * Makes a request and returns the result for each row: null or an error. If the whole request exceeded a governor limit, every row gets
 * this error.
 */
async function answersOf(
  object: string,
  request: () => Promise<RestAnswer>,
  rows: number,
): Promise<readonly (null | CrmError)[]> {
  try {
    const answer = await requestOf(object, request);
    return listOf(answer.body, rows).map((one) => {
      const result = writtenRow(one);
      return isFailedRow(result) ? naming(object, classifyAnswer(400, result)) : null;
    });
  } catch (error) {
    if (!(error instanceof CrmError) || error.kind !== 'governor') throw error;
    return Array.from({ length: rows }, () => error);
  }
}

/**
 * Makes a request about rows of an object. If the org answers that the address does not exist, throws `schema-mismatch`, because the org
 * lacks the object or the external id field.
 */
async function requestOf<T>(object: string, request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof CrmError)) throw error;
    throw naming(object, error.kind === 'gone' ? crmError('schema-mismatch', error.code, { cause: error }) : error);
  }
}

/** Adds the object's name to the fields of a `schema-mismatch` error. */
function naming(object: string, error: CrmError): CrmError {
  if (error.kind !== 'schema-mismatch') return error;
  const fields = error.fields.length === 0 ? [object] : error.fields.map((field) => `${object}.${field}`);
  return crmError('schema-mismatch', error.code, { fields, cause: error });
}

/**
 * Makes a function that converts a row in which the lookup and master-detail fields in `references` contain external ids. The converted row
 * names each related record by the relationship and the external id, because such a field itself accepts only a record id.
 */
function leading(references: readonly CrmMaster[]) {
  const byField = new Map(references.map(({ field, externalId }) => [field, externalId]));
  return (row: CrmFields): object =>
    Object.fromEntries(
      Object.entries(row).map(([field, value]) => {
        const externalId = byField.get(field);
        if (externalId === undefined || value === null) return [field, value];
        return [relationshipOf(field), { [externalId]: value }];
      }),
    );
}

/** The relationship name of a lookup or master-detail field: `Order__r` for `Order__c`, `Product2` for `Product2Id`. */
function relationshipOf(field: string): string {
  return field.endsWith('__c') ? field.replace(/__c$/, '__r') : field.replace(/Id$/, '');
}

/**
 * The request that upserts several rows at once. The external ids are in its body, because an address would require their special
 * characters to be encoded.
 */
export function upsertRequest(
  object: string,
  externalId: string,
  rows: readonly object[],
): RestRequest & { readonly method: 'PATCH' } {
  const records = rows.map((row) => ({ attributes: { type: object }, ...row }));
  return {
    method: 'PATCH',
    path: `/composite/sobjects/${object}/${externalId}`,
    body: { allOrNone: false, records },
  };
}
