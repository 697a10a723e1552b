import type { CrmFields } from '../domain/record/crm-graph.ts';
import { listOf, writtenRow } from './answers.ts';
import { classifyAnswer, crmError } from './classify.ts';
import { isFailedRow } from './composite.ts';
import type { CrmMaster } from './crm.ts';
import { CrmError } from './errors.ts';
import type { RestCall, RestRequest, Session } from './session.ts';

/** Salesforce's limit of rows in one collection. */
const MAX_ROWS = 200;

/**
 * Upserts rows of one object by an external id field that each row has, 200 in a request. Returns null or an error for each row; none
 * undoes another. Of two rows with one external id, which Salesforce refuses in one request, the later counts and both get its answer.
 * `references` names the fields that contain another row's external id.
 */
export function upsertRows(
  session: Session,
  object: string,
  externalId: string,
  rows: readonly CrmFields[],
  call: RestCall,
  references: readonly CrmMaster[] = [],
): Promise<readonly (null | CrmError)[]> {
  return writeRows(session, { object, key: externalId, rows, call }, (batch) =>
    upsertRequest(object, externalId, batch.map(leading(references))),
  );
}

/** Updates rows of one object by their `Id`; otherwise like `upsertRows`. */
export function updateRows(
  session: Session,
  object: string,
  rows: readonly CrmFields[],
  call: RestCall,
): Promise<readonly (null | CrmError)[]> {
  return writeRows(session, { object, key: 'Id', rows, call }, (batch) => ({
    method: 'PATCH',
    path: '/composite/sobjects',
    body: {
      allOrNone: false,
      records: batch.map(({ Id: id, ...fields }) => ({ attributes: { type: object }, id, ...fields })),
    },
  }));
}

async function writeRows(
  session: Session,
  {
    object,
    key,
    rows,
    call,
  }: {
    readonly object: string;
    readonly key: string;
    readonly rows: readonly CrmFields[];
    readonly call: RestCall;
  },
  requestWith: (batch: readonly CrmFields[]) => RestRequest,
): Promise<readonly (null | CrmError)[]> {
  const idOf = (row: CrmFields): string => String(row[key]);
  const latest = [...new Map(rows.map((row) => [idOf(row), row])).values()];
  const errors = new Map<string, CrmError>();
  for (let start = 0; start < latest.length; start += MAX_ROWS) {
    const batch = latest.slice(start, start + MAX_ROWS);
    const answer = await requestOf(object, () => session.request(requestWith(batch), call));
    const answers = listOf(answer.body, batch.length);
    for (const [place, row] of batch.entries()) {
      const result = writtenRow(answers[place]);
      if (isFailedRow(result)) errors.set(idOf(row), naming(object, classifyAnswer(400, result)));
    }
  }
  return rows.map((row) => errors.get(idOf(row)) ?? null);
}

/** Turns Salesforce's "not found" for a missing object or external id field into `schema-mismatch`. */
async function requestOf<T>(object: string, request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof CrmError)) throw error;
    throw naming(
      object,
      error.kind === 'gone' ? crmError('schema-mismatch', error.code, { cause: error }) : error,
    );
  }
}

/** Adds the object's name to the fields of a `schema-mismatch` error. */
function naming(object: string, error: CrmError): CrmError {
  if (error.kind !== 'schema-mismatch') return error;
  const fields = error.fields.length === 0 ? [object] : error.fields.map((field) => `${object}.${field}`);
  return crmError('schema-mismatch', error.code, { fields, cause: error });
}

/** Replaces a reference's value by the other row's external id, so that its record id is not needed. */
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

/** The relationship of a lookup field: `Order__r` for `Order__c`, `Product2` for `Product2Id`. */
function relationshipOf(field: string): string {
  return field.endsWith('__c') ? field.replace(/__c$/, '__r') : field.replace(/Id$/, '');
}

/** One collection upsert. External ids are in the body, where none of their characters needs encoding. */
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
