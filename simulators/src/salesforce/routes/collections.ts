import type { Org } from '../org.ts';
import { LimitException } from '../org-limits/apex-triggers.ts';
import { checkMayUpsertBy } from '../permissions/upsert-rights.ts';
import type { ObjectDef } from '../schema/types.ts';
import { findBy } from '../store/checks.ts';
import { type ApiError, ApiFailure, failure } from '../store/failure.ts';
import { normalizeId } from '../store/ids.ts';
import type { Input } from '../store/input.ts';
import { checkGivenOnce, externalField, upsert } from '../store/upsert.ts';
import { pickFields, renderRow } from './records.ts';
import { type ApiAnswer, type ApiRequest, listIn, objectAt, objectBody, type Params, type Route } from './route.ts';

const MAX_WRITES = 200;
const MAX_CHUNKS = 10;
const MAX_READS = 2000;

/** The result of a row in a collection call. Its errors have `statusCode` instead of the `errorCode` of single rows. */
type RowResult = {
  readonly id?: string;
  readonly success: boolean;
  readonly errors: readonly { statusCode: string; message: string; fields: readonly string[] }[];
  readonly created?: boolean;
};

type RowWork = () => { readonly id: string; readonly created?: boolean };

/** Thrown to leave the transaction of an all-or-none call. */
class Rollback extends Error {}

/**
 * Runs the work of each row. A failed row gives its error as result, and with `allOrNone` undoes all other rows. A governor limit, which
 * the rows share, fails them all.
 */
function runRows(org: Org, request: ApiRequest, works: readonly RowWork[], allOrNone: boolean): ApiAnswer {
  if (works.length > MAX_WRITES) {
    const message = `record limit reached. cannot submit more than ${MAX_WRITES} records in this call`;
    throw failure(400, 'EXCEEDED_ID_LIMIT', message);
  }
  const planned = request.rowFault?.(works.length);
  const results: RowResult[] = [];
  try {
    org.store.transact(() => {
      for (const [row, work] of works.entries()) {
        const fails = planned !== undefined && (planned.row ?? row) === row;
        results.push(fails ? refused(planned.failure) : runRow(work));
      }
      if (allOrNone && results.some(({ success }) => !success)) throw new Rollback();
    });
    return { status: 200, body: results };
  } catch (error) {
    if (error instanceof LimitException) return { status: 200, body: works.map(() => refused(error)) };
    if (!(error instanceof Rollback)) throw error;
    return { status: 200, body: results.map((result) => (result.success ? ROLLED_BACK : result)) };
  }
}

const ROLLED_BACK: RowResult = {
  success: false,
  errors: [
    {
      statusCode: 'ALL_OR_NONE_OPERATION_ROLLED_BACK',
      message: 'Record rolled back because not all records were valid and the request was using AllOrNone header',
      fields: [],
    },
  ],
};

function runRow(work: RowWork): RowResult {
  try {
    const { id, created } = work();
    return { id, success: true, errors: [], ...(created !== undefined && { created }) };
  } catch (error) {
    if (!(error instanceof ApiFailure) || error instanceof LimitException) throw error;
    return refused(error);
  }
}

function refused({ errors }: ApiFailure): RowResult {
  return { success: false, errors: errors.map(rowError) };
}

export function rowError({ errorCode, message, fields }: ApiError): RowResult['errors'][number] {
  return { statusCode: errorCode, message, fields: fields ?? [] };
}

function writes(
  org: Org,
  request: ApiRequest,
  work: (object: ObjectDef, input: Input) => ReturnType<RowWork>,
): ApiAnswer {
  const body = objectBody(request.body);
  const records = listIn(body, 'records');
  checkChunks(records);
  const works = records.map((record) => () => {
    const { attributes, ...input } = objectBody(record);
    const type = (attributes as { type?: unknown } | undefined)?.type;
    if (typeof type !== 'string') {
      throw failure(400, 'INVALID_INPUT', 'Record must have attributes with a type', []);
    }
    const object = org.store.schema.object(type);
    if (object === undefined) throw failure(400, 'INVALID_TYPE', `sObject type '${type}' is not supported.`, []);
    return work(object, input);
  });
  return runRows(org, request, works, body['allOrNone'] === true);
}

/** Refuses too many chunks. Consecutive records of one object form a chunk. */
function checkChunks(records: readonly unknown[]): void {
  const types = records.map((record) =>
    String((objectBody(record)['attributes'] as { type?: unknown } | undefined)?.type).toLowerCase(),
  );
  if (types.filter((type, place) => type !== types[place - 1]).length <= MAX_CHUNKS) return;
  const message = `Cannot have more than ${MAX_CHUNKS} chunks in a single operation. Please rearrange the data to reduce chunking.`;
  throw failure(400, 'LIMIT_EXCEEDED', message);
}

/** The values of a field in a call's records. */
function valuesGiven(request: ApiRequest, name: string): readonly unknown[] {
  return listIn(objectBody(request.body), 'records').map((record) => givenFor(objectBody(record), name));
}

