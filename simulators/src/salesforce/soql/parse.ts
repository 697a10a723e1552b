import { parseQuery, type Query } from '@jetstreamapp/soql-parser-js';
import { notSimulated } from '../not-simulated.ts';
import { type ApiFailure, failure } from '../store/failure.ts';
import { legalFormIn } from './legal-forms.ts';
import { BlamingFailure } from './pointer.ts';
import { syntaxFailure } from './syntax-failure.ts';

/** `ALL ROWS`, a clause of Apex that the parser does not support. */
const ALL_ROWS = /\s+ALL\s+ROWS\s*$/i;

const MAX_LENGTH = 100_000;

/** Parses SOQL. Throws MALFORMED_QUERY in Salesforce's words, or NOT_SIMULATED for legal SOQL that the parser does not know. */
export function parseSoql(soql: string): Query {
  if (soql.trim() === '') throw malformed("unexpected token: '<EOF>'");
  if (soql.length > MAX_LENGTH) {
    throw malformed(`SOQL statements can not be longer than ${MAX_LENGTH} characters.`);
  }
  if (ALL_ROWS.test(soql)) throw malformed('ALL ROWS not allowed in this context');
  const parsed = tryToParse(soql);
  if (typeof parsed !== 'string') return parsed;
  const form = legalFormIn(soql);
  if (form !== undefined) throw notSimulated(form);
  throw syntaxFailure(soql, parsed, (text) => {
    const part = tryToParse(text);
    return typeof part === 'string' ? part : null;
  });
}

/** The parsed query, or the parser's error message. */
function tryToParse(soql: string): Query | string {
  try {
    return parseQuery(soql);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export function malformed(message: string): ApiFailure {
  return failure(400, 'MALFORMED_QUERY', message);
}

/** A refusal that blames a word of the query, given as it is spelled there. */
export function invalidField(message: string, blamed: string): ApiFailure {
  return new BlamingFailure('INVALID_FIELD', message, blamed);
}
