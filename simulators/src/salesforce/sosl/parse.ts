import { notSimulated } from '../not-simulated.ts';
import { failure } from '../store/failure.ts';

/** The kinds of fields to search, by the word after IN. */
export type SearchScope = 'ALL' | 'NAME' | 'EMAIL' | 'PHONE' | 'SIDEBAR';

export type Returning = {
  readonly object: string;
  /** The content of the object's parentheses, as SOQL: fields, then further clauses. */
  readonly fields: string;
  readonly rest: string;
};

export type Sosl = {
  readonly find: string;
  readonly scope: SearchScope;
  /** The objects to return. Without RETURNING the list is empty, and the search returns ids of every searchable object. */
  readonly returning: readonly Returning[];
  readonly limit: number;
};

/** The largest number of rows in a search's answer. */
export const MAX_RESULTS = 2000;

const FIND = /^\s*FIND\s*\{((?:\\.|[^\\}])*)\}/i;
const SCOPE = /^\s*IN\s+(ALL|NAME|EMAIL|PHONE|SIDEBAR)\s+FIELDS\b/i;
const RETURNING = /^\s*RETURNING\s+/i;
const OBJECT = /^\s*([A-Za-z]\w*)\s*/;
const LIMIT = /^\s*LIMIT\s+(\d+)\s*/i;
/** Clauses of the SOSL reference that are not simulated. */
const LEGAL =
  /^\s*(WITH\s+(?:DATA\s+CATEGORY|DIVISION|HIGHLIGHT|METADATA|NETWORK|PRICEBOOKID|SNIPPET|SPELL_CORRECTION)|UPDATE\s+(?:TRACKING|VIEWSTAT))\b/i;
const CLAUSE = /\b(WHERE|ORDER\s+BY|LIMIT|OFFSET)\b/i;

/** Parses SOSL with FIND, IN, RETURNING and LIMIT. Throws NOT_SIMULATED for other clauses of SOSL, and MALFORMED_SEARCH for anything else. */
export function parseSosl(text: string): Sosl {
  let rest = text;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const found = pattern.exec(rest);
    if (found !== null) rest = rest.slice(found[0].length);
    return found;
  };
  const find = take(FIND)?.[1];
  if (find === undefined) throw malformedSearch(rest);
  const scope = (take(SCOPE)?.[1]?.toUpperCase() ?? 'ALL') as SearchScope;
  const returning: Returning[] = [];
  if (take(RETURNING) !== null) {
    do {
      const object = take(OBJECT)?.[1];
      if (object === undefined) throw malformedSearch(rest);
      const spec = readParentheses(rest);
      rest = rest.slice(spec.length);
      returning.push({ object, ...splitSpec(spec.slice(1, -1)) });
    } while (take(/^\s*,/) !== null);
  }
  const limit = Number(take(LIMIT)?.[1] ?? MAX_RESULTS);
  const legal = take(LEGAL)?.[1]?.toUpperCase();
  if (legal !== undefined) throw notSimulated(`${legal} of SOSL`);
  if (rest.trim() !== '') throw malformedSearch(rest);
  return { find: find.replace(/\\(.)/g, '$1'), scope, returning, limit: Math.min(limit, MAX_RESULTS) };
}

/** The text up to the parenthesis that closes the first one; '' if no parenthesis closes it. Quoted parentheses do not count. */
function readParentheses(text: string): string {
  if (!text.startsWith('(')) return '';
  let depth = 0;
  let isQuoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const char = text.charAt(i);
    if (isQuoted && char === '\\') i += 1;
    else if (char === "'") isQuoted = !isQuoted;
    else if (!isQuoted && char === '(') depth += 1;
    else if (!isQuoted && char === ')') depth -= 1;
    if (depth === 0) return text.slice(0, i + 1);
  }
  throw malformedSearch(text);
}

function splitSpec(spec: string): Omit<Returning, 'object'> {
  const at = CLAUSE.exec(spec)?.index ?? spec.length;
  const fields = spec.slice(0, at).trim();
  return { fields: fields === '' ? 'Id' : fields, rest: spec.slice(at) };
}

function malformedSearch(rest: string): Error {
  const token = /\S+/.exec(rest)?.[0] ?? '<EOF>';
  return failure(400, 'MALFORMED_SEARCH', `unexpected token: '${token}'`);
}
