import { crmError } from './classify.ts';
import type { RestQueryResult, RestRecord } from './options.ts';
import { isoInstant, isRecordId } from './soql.ts';

/**
 * Throws `transient` MALFORMED_ANSWER for an answer of an unexpected form. Without this error, Lockstep could conclude from such an answer
 * that a record does not exist.
 */
function malformed(): never {
  throw crmError('transient', 'MALFORMED_ANSWER');
}

export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) malformed();
  return value as Readonly<Record<string, unknown>>;
}

/**
 * The longest accepted address of a query's next page, in characters. An answer with a longer address is malformed. Salesforce's addresses
 * have about 60.
 */
const LONGEST_ADDRESS = 2_000;

export function queryPage(value: unknown): RestQueryResult {
  const { totalSize, done, records, nextRecordsUrl } = objectOf(value);
  const rows = listOf(records).map((row) => objectOf(row) as RestRecord);
  if (!isCount(totalSize) || typeof done !== 'boolean') malformed();
  if (done) return { totalSize, done, records: rows };
  // If each page of a list had no rows and named a next page, reading the list might never end. Sending a long address takes time.
  if (typeof nextRecordsUrl !== 'string' || nextRecordsUrl.length > LONGEST_ADDRESS || rows.length === 0) malformed();
  return { totalSize, done, nextRecordsUrl, records: rows };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Checks that a value is a list, with `length` members if `length` is given, and returns the list. */
export function listOf(value: unknown, length?: number): readonly unknown[] {
  if (!Array.isArray(value) || (length !== undefined && value.length !== length)) malformed();
  return value;
}

export function textOf(value: unknown): string {
  if (typeof value !== 'string' || value === '') malformed();
  return value;
}

/** Checks that a value is a record id, 18 letters and digits, and returns it. */
export function idOf(value: unknown): string {
  const id = textOf(value);
  if (!isRecordId(id)) malformed();
  return id;
}

/**
 * Converts a Salesforce timestamp to an ISO instant in UTC. A timestamp with a year before 1000 or after 9999 is malformed, because
 * PostgreSQL cannot read the ISO form of all such years (`0000`, `+010000`).
 */
export function instantOf(value: unknown): string {
  const text = textOf(value);
  try {
    const instant = isoInstant(text);
    return /^[1-9]\d{3}-/.test(instant) ? instant : malformed();
  } catch {
    return malformed();
  }
}

/**
 * Checks that a value is the result for one row in the answer to a request with many rows, and returns it. A result without a boolean
 * `success` is malformed.
 */
export function writtenRow(value: unknown): Readonly<Record<string, unknown>> {
  const row = objectOf(value);
  if (typeof row['success'] !== 'boolean') malformed();
  return row;
}

/** Checks that a value is a boolean, and returns it. If a checkbox is missing, the answer is malformed; it does not count as false. */
export function flagOf(value: unknown): boolean {
  if (typeof value !== 'boolean') malformed();
  return value;
}

/**
 * The rows of a query, by record id. If the answer contains a record whose id is not in `ids`, the whole answer is malformed, because it
 * may be the answer to another query.
 */
export function rowsById(rows: readonly RestRecord[], ids: readonly string[]): ReadonlyMap<string, RestRecord> {
  const asked = new Set(ids.map((id) => id.slice(0, 15)));
  const found = rows.map((row) => [idOf(row['Id']), row] as const);
  if (found.some(([id]) => !asked.has(id.slice(0, 15)))) malformed();
  return new Map(found);
}
