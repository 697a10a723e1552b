import type { CsvFormat } from '../bulk/csv.ts';
import type { Job, JobTerms } from '../bulk/jobs.ts';
import { hasFailed } from '../bulk/task.ts';
import type { ApiAnswer, ApiRequest } from './route.ts';

export function termsOf(request: ApiRequest, object: string, format: CsvFormat): JobTerms {
  return { object, createdById: request.userId, apiVersion: request.version, format };
}

/** A job in Salesforce's form. Its progress is shown only once its data was uploaded. */
export function describeJob(job: Job): Record<string, unknown> {
  const isIngest = job.kind === 'ingest';
  const version = `v${job.apiVersion}.0`;
  return {
    id: job.id,
    operation: job.operation,
    object: job.object,
    createdById: job.createdById,
    createdDate: job.createdDate,
    systemModstamp: job.systemModstamp,
    state: job.state,
    concurrencyMode: 'Parallel',
    contentType: 'CSV',
    apiVersion: job.apiVersion,
    jobType: isIngest ? 'V2Ingest' : 'V2Query',
    ...(isIngest && { contentUrl: `services/data/${version}/jobs/ingest/${job.id}/batches` }),
    ...(isIngest && job.externalIdFieldName !== null && { externalIdFieldName: job.externalIdFieldName }),
    ...job.format,
    ...(job.state !== 'Open' && progressOf(job)),
    ...(job.errorMessage !== null && { errorMessage: job.errorMessage }),
  };
}

/** The progress of a job. Its times are all 0. */
function progressOf(job: Job): Record<string, number> {
  return {
    retries: 0,
    totalProcessingTime: 0,
    ...(job.kind === 'ingest' && { apiActiveProcessingTime: 0, apexProcessingTime: 0 }),
    numberRecordsProcessed: job.kind === 'ingest' ? job.results.length : job.processed,
    ...(job.kind === 'ingest' && { numberRecordsFailed: job.results.filter(hasFailed).length }),
  };
}

export function jobList(jobs: readonly Job[]): ApiAnswer {
  return { status: 200, body: { done: true, nextRecordsUrl: null, records: jobs.map(describeJob) } };
}
