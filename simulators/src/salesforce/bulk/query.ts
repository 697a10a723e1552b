import type { Org } from '../org.ts';
import { addressNamed } from '../schema/compound-addresses.ts';
import { type QueryTable, runSoqlTable } from '../soql/execute.ts';
import { parseSoql } from '../soql/parse.ts';
import { queryEnv } from '../soql/query-env.ts';
import { failure } from '../store/failure.ts';
import type { Value } from '../store/row.ts';
import type { CsvTable } from './csv.ts';
import type { JobWork, QueryJob, QueryOperation } from './jobs.ts';

/** How many rows are read before other requests run. */
const CHUNK = 2000;

/**
 * The table that a bulk query asks for. Throws 400 for SOQL that bulk queries do not take: groups, OFFSET, TYPEOF,
 * lists of children, and functions. Bulk API 2.0 guide, "SOQL Considerations".
 */
export function bulkTable(org: Org, userId: string, soql: string, operation: QueryOperation): QueryTable {
  const query = parseSoql(soql);
  const fields = query.fields ?? [];
  if (fields.some((item) => item.type === 'FieldSubquery')) {
    throw failure(400, 'API_ERROR', 'Aggregate Relationships not supported in Bulk Query');
  }
  const object = org.store.schema.object(query.sObject ?? '');
  const isCompound = (name: string) => object !== undefined && addressNamed(object, name) !== undefined;
  if (fields.some((item) => item.type === 'Field' && isCompound(item.field))) {
    throw failure(400, 'API_ERROR', 'Selecting compound data not supported in Bulk Query');
  }
  const isPlain = fields.every((item) => item.type === 'Field' || item.type === 'FieldRelationship');
  if (!isPlain || query.groupBy !== undefined || query.offset !== undefined) {
    throw failure(400, 'API_ERROR', 'Bulk queries take no groups, functions, TYPEOF or OFFSET.');
  }
  return runSoqlTable(queryEnv(org, userId, { includeDeleted: operation === 'queryAll' }), soql);
}

export function* extract(org: Org, job: QueryJob): JobWork {
  const table = bulkTable(org, job.createdById, job.query, job.operation);
  const rows: string[][] = [];
  for (const row of table.rows()) {
    rows.push(row.map(cellOf));
    if (rows.length % CHUNK === 0) {
      job.processed = rows.length;
      yield;
    }
  }
  job.processed = rows.length;
  job.result = { header: table.columns, rows };
}

const API_INSTANT = /^(\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3})\+0000$/;

/** A value as a cell. Date-times end in `Z`, unlike in the REST API, which writes `+0000`. */
function cellOf(value: Value): string {
  if (value === null) return '';
  return String(value).replace(API_INSTANT, '$1Z');
}

export function tableRows(table: QueryTable): string[][] {
  return Array.from(table.rows(), (row) => row.map(cellOf));
}

export type ResultPage = { readonly table: CsvTable; readonly locator: string };

/** The locator after the last page of results. */
export const NO_MORE = 'null';

/** The page of at most `size` rows at a locator. Throws 400 for a locator that was never given. */
export function pageAt(job: QueryJob, locator: string | null, size: number): ResultPage {
  const { header, rows } = job.result ?? { header: [], rows: [] };
  const from = locator === null ? 0 : Number(Buffer.from(locator, 'base64url').toString('utf8'));
  if (!Number.isInteger(from) || from < 0 || (from > 0 && from >= rows.length)) {
    throw failure(400, 'INVALID_QUERY_LOCATOR', 'invalid query locator');
  }
  const to = from + size;
  return {
    table: { header, rows: rows.slice(from, to) },
    locator: to < rows.length ? locatorOf(to) : NO_MORE,
  };
}

export function locatorOf(position: number): string {
  return Buffer.from(String(position), 'utf8').toString('base64url');
}
