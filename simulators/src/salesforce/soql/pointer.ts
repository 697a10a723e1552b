import { ApiFailure } from '../store/failure.ts';

/** A refusal of a query that blames words of it. */
export class BlamingFailure extends ApiFailure {
  /** The blamed word as the query spells it: an object, a field with its path, or a relationship. */
  readonly blamed: string;

  constructor(errorCode: string, message: string, blamed: string) {
    super(400, [{ message, errorCode }]);
    this.blamed = blamed;
  }
}

export type Clause = 'WHERE' | 'HAVING';

/** A refusal that blames an AND or OR of a clause, by its index from 0. Operators of sub-selects are not counted. */
export class WrongJoint extends ApiFailure {
  readonly clause: Clause;
  readonly joint: number;

  constructor(word: 'AND' | 'OR', clause: Clause, joint: number) {
    super(400, [{ message: `unexpected token: '${word}'`, errorCode: 'MALFORMED_QUERY' }]);
    this.clause = clause;
    this.joint = joint;
  }
}

/** Characters of context shown on either side of the wrong word, in whole words. */
const SHOWN = 40;
/** Texts, words with their dots, and single signs. */
const TOKEN = /'(?:\\.|[^'\\])*'|[\w$][\w.$]*|\S/g;

/**
 * Runs the work of a query. A refusal that blames a word gets the words around it, a caret under it, its row and its column, as Salesforce
 * words it (`INVALID_FIELD`, `INVALID_TYPE`). If the query contains the word twice, the first one is blamed.
 */
export function pointing<T>(soql: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof BlamingFailure) {
      const blamed = error.blamed.toLowerCase();
      throw pointed(error, soql, tokensOf(soql).find(({ text }) => text.toLowerCase() === blamed)?.at, 0);
    }
    // For a word out of place the column counts from 0, as in syntax-failure.ts.
    if (error instanceof WrongJoint) throw pointed(error, soql, placeOfJoint(soql, error), 1);
    throw error;
  }
}

function pointed(error: ApiFailure, soql: string, at: number | undefined, before: 0 | 1): ApiFailure {
  const [first, ...rest] = error.errors;
  if (first === undefined || at === undefined) return error;
  const message = pointTo(soql, at, at - before, first.message);
  return new ApiFailure(error.status, [{ ...first, message }, ...rest]);
}

/** The position in the query itself; undefined if the clause belongs to a sub-select. */
function placeOfJoint(soql: string, { clause, joint }: WrongJoint): number | undefined {
  const outside: { readonly word: string; readonly at: number }[] = [];
  let inside = 0;
  const tokens = tokensOf(soql);
  for (const [place, { text, at }] of tokens.entries()) {
    const opensSelect = text === '(' && tokens[place + 1]?.text.toUpperCase() === 'SELECT';
    if (inside > 0 || opensSelect) inside += text === '(' ? 1 : text === ')' ? -1 : 0;
    else outside.push({ word: text.toUpperCase(), at });
  }
  const begin = outside.findIndex(({ word }) => word === clause);
  if (begin < 0) return undefined;
  return outside.slice(begin).filter(({ word }) => word === 'AND' || word === 'OR')[joint]?.at;
}

export function tokensOf(soql: string): readonly { readonly text: string; readonly at: number }[] {
  return Array.from(soql.matchAll(TOKEN), ({ 0: text, index: at }) => ({ text, at }));
}

/** A message that points to a place in the query. `caretAt` is the caret's position. Rows and columns count from 1. */
export function pointTo(soql: string, at: number, caretAt: number, message: string): string {
  const rowStart = soql.lastIndexOf('\n', at - 1) + 1;
  const rowEnd = soql.indexOf('\n', at);
  const row = soql.slice(rowStart, rowEnd < 0 ? undefined : rowEnd);
  const column = caretAt - rowStart;
  const from = wordStart(row, column - SHOWN);
  const to = wordEnd(row, column + SHOWN);
  const caret = `${' '.repeat(Math.max(0, column - from))}^`;
  const rowNumber = soql.slice(0, rowStart).split('\n').length;
  return `\n${row.slice(from, to)}\n${caret}\nERROR at Row:${rowNumber}:Column:${column + 1}\n${message}`;
}

/** The first position from `from` on at which a word begins. */
function wordStart(row: string, from: number): number {
  if (from <= 0) return 0;
  const gap = row.slice(from - 1).search(/[\s,]/);
  const start = from - 1 + gap;
  return gap < 0 ? from : start + row.slice(start).search(/[^\s,]|$/);
}

/** The last position up to `to` at which a word ends. */
function wordEnd(row: string, to: number): number {
  if (to >= row.length) return row.length;
  const gap = Math.max(row.lastIndexOf(' ', to), row.lastIndexOf(',', to));
  return gap < 0 ? to : gap;
}
