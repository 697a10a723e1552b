import type { Org } from '../org.ts';
import { runSoql } from '../soql/execute.ts';
import type { QueryRecord } from '../soql/project.ts';
import { queryEnv } from '../soql/query-env.ts';
import type { Input } from '../store/input.ts';
import { ClassicFailure } from './classic-failure.ts';
import type { ClassicBatch, ClassicJob } from './classic-jobs.ts';
import { type CsvFormat, type CsvTable, readCsv, writeCsv } from './csv.ts';
import { saveTable } from './ingest.ts';
import { JobFailure } from './job-failure.ts';
import type { JobWork } from './jobs.ts';
import { bulkTable, tableRows } from './query.ts';
import { saveRows } from './save-rows.ts';
import type { IngestTask, UploadedRow } from './task.ts';

const FORMAT: CsvFormat = { columnDelimiter: 'COMMA', lineEnding: 'LF' };

/** Adds a batch of data or the text of a query to a job. Throws ClassicFailure for an empty body or a closed job. */
export function addBatch(org: Org, job: ClassicJob, text: string): ClassicBatch {
  if (text.trim() === '') throw new ClassicFailure('ClientInputError', 'Request body is empty');
  return org.classicBulk.add(job, (batch, nextResultId) =>
    batch.task === null ? query(org, job, batch, text, nextResultId) : save(org, job, batch.task, text),
  );
}

function* save(org: Org, job: ClassicJob, task: IngestTask, text: string): JobWork {
  if (job.contentType === 'CSV') {
    const lineEnding = /^[^\n]*\r\n/.test(text) ? 'CRLF' : 'LF';
    yield* saveTable(org, task, readCsv(text, { ...FORMAT, lineEnding }));
  } else {
    yield* saveRows(org, task, readRecords(text));
  }
}

function readRecords(text: string): readonly UploadedRow[] {
  try {
    const records: unknown = JSON.parse(text);
    if (Array.isArray(records)) return records.map((input: Input) => ({ input, cells: [] }));
  } catch {
    // Text that is no JSON is refused below, like JSON that is no list.
  }
  throw new JobFailure('InvalidBatch : Failed to parse JSON: a list of records is needed');
}

function* query(org: Org, job: ClassicJob, batch: ClassicBatch, soql: string, nextId: () => string): JobWork {
  yield;
  const operation = job.operation === 'queryAll' ? 'queryAll' : 'query';
  const table = bulkTable(org, job.createdById, soql, operation);
  if (job.contentType === 'CSV') {
    const read: CsvTable = { header: table.columns, rows: tableRows(table) };
    batch.result = { id: nextId(), text: writeCsv(read, FORMAT), count: read.rows.length };
    return;
  }
  const base = `/services/data/v${job.apiVersion}.0`;
  const env = queryEnv(org, job.createdById, { base, includeDeleted: operation === 'queryAll' });
  const records: readonly QueryRecord[] = runSoql(env, soql).records;
  batch.result = { id: nextId(), text: JSON.stringify(records), count: records.length };
}
