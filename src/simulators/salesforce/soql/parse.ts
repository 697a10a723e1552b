import { parseQuery, type Query } from '@jetstreamapp/soql-parser-js';
import { type ApiFailure, failure } from '../store/failure.ts';

/** A parsed query and whether it says ALL ROWS, which the parser does not know. */
export type ParsedQuery = { readonly query: Query; readonly allRows: boolean };

const ALL_ROWS = /\s+ALL\s+ROWS\s*$/i;

const MAX_LENGTH = 100_000;

/** Parses SOQL. Throws MALFORMED_QUERY with the parser's reason. */
export function parseSoql(soql: string): ParsedQuery {
  if (soql.trim() === '') throw malformed('The query string is empty');
  if (soql.length > MAX_LENGTH) {
    throw malformed(`SOQL statements cannot be longer than ${MAX_LENGTH} characters.`);
  }
  const allRows = ALL_ROWS.test(soql);
  try {
    const query = parseQuery(soql.replace(ALL_ROWS, ''));
    return { query, allRows };
  } catch (error) {
    throw malformed(error instanceof Error ? error.message : 'unexpected token');
  }
}

export function malformed(message: string): ApiFailure {
  return failure(400, 'MALFORMED_QUERY', message);
}

export function invalidField(message: string): ApiFailure {
  return failure(400, 'INVALID_FIELD', message);
}
