import type { Org } from '../org.ts';
import { LimitException } from '../org-limits/apex-triggers.ts';
import { checkMayUpsertBy } from '../permissions/upsert-rights.ts';
import type { ObjectDef } from '../schema/types.ts';
import { ApiFailure, failure } from '../store/failure.ts';
import { normalizeId } from '../store/ids.ts';
import type { Input } from '../store/input.ts';
import { checkGivenOnce, externalField, upsert } from '../store/upsert.ts';
import type { IngestTask, RowResult, UploadedRow } from './task.ts';

type Saved = { readonly id: string; readonly created: boolean };

/** How many rows one transaction saves, which triggers get together. */
const CHUNK = 200;

/** Saves rows in order, each independently, and yields after each chunk. */
export function* saveRows(org: Org, task: IngestTask, rows: readonly UploadedRow[]): Generator<void, void> {
  const object = org.store.schema.object(task.object) as ObjectDef;
  for (let from = 0; from < rows.length; from += CHUNK) {
    task.results.push(...saveChunk(org, task, object, rows.slice(from, from + CHUNK)));
    task.unprocessed = task.unprocessed.slice(CHUNK);
    yield;
  }
}

/** The results of the rows of one transaction. A governor limit, which they share, fails them all. */
function saveChunk(org: Org, task: IngestTask, object: ObjectDef, chunk: readonly UploadedRow[]): readonly RowResult[] {
  try {
    return org.limits.transaction(() =>
      org.store.transact(() => chunk.map((row) => saveRow(org, task, object, row, chunk))),
    );
  } catch (error) {
    if (!(error instanceof LimitException)) throw error;
    return chunk.map((row) => refusedRow(row, error));
  }
}

function refusedRow({ input, cells }: UploadedRow, error: ApiFailure): RowResult {
  const { Id: id } = input;
  return { cells, id: typeof id === 'string' ? id : '', created: false, error: errorText(error) };
}

function saveRow(
  org: Org,
  task: IngestTask,
  object: ObjectDef,
  row: UploadedRow,
  chunk: readonly UploadedRow[],
): RowResult {
  try {
    return { ...save(org, task, object, row.input, chunk), cells: row.cells, error: null };
  } catch (error) {
    if (!(error instanceof ApiFailure) || error instanceof LimitException) throw error;
    return refusedRow(row, error);
  }
}

function save(org: Org, task: IngestTask, object: ObjectDef, input: Input, chunk: readonly UploadedRow[]): Saved {
  const author = { userId: task.createdById };
  const { Id: givenId, ...fields } = input;
  switch (task.operation) {
    case 'insert':
      return { id: org.dml.create(object, input, author), created: true };
    case 'update': {
      const id = idIn(object, givenId, 'an update');
      org.dml.update(object, id, fields, author);
      return { id, created: false };
    }
    case 'upsert': {
      const field = task.externalIdFieldName ?? '';
      const value = givenFor(input, field);
      const by = externalField(object, field);
      checkMayUpsertBy(org, task.createdById, by);
      if (by.externalId) {
        const all = chunk.map((row) => givenFor(row.input, field));
        checkGivenOnce(by, value, all);
      }
      const rowUrl = (id: string) => `/services/data/v${task.apiVersion}.0/sobjects/${object.name}/${id}`;
      return upsert(org.store, org.dml, object, { field, value }, input, { author, rowUrl });
    }
    case 'delete':
    case 'hardDelete': {
      const id = idIn(object, givenId, 'a delete');
      org.dml.remove(object, id, author);
      return { id, created: false };
    }
  }
}

function givenFor(input: Input, field: string): unknown {
  return Object.entries(input).find(([name]) => name.toLowerCase() === field.toLowerCase())?.[1];
}

function idIn(object: ObjectDef, given: unknown, call: string): string {
  if (typeof given !== 'string') throw failure(400, 'MISSING_ARGUMENT', `Id not specified in ${call} call`, []);
  const id = normalizeId(given);
  if (id?.startsWith(object.keyPrefix)) return id;
  throw failure(400, 'MALFORMED_ID', `${object.label} ID: id value of incorrect type: ${given}`, ['Id']);
}

/** The error of a row in `sf__Error`: `CODE:message:Field,Field --`. */
function errorText({ errors }: ApiFailure): string {
  return errors
    .map(({ errorCode, message, fields = [] }) => {
      const named = fields.length === 0 ? '' : `${fields.join(',')} `;
      return `${errorCode}:${message}:${named}--`;
    })
    .join('');
}