/** The id of a record given in a collection, under any spelling of the key, and the other fields. */
function splitId(input: Input): { id: string; rest: Input } {
  const key = Object.keys(input).find((name) => name.toLowerCase() === 'id');
  const { [key ?? '']: id, ...rest } = input;
  if (typeof id !== 'string') throw failure(400, 'MISSING_ARGUMENT', 'Id not specified in an update call', []);
  return { id, rest };
}

function checkId(object: ObjectDef, id: string): string {
  const full = normalizeId(id);
  if (full?.startsWith(object.keyPrefix)) return full;
  throw failure(400, 'MALFORMED_ID', `${object.label} ID: id value of incorrect type: ${id}`, ['Id']);
}

function removeById(org: Org, id: string, userId: string): { id: string } {
  const full = normalizeId(id);
  const object = org.store.schema.objectOfId(id);
  if (full === null || object === undefined) throw failure(400, 'MALFORMED_ID', `malformed id ${id}`, []);
  org.dml.remove(object, full, { userId });
  return { id: full };
}

function retrieve(
  org: Org,
  request: ApiRequest,
  type: string | undefined,
  ids: readonly unknown[],
  fields: readonly unknown[],
): ApiAnswer {
  const object = objectAt(org, type);
  if (ids.length > MAX_READS) {
    throw failure(400, 'EXCEEDED_ID_LIMIT', `record limit reached. cannot submit more than ${MAX_READS} records`);
  }
  const names = fields.map(String);
  pickFields(object, names);
  const records = ids.map((id) => {
    const row = org.store.get(object.name, normalizeId(String(id)) ?? '');
    if (row === undefined || row['IsDeleted'] === true) return null;
    return renderRow(org, object, row, request.base, names.join(','));
  });
  return { status: 200, body: records };
}

function givenFor(input: Input, field: string): unknown {
  return Object.entries(input).find(([key]) => key.toLowerCase() === field.toLowerCase())?.[1];
}

/** Adds `created` to failed rows of an upsert: whether the row would have been new. */
function sayCreated(org: Org, request: ApiRequest, params: Params, answer: ApiAnswer): ApiAnswer {
  const object = objectAt(org, params['type']);
  const field = externalField(object, params['field'] ?? '');
  const records = listIn(objectBody(request.body), 'records').map(objectBody);
  const isNew = (input: Input) => {
    const value = givenFor(input, field.name);
    if (typeof value !== 'string') return true;
    return field.type !== 'id' && findBy(org.store, object, field, value).length === 0;
  };
  const results = (answer.body as readonly RowResult[]).map((result, i) => ({
    ...result,
    created: result.created ?? isNew(records[i] ?? {}),
  }));
  return { ...answer, body: results };
}

/** Up to 200 rows in one call: `composite/sobjects` and below. */
export const COLLECTION_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    pattern: '/composite/sobjects',
    operation: 'collections.create',
    handle: (org, request) =>
      writes(org, request, (object, input) => ({
        id: org.dml.create(object, input, { userId: request.userId }),
      })),
  },
  {
    method: 'PATCH',
    pattern: '/composite/sobjects',
    operation: 'collections.update',
    handle: (org, request) =>
      writes(org, request, (object, input) => {
        const { id: given, rest } = splitId(input);
        const id = checkId(object, given);
        org.dml.update(object, id, rest, { userId: request.userId });
        return { id };
      }),
  },
  {
    method: 'DELETE',
    pattern: '/composite/sobjects',
    operation: 'collections.delete',
    handle: (org, request) => {
      const ids = (request.query.get('ids') ?? '').split(',').filter(Boolean);
      const works = ids.map((id) => () => removeById(org, id, request.userId));
      return runRows(org, request, works, request.query.get('allOrNone') === 'true');
    },
  },
  {
    method: 'PATCH',
    pattern: '/composite/sobjects/:type/:field',
    operation: 'collections.upsert',
    handle: (org, request, params) => {
      const name = params['field'] ?? '';
      const answer = writes(org, request, (object, input) => {
        const field = externalField(object, name);
        const value = givenFor(input, name);
        checkMayUpsertBy(org, request.userId, field);
        if (field.externalId) checkGivenOnce(field, value, valuesGiven(request, name));
        return upsert(org.store, org.dml, object, { field: name, value }, input, {
          author: { userId: request.userId },
          rowUrl: (id) => `${request.base}/sobjects/${object.name}/${id}`,
        });
      });
      return sayCreated(org, request, params, answer);
    },
  },
  {
    method: 'GET',
    pattern: '/composite/sobjects/:type',
    operation: 'collections.retrieve',
    handle: (org, request, params) => {
      const list = (name: string) => (request.query.get(name) ?? '').split(',').filter(Boolean);
      return retrieve(org, request, params['type'], list('ids'), list('fields'));
    },
  },
  {
    method: 'POST',
    pattern: '/composite/sobjects/:type',
    operation: 'collections.retrieve',
    handle: (org, request, params) => {
      const body = objectBody(request.body);
      return retrieve(org, request, params['type'], listIn(body, 'ids'), listIn(body, 'fields'));
    },
  },
];
