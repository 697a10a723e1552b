import type { Org } from '../org.ts';
import { checkMayUpsertBy } from '../permissions/upsert-rights.ts';
import { addressNamed, compoundAddresses, readAddress } from '../schema/compound-addresses.ts';
import type { FieldDef, ObjectDef } from '../schema/types.ts';
import { noSuchColumn } from '../soql/path.ts';
import { attributesOf, type QueryRecord } from '../soql/project.ts';
import { findBy } from '../store/checks.ts';
import { ApiFailure, failure, notFound } from '../store/failure.ts';
import { readableRow, writableRow } from '../store/find.ts';
import type { Input } from '../store/input.ts';
import { apiInstantMs } from '../store/instant.ts';
import type { Row } from '../store/row.ts';
import { externalField, upsert } from '../store/upsert.ts';
import { coerce } from '../store/values.ts';
import { checkTags, etagOf } from './etag.ts';
import { follow, isRowId, listChildren } from './relationships.ts';
import { type ApiAnswer, type ApiRequest, objectAt, objectBody, type Params, type Route } from './route.ts';

/** From this version on, an upsert that updated a row answers with a body. Earlier versions answer 204. */
const UPSERT_BODY_VERSION = 46;

/** A row as `sobjects/{type}/{id}` shows it: the wanted fields, or all. Id is always among them. */
export function renderRow(
  { store }: Org,
  object: ObjectDef,
  row: Row,
  base: string,
  fields: string | null,
): QueryRecord {
  const names = fields?.split(',') ?? [];
  const addresses =
    fields === null ? compoundAddresses(object) : names.flatMap((name) => addressNamed(object, name.trim()) ?? []);
  const wanted = fields === null ? [...object.fields.values()] : pickFields(object, names);
  const values = wanted.map((field): [string, unknown] => [field.name, store.read(field, row)]);
  const shown = addresses.map((address): [string, unknown] => [
    address.name,
    readAddress(address, (part) => store.read(part, row)),
  ]);
  const all = Object.fromEntries([...values, ...shown]);
  return { attributes: attributesOf(object, row, base), ...all, Id: row['Id'] };
}

/** The fields of these names, compound ones left out. Throws INVALID_FIELD for a name that the object lacks. */
export function pickFields(object: ObjectDef, names: readonly string[]): readonly FieldDef[] {
  return names.flatMap((name) => {
    const field = object.fields.get(name.trim().toLowerCase());
    if (field !== undefined) return [field];
    if (addressNamed(object, name.trim()) !== undefined) return [];
    throw noSuchColumn(object, name.trim());
  });
}

/**
 * Checks If-Unmodified-Since and If-Modified-Since against the row's LastModifiedDate. HTTP dates have whole seconds,
 * so a change within the same second goes unnoticed, as it does in Salesforce. Throws 412, 304, or 400 for no date: the
 * statuses are documented, the error codes of 412 and 400 assumed.
 */
function checkConditions(row: Row, headers: Readonly<Record<string, string>>): void {
  const modifiedSeconds = Math.floor(apiInstantMs(String(row['LastModifiedDate'])) / 1000);
  const unmodifiedSince = headers['if-unmodified-since'];
  if (unmodifiedSince !== undefined && modifiedSeconds > secondsOf(unmodifiedSince)) {
    throw failure(412, 'PRECONDITION_FAILED', 'The record was modified since the given date.');
  }
  const modifiedSince = headers['if-modified-since'];
  if (modifiedSince !== undefined && modifiedSeconds <= secondsOf(modifiedSince)) {
    throw new ApiFailure(304, []);
  }
}

function secondsOf(header: string): number {
  const ms = Date.parse(header);
  if (Number.isNaN(ms)) throw failure(400, 'INVALID_HEADER_VALUE', 'The conditional header holds no HTTP date.');
  return Math.floor(ms / 1000);
}

/** Headers with a condition. Without them a write does not read the row first, so that the write itself refuses an absent or hidden row. */
const CONDITIONS = ['if-unmodified-since', 'if-modified-since', 'if-match', 'if-none-match'];

function hasConditions({ headers }: ApiRequest): boolean {
  return CONDITIONS.some((name) => headers[name] !== undefined);
}

const author = (request: ApiRequest) => ({ userId: request.userId });

function created(request: ApiRequest, object: ObjectDef, body: { id: string; created?: boolean }): ApiAnswer {
  return {
    status: 201,
    headers: { location: `${request.base}/sobjects/${object.name}/${body.id}` },
    body: { id: body.id, success: true, errors: [], ...(body.created && { created: true }) },
  };
}

function read(org: Org, request: ApiRequest, object: ObjectDef, row: Row): ApiAnswer {
  checkConditions(row, request.headers);
  checkTags(request.method, object, row, request.headers);
  const tag = etagOf(object, row);
  const modified = new Date(apiInstantMs(String(row['LastModifiedDate']))).toUTCString();
  return {
    status: 200,
    headers: { 'last-modified': modified, ...(tag !== null && { etag: tag }) },
    body: renderRow(org, object, row, request.base, request.query.get('fields')),
  };
}

function change(org: Org, request: ApiRequest, object: ObjectDef, row: Row): ApiAnswer {
  checkConditions(row, request.headers);
  checkTags(request.method, object, row, request.headers);
  org.dml.update(object, String(row['Id']), objectBody(request.body), author(request));
  return { status: 204 };
}

