import { type CsvFormat, DELIMITERS, LINE_ENDINGS, writeCsv } from '../bulk/csv.ts';
import { ingest, RESULT_TABLES } from '../bulk/ingest.ts';
import { hasEnded, type IngestJob, type JobState, requireState } from '../bulk/jobs.ts';
import { readParts } from '../bulk/multipart.ts';
import type { IngestOperation } from '../bulk/task.ts';
import type { Org } from '../org.ts';
import { failure } from '../store/failure.ts';
import type { Input } from '../store/input.ts';
import { externalField } from '../store/upsert.ts';
import { describeJob, jobList, termsOf } from './bulk-job.ts';
import { type ApiAnswer, type ApiRequest, objectBody, type Route, type TextBody } from './route.ts';

const OPERATIONS: readonly IngestOperation[] = ['insert', 'update', 'upsert', 'delete', 'hardDelete'];
/** The largest upload in bytes: "Upload data that doesn't exceed 100 MB", because base64 makes 150 MB of it. */
const MAX_UPLOAD_BYTES = 100 * 1024 * 1024;
/** The longest CSV that the request that creates a job may contain. */
const MAX_MULTIPART_CHARACTERS = 100_000;

/** Creates a job from JSON, or from multipart with its data, which starts at once. */
function createJob(org: Org, request: ApiRequest): ApiAnswer {
  const { contentType, text } = request.body as TextBody;
  if (!/^multipart\/form-data/i.test(contentType)) {
    return { status: 200, body: describeJob(openJob(org, request, readJson(contentType, text))) };
  }
  const parts = readParts(contentType, text);
  const part = (name: string) => parts.find((each) => each.name === name)?.content ?? '';
  const content = part('content');
  if (content.length > MAX_MULTIPART_CHARACTERS) {
    const message = `The data of a multipart request may have ${MAX_MULTIPART_CHARACTERS} characters at most.`;
    throw failure(400, 'CLIENTINPUTERROR', message);
  }
  const job = openJob(org, request, readJson('application/json', part('job')));
  job.content = content;
  complete(org, job);
  return { status: 200, body: describeJob(job) };
}

function readJson(contentType: string, text: string): Input {
  if (!/^application\/json\b/i.test(contentType)) {
    throw failure(415, 'UNSUPPORTED_MEDIA_TYPE', `Content type ${contentType} not supported.`);
  }
  try {
    return objectBody(JSON.parse(text));
  } catch {
    throw failure(400, 'JSON_PARSER_ERROR', 'The job is not well-formed JSON.');
  }
}

function openJob(org: Org, request: ApiRequest, body: Input): IngestJob {
  const operation = OPERATIONS.find((each) => each === body['operation']);
  if (operation === undefined) {
    throw failure(400, 'INVALIDJOB', `InvalidJob : The operation ${String(body['operation'])} is not supported.`);
  }
  if (operation === 'hardDelete') {
    const message =
      'hardDelete operation requires special user profile permission, please contact your system administrator';
    throw failure(400, 'FEATURENOTENABLED', message);
  }
  const { contentType = 'CSV', externalIdFieldName: fieldName } = body;
  if (contentType !== 'CSV') throw failure(400, 'INVALIDJOB', 'InvalidJob : The content type must be CSV.');
  const object = org.store.schema.object(String(body['object']));
  if (object === undefined || !(object.createable || object.updateable)) {
    throw failure(400, 'INVALIDENTITY', `Entity '${String(body['object'])}' is not supported by the Bulk API.`);
  }
  if (operation === 'upsert') {
    if (typeof fieldName !== 'string') {
      throw failure(400, 'INVALIDJOB', 'InvalidJob : ExternalIdFieldName is required for upsert.');
    }
    externalField(object, fieldName);
  }
  const terms = termsOf(request, object.name, readFormat(body));
  return org.bulk.openIngest(terms, operation, typeof fieldName === 'string' ? fieldName : null);
}

/** The CSV format of a job. Throws 400 for an unknown delimiter or line ending. */
export function readFormat(body: Input): CsvFormat {
  const { columnDelimiter = 'COMMA', lineEnding = 'LF' } = body;
  if (!isKey(DELIMITERS, columnDelimiter) || !isKey(LINE_ENDINGS, lineEnding)) {
    throw failure(400, 'INVALIDJOB', 'InvalidJob : The column delimiter or the line ending is not supported.');
  }
  return { columnDelimiter, lineEnding };
}

function isKey<T extends object>(table: T, key: unknown): key is keyof T & string {
  return typeof key === 'string' && Object.hasOwn(table, key);
}

