import { crmError } from './classify.ts';
import type { RestQueryResult, RestRecord } from './options.ts';
import { isoInstant, isRecordId } from './soql.ts';

/**
 * What an answer has to look like before anything is concluded from it. One that does not is `transient`
 * MALFORMED_ANSWER: it says nothing, above all not that a record is gone or that there are none.
 */
function malformed(): never {
  throw crmError('transient', 'MALFORMED_ANSWER');
}

export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) malformed();
  return value as Readonly<Record<string, unknown>>;
}

/** One page of a query or of a sub-query. */
export function queryPage(value: unknown): RestQueryResult {
  const { totalSize, done, records, nextRecordsUrl } = objectOf(value);
  const rows = listOf(records).map((row) => objectOf(row) as RestRecord);
  if (!isCount(totalSize) || typeof done !== 'boolean') malformed();
  if (done) return { totalSize, done, records: rows };
  // One without rows could go on for ever.
  if (typeof nextRecordsUrl !== 'string' || rows.length === 0) malformed();
  return { totalSize, done, nextRecordsUrl, records: rows };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** A list; of so many members where that is known. */
export function listOf(value: unknown, length?: number): readonly unknown[] {
  if (!Array.isArray(value) || (length !== undefined && value.length !== length)) malformed();
  return value;
}

export function textOf(value: unknown): string {
  if (typeof value !== 'string' || value === '') malformed();
  return value;
}

/** The id of a record, which Salesforce itself makes: 18 letters and digits. */
export function idOf(value: unknown): string {
  const id = textOf(value);
  if (!isRecordId(id)) malformed();
  return id;
}

/** Salesforce's stamp as an ISO instant in UTC, of a year that the database can hold. */
export function instantOf(value: unknown): string {
  const text = textOf(value);
  try {
    const instant = isoInstant(text);
    return /^[1-9]\d{3}-/.test(instant) ? instant : malformed();
  } catch {
    return malformed();
  }
}

/** A row of a collection that was written, or not: one that tells neither tells nothing. */
export function writtenRow(value: unknown): Readonly<Record<string, unknown>> {
  const row = objectOf(value);
  if (typeof row['success'] !== 'boolean') malformed();
  return row;
}

/** True or false: a box that a row lacks is no unticked one. */
export function flagOf(value: unknown): boolean {
  if (typeof value !== 'boolean') malformed();
  return value;
}

/**
 * Rows by id, of a query for these ids. A row of any other record means that the answer is not to this query, so that
 * nothing follows from what it lacks.
 */
export function rowsById(
  rows: readonly RestRecord[],
  ids: readonly string[],
): ReadonlyMap<string, RestRecord> {
  const asked = new Set(ids.map((id) => id.slice(0, 15)));
  const found = rows.map((row) => [idOf(row['Id']), row] as const);
  if (found.some(([id]) => !asked.has(id.slice(0, 15)))) malformed();
  return new Map(found);
}