/** Reads, changes or deletes the record that a relationship of a row leads to. Lists of children can only be read. */
function handleRelated(org: Org, request: ApiRequest, object: ObjectDef, params: Params): ApiAnswer {
  const from = readableRow(org.store, object, params['field'] ?? '');
  const related = follow(org, object, from, params['value'] ?? '');
  if (related.kind === 'children') {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw failure(405, 'METHOD_NOT_ALLOWED', `HTTP Method '${request.method}' not allowed. Allowed are GET,HEAD`);
    }
    return listChildren(org, request, related);
  }
  if (request.method === 'PATCH') return change(org, request, related.object, related.row);
  if (request.method !== 'DELETE') return read(org, request, related.object, related.row);
  org.dml.remove(related.object, String(related.row['Id']), author(request));
  return { status: 204 };
}

/** The only row with this external id. Throws 404, or 300 with the addresses of several. */
function rowBy(org: Org, request: ApiRequest, object: ObjectDef, params: Params): Row {
  const field = externalField(object, params['field'] ?? '');
  const found = findBy(org.store, object, field, coerce(field, params['value']));
  if (found.length > 1) {
    throw new ApiFailure(
      300,
      [],
      found.map((row) => `${request.base}/sobjects/${object.name}/${row['Id']}`),
    );
  }
  const [row] = found;
  if (row === undefined) throw notFound();
  return row;
}

/** Refuses a body that contains the external id, which is in the address. */
function checkNotInBody({ name }: FieldDef, body: Input): void {
  if (!Object.keys(body).some((key) => key.toLowerCase() === name.toLowerCase())) return;
  const message = `The ${name} field should not be specified in the sobject data.`;
  throw failure(400, 'INVALID_FIELD', message, [name]);
}

function handleUpsert(org: Org, request: ApiRequest, params: Params): ApiAnswer {
  const object = objectAt(org, params['type']);
  if (isRowId(object, params['field'] ?? '')) return handleRelated(org, request, object, params);
  const field = externalField(object, params['field'] ?? '');
  checkMayUpsertBy(org, request.userId, field);
  checkNotInBody(field, objectBody(request.body));
  const [existing] = findBy(org.store, object, field, coerce(field, params['value']));
  if (existing !== undefined) checkConditions(existing, request.headers);
  if (existing === undefined && request.query.get('updateOnly') === 'true') throw notFound();
  const result = upsert(
    org.store,
    org.dml,
    object,
    { field: field.name, value: params['value'] },
    objectBody(request.body),
    { author: author(request), rowUrl: (id) => `${request.base}/sobjects/${object.name}/${id}` },
  );
  if (result.created) return created(request, object, result);
  if (request.version < UPSERT_BODY_VERSION) return { status: 204 };
  return { status: 200, body: { id: result.id, success: true, errors: [], created: false } };
}

const ROW_METHODS = 'GET,HEAD,PATCH,DELETE';

/** Single rows: `sobjects/{type}` and below. */
export const RECORD_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    pattern: '/sobjects/:type',
    operation: 'sobject.create',
    handle: (org, request, params) => {
      const object = objectAt(org, params['type']);
      const id = org.dml.create(object, objectBody(request.body), author(request));
      return created(request, object, { id });
    },
  },
  {
    method: 'POST',
    pattern: '/sobjects/:type/:id',
    operation: 'sobject.createById',
    handle: (org, request, params) => {
      const object = objectAt(org, params['type']);
      // An upsert by Id without an id creates a row (REST guide: "sObject Rows by External ID").
      if (params['id']?.toLowerCase() !== 'id') {
        throw failure(405, 'METHOD_NOT_ALLOWED', `HTTP Method 'POST' not allowed. Allowed are ${ROW_METHODS}`);
      }
      return created(request, object, {
        id: org.dml.create(object, objectBody(request.body), author(request)),
        created: true,
      });
    },
  },
  {
    method: 'GET',
    pattern: '/sobjects/:type/:id',
    operation: 'sobject.read',
    handle: (org, request, params) => {
      const object = objectAt(org, params['type']);
      return read(org, request, object, readableRow(org.store, object, params['id'] ?? ''));
    },
  },
  {
    method: 'PATCH',
    pattern: '/sobjects/:type/:id',
    operation: 'sobject.update',
    handle: (org, request, params) => {
      const object = objectAt(org, params['type']);
      if (hasConditions(request)) {
        return change(org, request, object, writableRow(org.store, object, params['id'] ?? ''));
      }
      org.dml.update(object, params['id'] ?? '', objectBody(request.body), author(request));
      return { status: 204 };
    },
  },
  {
    method: 'DELETE',
    pattern: '/sobjects/:type/:id',
    operation: 'sobject.delete',
    handle: (org, request, params) => {
      org.dml.remove(objectAt(org, params['type']), params['id'] ?? '', author(request));
      return { status: 204 };
    },
  },
  {
    method: 'GET',
    pattern: '/sobjects/:type/:field/:value',
    operation: 'sobject.readByExternalId',
    handle: (org, request, params) => {
      const object = objectAt(org, params['type']);
      if (isRowId(object, params['field'] ?? '')) return handleRelated(org, request, object, params);
      return read(org, request, object, rowBy(org, request, object, params));
    },
  },
  {
    method: 'PATCH',
    pattern: '/sobjects/:type/:field/:value',
    operation: 'sobject.upsert',
    handle: handleUpsert,
  },
  {
    method: 'DELETE',
    pattern: '/sobjects/:type/:field/:value',
    operation: 'sobject.deleteByExternalId',
    handle: (org, request, params) => {
      const object = objectAt(org, params['type']);
      if (isRowId(object, params['field'] ?? '')) return handleRelated(org, request, object, params);
      org.dml.remove(object, String(rowBy(org, request, object, params)['Id']), author(request));
      return { status: 204 };
    },
  },
];
