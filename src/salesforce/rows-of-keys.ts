import { CrmError } from './errors.ts';
import type { RestRecord } from './options.ts';
import { queryRows, TOO_MANY_ROWS } from './query.ts';
import type { RestCall, Session } from './session.ts';
import { listLiteral, textLiteral } from './soql.ts';

const KEYS_PER_QUERY = 200;
/**
 * If one key has too many rows for a single query, its rows are read in several queries of at most this many rows. The number is far below
 * Salesforce's limit for a query.
 */
const ROWS_PER_QUERY = 10_000;

/** A query for rows by the value of a foreign key. `fields` must contain the Id and the key. `scope` is a further SOQL condition. */
export type Children = {
  readonly from: string;
  readonly fields: readonly string[];
  readonly key: string;
  readonly scope: string;
};

/** Reads all rows whose field `key` has one of these values, including deleted rows, by as many queries as needed. */
export async function rowsOfKeys(
  session: Session,
  children: Children,
  keys: readonly string[],
  call: RestCall,
): Promise<readonly RestRecord[]> {
  const rows: RestRecord[] = [];
  for (let from = 0; from < keys.length; from += KEYS_PER_QUERY)
    rows.push(...(await rowsOf(session, children, keys.slice(from, from + KEYS_PER_QUERY), call)));
  return rows;
}

/**
 * Reads the rows whose field `key` has one of these values. If there are too many rows for one query, splits the values into two halves and
 * reads each half.
 */
async function rowsOf(
  session: Session,
  children: Children,
  keys: readonly string[],
  call: RestCall,
): Promise<readonly RestRecord[]> {
  try {
    const soql = `${selectOf(children)} WHERE ${children.key} IN ${listLiteral(keys)} AND ${children.scope}`;
    return (await queryRows(session, soql, { ...call, deleted: true })).rows;
  } catch (error) {
    if (!(error instanceof CrmError) || error.code !== TOO_MANY_ROWS) throw error;
  }
  const [only = ''] = keys;
  if (keys.length === 1) return rowsOfOne(session, children, only, call);
  const middle = Math.ceil(keys.length / 2);
  const older = await rowsOf(session, children, keys.slice(0, middle), call);
  return [...older, ...(await rowsOf(session, children, keys.slice(middle), call))];
}

async function rowsOfOne(
  session: Session,
  children: Children,
  key: string,
  call: RestCall,
): Promise<readonly RestRecord[]> {
  const rows: RestRecord[] = [];
  for (let isLast = false, after = ''; !isLast; ) {
    const soql =
      `${selectOf(children)} WHERE ${children.key} = ${textLiteral(key)} AND ${children.scope}` +
      `${after === '' ? '' : ` AND Id > ${textLiteral(after)}`} ORDER BY Id LIMIT ${ROWS_PER_QUERY}`;
    const page = (await queryRows(session, soql, { ...call, deleted: true })).rows;
    rows.push(...page);
    after = String(page.at(-1)?.['Id']);
    isLast = page.length < ROWS_PER_QUERY;
  }
  return rows;
}

function selectOf({ fields, from }: Children): string {
  return `SELECT ${[...new Set(fields)].join(', ')} FROM ${from}`;
}
