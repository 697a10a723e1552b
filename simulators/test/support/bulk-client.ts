import { parse } from 'csv-parse/sync';
import type { SalesforceSimulator } from '../../src/salesforce/start.ts';
import { until } from './until.ts';

export type BulkAnswer = { readonly status: number; readonly headers: Headers; readonly text: string };

export type BulkJob = {
  readonly id: string;
  readonly state: string;
  readonly errorMessage?: string;
  readonly numberRecordsProcessed: number;
  readonly numberRecordsFailed: number;
};

export type BulkClient = ReturnType<typeof bulkClient>;

/** Bulk API 2.0 calls as a client without a library sends them. */
export function bulkClient(simulator: SalesforceSimulator) {
  async function call(method: string, path: string, body?: string, type = 'text/csv'): Promise<BulkAnswer> {
    const answer = await fetch(`${simulator.url}/services/data/v67.0/jobs/${path}`, {
      method,
      headers: { authorization: `Bearer ${simulator.user.accessToken}`, 'content-type': type },
      ...(body !== undefined && { body }),
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }
  const json = (method: string, path: string, body: object) =>
    call(method, path, JSON.stringify(body), 'application/json');
  const read = async (path: string): Promise<BulkJob> => JSON.parse((await call('GET', path)).text);
  const ended = (path: string) =>
    until(`the end of ${path}`, async () => {
      const job = await read(path);
      return ['JobComplete', 'Failed'].includes(job.state) && job;
    });
  const open = async (terms: object): Promise<BulkJob> =>
    JSON.parse((await json('POST', 'ingest', { contentType: 'CSV', ...terms })).text);
  return {
    call,
    json,
    open,
    ended,
    /** Creates a job, uploads the data, closes the job, and waits for its end. */
    load: async (terms: object, csv: string): Promise<BulkJob> => {
      const { id } = await open(terms);
      await call('PUT', `ingest/${id}/batches`, csv);
      await json('PATCH', `ingest/${id}`, { state: 'UploadComplete' });
      return ended(`ingest/${id}`);
    },
    /** The records of one result list of a job. */
    results: async (id: string, name: string): Promise<readonly Record<string, string>[]> =>
      parse((await call('GET', `ingest/${id}/${name}`)).text, { columns: true }),
  };
}
