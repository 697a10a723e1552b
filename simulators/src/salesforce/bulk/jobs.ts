import type { Clock } from '../../core/clock.ts';
import { failure, notFound } from '../store/failure.ts';
import { normalizeId } from '../store/ids.ts';
import { apiInstantMs, toApiInstant } from '../store/instant.ts';
import type { CsvFormat, CsvTable } from './csv.ts';
import { JobFailure } from './job-failure.ts';
import type { IngestOperation, IngestTask } from './task.ts';

export type QueryOperation = 'query' | 'queryAll';
export type JobState = 'Open' | 'UploadComplete' | 'InProgress' | 'JobComplete' | 'Failed' | 'Aborted';

/** The settings that a client gives when it creates a job. */
export type JobTerms = {
  readonly object: string;
  readonly createdById: string;
  readonly apiVersion: number;
  readonly format: CsvFormat;
};

type Common = JobTerms & {
  readonly id: string;
  readonly createdDate: string;
  /** When the job's state last changed. */
  systemModstamp: string;
  state: JobState;
  errorMessage: string | null;
};

export type IngestJob = Common &
  IngestTask & {
    readonly kind: 'ingest';
    /** The uploaded CSV; null until then. */
    content: string | null;
    header: readonly string[];
  };

export type QueryJob = Common & {
  readonly kind: 'query';
  readonly operation: QueryOperation;
  readonly query: string;
  /** Rows read so far. */
  processed: number;
  result: CsvTable | null;
};

export type Job = IngestJob | QueryJob;

/** Work on a job, in pieces, so that other requests run between them. */
export type JobWork = Generator<void, void>;

/** The bulk jobs of the org, as Bulk API and Bulk API 2.0 know them. They live as long as the process. */
export interface BulkJobs {
  openIngest(terms: JobTerms, operation: IngestOperation, externalIdFieldName: string | null): IngestJob;
  openQuery(terms: JobTerms, operation: QueryOperation, query: string): QueryJob;
  /** The job of this kind and id. Throws 404 NOT_FOUND, also for jobs that ended a week ago. */
  find<K extends Job['kind']>(kind: K, id: string): Extract<Job, { kind: K }>;
  ofKind(kind: Job['kind']): readonly Job[];
  moveTo(job: Job, state: JobState): void;
  /** Begins work after the present request. A JobFailure thrown by it fails the job. */
  run(job: Job, work: JobWork): void;
  remove(job: Job): void;
  clear(): void;
  all(): readonly Job[];
  /** Replaces all jobs. A job that had not ended is failed, because its work cannot be resumed. */
  load(jobs: readonly Job[]): void;
}

/** "Jobs in a terminal state are deleted after seven days" (limits of Bulk API 2.0). */
const LIFESPAN_MS = 7 * 86_400_000;
const ENDED: ReadonlySet<JobState> = new Set(['JobComplete', 'Failed', 'Aborted']);

export function hasEnded(job: Job): boolean {
  return ENDED.has(job.state);
}

const nothingYet = () => ({ content: null, header: [], results: [], unprocessed: [] });

export function createBulkJobs(clock: Clock, nextId: () => string): BulkJobs {
  const jobs = new Map<string, Job>();
  const now = () => toApiInstant(clock.now());
  const moveTo = (job: Job, state: JobState) => {
    job.state = state;
    job.systemModstamp = now();
  };
  const keep = <J extends Job>(job: J): J => {
    jobs.set(job.id, job);
    return job;
  };
  const common = (terms: JobTerms, state: JobState): Common => {
    const at = now();
    return { ...terms, state, errorMessage: null, id: nextId(), createdDate: at, systemModstamp: at };
  };
  const isKept = (job: Job) => !hasEnded(job) || clock.now().getTime() - apiInstantMs(job.systemModstamp) < LIFESPAN_MS;
  return {
    openIngest: (terms, operation, externalIdFieldName) =>
      keep({ ...common(terms, 'Open'), kind: 'ingest', operation, externalIdFieldName, ...nothingYet() }),
    openQuery: (terms, operation, query) =>
      keep({
        ...common(terms, 'UploadComplete'),
        kind: 'query',
        operation,
        query,
        processed: 0,
        result: null,
      }),
    find: <K extends Job['kind']>(kind: K, id: string) => {
      const job = jobs.get(normalizeId(id) ?? '');
      if (job?.kind !== kind || !isKept(job)) throw notFound();
      return job as Extract<Job, { kind: K }>;
    },
    ofKind: (kind) => [...jobs.values()].filter((job) => job.kind === kind && isKept(job)),
    all: () => [...jobs.values()],
    load: (loaded) => {
      jobs.clear();
      for (const job of loaded) failUnfinished(keep(job), moveTo);
    },
    moveTo,
    run: (job, work) => {
      setImmediate(() => runStep(job, work, moveTo, (each) => jobs.get(each.id) === each));
    },
    remove: (job) => jobs.delete(job.id),
    clear: () => jobs.clear(),
  };
}

function failUnfinished(job: Job, moveTo: BulkJobs['moveTo']): void {
  if (job.state !== 'InProgress' && job.state !== 'UploadComplete') return;
  job.errorMessage = 'InternalServerError : the org was put back while the job ran';
  moveTo(job, 'Failed');
}

/** Performs one piece of work and schedules the next on the event loop; stops if the job was deleted. */
function runStep(job: Job, work: JobWork, moveTo: BulkJobs['moveTo'], isThere: (job: Job) => boolean): void {
  if (job.state === 'Aborted' || !isThere(job)) return;
  if (job.state === 'UploadComplete') moveTo(job, 'InProgress');
  try {
    if (work.next().done === true) moveTo(job, 'JobComplete');
    else setImmediate(() => runStep(job, work, moveTo, isThere));
  } catch (error) {
    const isKnown = error instanceof JobFailure;
    job.errorMessage = isKnown ? error.message : `InternalServerError : ${String(error)}`;
    moveTo(job, 'Failed');
  }
}

/** Throws 400 INVALIDJOBSTATE unless the job is in one of these states. */
export function requireState(job: Job, states: readonly JobState[], wanted: string): void {
  if (states.includes(job.state)) return;
  throw failure(400, 'INVALIDJOBSTATE', `Job ${job.id} is ${job.state}: ${wanted}`);
}
