import type { Clock } from '../../core/clock.ts';
import type { Org } from '../org.ts';
import { runSoql } from '../soql/execute.ts';
import type { QueryRecord } from '../soql/project.ts';
import { ApiFailure } from '../store/failure.ts';
import { normalizeId } from '../store/ids.ts';
import type { Input } from '../store/input.ts';
import { toApiInstant } from '../store/instant.ts';
import { ClassicFailure } from './classic-failure.ts';
import { type CsvFormat, type CsvTable, readCsv, writeCsv } from './csv.ts';
import { saveTable } from './ingest.ts';
import { JobFailure } from './job-failure.ts';
import type { JobWork, QueryOperation } from './jobs.ts';
import { bulkTable, tableRows } from './query.ts';
import { hasFailed, type IngestOperation, type IngestTask, saveRows } from './save-rows.ts';

export type ClassicOperation = IngestOperation | QueryOperation;
export type ClassicContent = 'CSV' | 'JSON';
export type BatchState = 'Queued' | 'InProgress' | 'Completed' | 'Failed' | 'NotProcessed';

export type ClassicTerms = {
  readonly operation: ClassicOperation;
  readonly object: string;
  readonly contentType: ClassicContent;
  readonly externalIdFieldName: string | null;
  readonly createdById: string;
  readonly apiVersion: number;
};

export type ClassicBatch = {
  readonly id: string;
  readonly jobId: string;
  readonly createdDate: string;
  state: BatchState;
  stateMessage: string | null;
  /** The saved rows of a batch of data. */
  readonly task: IngestTask | null;
  /** Id and text of a query's result, when it is there. */
  result: { readonly id: string; readonly text: string; readonly count: number } | null;
};

export type ClassicJob = ClassicTerms & {
  readonly id: string;
  readonly createdDate: string;
  state: 'Open' | 'Closed' | 'Aborted';
  readonly batches: ClassicBatch[];
};

/** The jobs of the Bulk API of 2009, whose clients send their batches themselves. */
export interface ClassicJobs {
  open(terms: ClassicTerms): ClassicJob;
  /** Throws ClassicFailure InvalidJob. */
  find(id: string): ClassicJob;
  /** Throws ClassicFailure InvalidBatch. */
  batch(job: ClassicJob, id: string): ClassicBatch;
  /** Takes in a batch and works on it after the present request. Throws ClassicFailure unless the job is open. */
  add(org: Org, job: ClassicJob, text: string): ClassicBatch;
  clear(): void;
}

const FORMAT: CsvFormat = { columnDelimiter: 'COMMA', lineEnding: 'LF' };

export function createClassicJobs(
  clock: Clock,
  nextId: (prefix: '750' | '751' | '752') => string,
): ClassicJobs {
  const jobs = new Map<string, ClassicJob>();
  const now = () => toApiInstant(clock.now()).replace('+0000', 'Z');
  return {
    open: (terms) => {
      const job: ClassicJob = { ...terms, id: nextId('750'), createdDate: now(), state: 'Open', batches: [] };
      jobs.set(job.id, job);
      return job;
    },
    find: (id) => {
      const job = jobs.get(normalizeId(id) ?? '');
      if (job === undefined) throw new ClassicFailure('InvalidJob', `Invalid job id: ${id}`);
      return job;
    },
    batch: (job, id) => {
      const batch = job.batches.find((each) => each.id === normalizeId(id));
      if (batch === undefined) throw new ClassicFailure('InvalidBatch', `Invalid batch id: ${id}`);
      return batch;
    },
    add: (org, job, text) => {
      if (job.state !== 'Open') {
        throw new ClassicFailure('InvalidJobState', `Job is not open: ${job.id}`);
      }
      if (text.trim() === '') throw new ClassicFailure('ClientInputError', 'Request body is empty');
      const task = taskOf(job);
      const batch: ClassicBatch = {
        ...{ id: nextId('751'), jobId: job.id, createdDate: now(), state: 'Queued', stateMessage: null },
        ...{ task, result: null },
      };
      job.batches.push(batch);
      const work =
        task === null ? query(org, job, batch, text, () => nextId('752')) : save(org, job, task, text);
      setImmediate(() => runStep(job, batch, work));
      return batch;
    },
    clear: () => jobs.clear(),
  };
}

function taskOf({
  operation,
  object,
  externalIdFieldName,
  createdById,
  apiVersion,
}: ClassicJob): IngestTask | null {
  if (operation === 'query' || operation === 'queryAll') return null;
  const rows = { results: [], unprocessed: [] };
  return { operation, object, externalIdFieldName, createdById, apiVersion, ...rows };
}

function runStep(job: ClassicJob, batch: ClassicBatch, work: JobWork): void {
  if (job.state === 'Aborted') {
    batch.state = 'NotProcessed';
    return;
  }
  batch.state = 'InProgress';
  try {
    if (work.next().done === true) batch.state = 'Completed';
    else setImmediate(() => runStep(job, batch, work));
  } catch (error) {
    batch.state = 'Failed';
    batch.stateMessage = messageOf(error);
  }
}

function messageOf(error: unknown): string {
  if (error instanceof JobFailure) return error.message;
  if (!(error instanceof ApiFailure)) return `InternalServerError : ${String(error)}`;
  const [first] = error.errors;
  return `InvalidBatch : Failed to process query: ${first?.errorCode}: ${first?.message}`;
}

function* save(org: Org, job: ClassicJob, task: IngestTask, text: string): JobWork {
  if (job.contentType === 'CSV') {
    const lineEnding = /^[^\n]*\r\n/.test(text) ? 'CRLF' : 'LF';
    yield* saveTable(org, task, readCsv(text, { ...FORMAT, lineEnding }));
  } else {
    yield* saveRows(org, task, readRecords(text));
  }
}

function readRecords(text: string): readonly { input: Input; cells: readonly string[] }[] {
  try {
    const records: unknown = JSON.parse(text);
    if (Array.isArray(records)) return records.map((input: Input) => ({ input, cells: [] }));
  } catch {
    // Said below, as for JSON that is no list.
  }
  throw new JobFailure('InvalidBatch : Failed to parse JSON: a list of records is needed');
}

function* query(org: Org, job: ClassicJob, batch: ClassicBatch, soql: string, nextId: () => string): JobWork {
  yield;
  const operation = job.operation === 'queryAll' ? 'queryAll' : 'query';
  const table = bulkTable(org, soql, operation);
  if (job.contentType === 'CSV') {
    const read: CsvTable = { header: table.columns, rows: tableRows(table) };
    batch.result = { id: nextId(), text: writeCsv(read, FORMAT), count: read.rows.length };
    return;
  }
  const env = { store: org.store, now: org.clock.now(), includeDeleted: operation === 'queryAll' };
  const records: readonly QueryRecord[] = runSoql(
    { ...env, base: `/services/data/v${job.apiVersion}.0` },
    soql,
  ).records;
  batch.result = { id: nextId(), text: JSON.stringify(records), count: records.length };
}

/** What became of a batch's rows, in their order. */
export function resultTable(batch: ClassicBatch): CsvTable {
  const results = batch.task?.results ?? [];
  return {
    header: ['Id', 'Success', 'Created', 'Error'],
    rows: results.map(({ id, created, error }) => [
      error === null ? id : '',
      String(error === null),
      String(created),
      error ?? '',
    ]),
  };
}

export function failedRows(batch: ClassicBatch): number {
  return batch.task?.results.filter(hasFailed).length ?? 0;
}
