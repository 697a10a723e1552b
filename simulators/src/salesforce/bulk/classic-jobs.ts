import type { Clock } from '../../core/clock.ts';
import { ApiFailure } from '../store/failure.ts';
import { normalizeId } from '../store/ids.ts';
import { toApiInstant } from '../store/instant.ts';
import { ClassicFailure } from './classic-failure.ts';
import type { CsvTable } from './csv.ts';
import { JobFailure } from './job-failure.ts';
import type { JobWork, QueryOperation } from './jobs.ts';
import { hasFailed, type IngestOperation, type IngestTask } from './task.ts';

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
  /** Id and text of a query's result, once it exists. */
  result: { readonly id: string; readonly text: string; readonly count: number } | null;
};

export type ClassicJob = ClassicTerms & {
  readonly id: string;
  readonly createdDate: string;
  state: 'Open' | 'Closed' | 'Aborted';
  readonly batches: ClassicBatch[];
};

/** The jobs of the classic Bulk API (2009), in which clients divide their data into batches. */
export interface ClassicJobs {
  open(terms: ClassicTerms): ClassicJob;
  /** Finds a job. Throws ClassicFailure InvalidJob. */
  find(id: string): ClassicJob;
  /** Finds a batch of a job. Throws ClassicFailure InvalidBatch. */
  batch(job: ClassicJob, id: string): ClassicBatch;
  /** Adds a batch and works on it after the present request. Throws ClassicFailure unless the job is open. */
  add(job: ClassicJob, begin: (batch: ClassicBatch, nextResultId: () => string) => JobWork): ClassicBatch;
  clear(): void;
  all(): readonly ClassicJob[];
  /** Replaces all jobs. A batch that had not ended is failed, because its work cannot be resumed. */
  load(jobs: readonly ClassicJob[]): void;
}

export function createClassicJobs(clock: Clock, nextId: (prefix: '750' | '751' | '752') => string): ClassicJobs {
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
    add: (job, begin) => {
      if (job.state !== 'Open') {
        throw new ClassicFailure('InvalidJobState', `Job is not open: ${job.id}`);
      }
      const batch: ClassicBatch = {
        ...{ id: nextId('751'), jobId: job.id, createdDate: now(), state: 'Queued', stateMessage: null },
        ...{ task: taskOf(job), result: null },
      };
      job.batches.push(batch);
      const work = begin(batch, () => nextId('752'));
      setImmediate(() => runStep(job, batch, work, (each) => jobs.get(each.id) === each));
      return batch;
    },
    clear: () => jobs.clear(),
    all: () => [...jobs.values()],
    load: (loaded) => {
      jobs.clear();
      for (const job of loaded) jobs.set(job.id, job);
      for (const batch of loaded.flatMap(({ batches }) => batches)) {
        if (batch.state !== 'Queued' && batch.state !== 'InProgress') continue;
        batch.state = 'Failed';
        batch.stateMessage = 'InternalServerError : the org was put back while the batch ran';
      }
    },
  };
}

function taskOf({ operation, object, externalIdFieldName, createdById, apiVersion }: ClassicJob): IngestTask | null {
  if (operation === 'query' || operation === 'queryAll') return null;
  const rows = { results: [], unprocessed: [] };
  return { operation, object, externalIdFieldName, createdById, apiVersion, ...rows };
}

function messageOf(error: unknown): string {
  if (error instanceof JobFailure) return error.message;
  if (!(error instanceof ApiFailure)) return `InternalServerError : ${String(error)}`;
  const [first] = error.errors;
  return `InvalidBatch : Failed to process query: ${first?.errorCode}: ${first?.message}`;
}

function runStep(job: ClassicJob, batch: ClassicBatch, work: JobWork, isThere: (job: ClassicJob) => boolean): void {
  if (!isThere(job)) return;
  if (job.state === 'Aborted') {
    batch.state = 'NotProcessed';
    return;
  }
  batch.state = 'InProgress';
  try {
    if (work.next().done === true) batch.state = 'Completed';
    else setImmediate(() => runStep(job, batch, work, isThere));
  } catch (error) {
    batch.state = 'Failed';
    batch.stateMessage = messageOf(error);
  }
}

/** The results of a batch's rows, in order. */
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
