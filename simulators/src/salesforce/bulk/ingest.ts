import type { Org } from '../org.ts';
import type { ObjectDef } from '../schema/types.ts';
import { readHeader } from './columns.ts';
import { type CsvTable, readCsv } from './csv.ts';
import type { IngestJob, JobWork } from './jobs.ts';
import { saveRows } from './save-rows.ts';
import { hasFailed, type IngestTask, type RowResult } from './task.ts';

/** The work of an ingest job. Throws JobFailure for data that cannot be read: the whole job fails then. */
export function* ingest(org: Org, job: IngestJob): JobWork {
  const table = readCsv(job.content ?? '', job.format);
  job.header = table.header;
  yield* saveTable(org, job, table);
}

/** Saves the rows of a table. Throws JobFailure before the first row if the header is wrong. */
export function* saveTable(org: Org, task: IngestTask, { header, rows }: CsvTable): JobWork {
  task.unprocessed = rows;
  const read = readHeader(org.store.schema.object(task.object) as ObjectDef, header);
  const uploaded = rows.map((cells) => ({ cells, input: read(cells) }));
  yield* saveRows(org, task, uploaded);
}

const isSaved = (result: RowResult) => !hasFailed(result);

/** The results of a job as tables: rows saved, rows refused, rows that were not reached. */
export const RESULT_TABLES: Readonly<Record<string, (job: IngestJob) => CsvTable>> = {
  successfulResults: ({ header, results }) => ({
    header: ['sf__Id', 'sf__Created', ...header],
    rows: results.filter(isSaved).map(({ id, created, cells }) => [id, String(created), ...cells]),
  }),
  failedResults: ({ header, results }) => ({
    header: ['sf__Id', 'sf__Error', ...header],
    rows: results.filter(hasFailed).map(({ id, error, cells }) => [id, error ?? '', ...cells]),
  }),
  unprocessedrecords: ({ header, unprocessed }) => ({ header, rows: unprocessed }),
};