function upload(org: Org, request: ApiRequest, id: string): ApiAnswer {
  const job = org.bulk.find('ingest', id);
  const { contentType, text } = request.body as TextBody;
  if (!/^text\/csv\b/i.test(contentType)) {
    throw failure(415, 'UNSUPPORTED_MEDIA_TYPE', `Content type ${contentType} not supported.`);
  }
  requireState(job, ['Open'], 'data can be uploaded to an open job only.');
  if (job.content !== null) {
    const message = `Found multiple contents for job: <${job.id}>, please 'Close' / 'Abort' / 'Delete' the current Job then create a new Job and make sure you only do 'PUT' once on a given Job.`;
    throw failure(400, 'BULK_API_ERROR', message);
  }
  if (Buffer.byteLength(text) > MAX_UPLOAD_BYTES) {
    throw failure(413, 'REQUEST_ENTITY_TOO_LARGE', 'The data of a job may have 100 MB at most.');
  }
  job.content = text;
  return { status: 201 };
}

function changeState(org: Org, request: ApiRequest, id: string): ApiAnswer {
  const job = org.bulk.find('ingest', id);
  const { state } = objectBody(request.body);
  if (state === 'UploadComplete') {
    requireState(job, ['Open'], 'only an open job can be closed.');
    complete(org, job);
  } else if (state === 'Aborted') {
    requireState(job, ['Open', 'UploadComplete', 'InProgress'], 'it cannot be aborted any more.');
    org.bulk.moveTo(job, 'Aborted');
  } else {
    throw failure(400, 'INVALIDJOBSTATE', `A client cannot move a job to the state ${String(state)}.`);
  }
  return { status: 200, body: describeJob(job) };
}

function complete(org: Org, job: IngestJob): void {
  org.bulk.moveTo(job, 'UploadComplete');
  org.bulk.run(job, ingest(org, job));
}

const DELETABLE: readonly JobState[] = ['UploadComplete', 'JobComplete', 'Aborted', 'Failed'];

function removeJob(org: Org, id: string): ApiAnswer {
  const job = org.bulk.find('ingest', id);
  requireState(job, DELETABLE, 'it cannot be deleted before it has ended.');
  org.bulk.moveTo(job, 'Aborted');
  org.bulk.remove(job);
  return { status: 204 };
}

function results(org: Org, id: string, name: keyof typeof RESULT_TABLES): ApiAnswer {
  const job = org.bulk.find('ingest', id);
  if (!hasEnded(job)) requireState(job, [], 'its results are there when it has ended.');
  const table = RESULT_TABLES[name]?.(job);
  const isEmpty = table === undefined || table.header.length === 0;
  return {
    status: 200,
    text: { contentType: 'text/csv', content: isEmpty ? '' : writeCsv(table, job.format) },
  };
}

/** Bulk API 2.0, ingest: `jobs/ingest` and below. */
export const BULK_INGEST_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    pattern: '/jobs/ingest',
    operation: 'bulk.ingest.create',
    takesText: true,
    handle: createJob,
  },
  {
    method: 'GET',
    pattern: '/jobs/ingest',
    operation: 'bulk.ingest.list',
    handle: (org) => jobList(org.bulk.ofKind('ingest')),
  },
  {
    method: 'GET',
    pattern: '/jobs/ingest/:id',
    operation: 'bulk.ingest.read',
    handle: (org, _request, { id = '' }) => ({
      status: 200,
      body: describeJob(org.bulk.find('ingest', id)),
    }),
  },
  {
    method: 'PATCH',
    pattern: '/jobs/ingest/:id',
    operation: 'bulk.ingest.changeState',
    handle: (org, request, { id = '' }) => changeState(org, request, id),
  },
  {
    method: 'DELETE',
    pattern: '/jobs/ingest/:id',
    operation: 'bulk.ingest.delete',
    handle: (org, _request, { id = '' }) => removeJob(org, id),
  },
  {
    method: 'PUT',
    pattern: '/jobs/ingest/:id/batches',
    operation: 'bulk.ingest.upload',
    takesText: true,
    handle: (org, request, { id = '' }) => upload(org, request, id),
  },
  ...Object.keys(RESULT_TABLES).map(
    (name): Route => ({
      method: 'GET',
      pattern: `/jobs/ingest/:id/${name}`,
      operation: `bulk.ingest.${name}`,
      handle: (org, _request, { id = '' }) => results(org, id, name),
    }),
  ),
];
