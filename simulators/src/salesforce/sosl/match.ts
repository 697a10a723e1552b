import type { FieldDef, ObjectDef } from '../schema/types.ts';
import { failure } from '../store/failure.ts';
import type { Row } from '../store/row.ts';
import type { SearchScope } from './parse.ts';

/** Whether a list of words satisfies the search. */
type Test = (words: readonly string[]) => boolean;

const WORD = /[\p{L}\p{N}@._-]+/gu;
const MIN_CHARACTERS = 2;
const TEXT_TYPES: ReadonlySet<FieldDef['type']> = new Set(['string', 'textarea', 'email', 'phone', 'url', 'picklist']);

/** The predicate of a search term on rows of an object. Throws 400 for a term of one character. */
export function compileSearch(find: string, scope: SearchScope, object: ObjectDef): (row: Row) => boolean {
  const test = compileTerm(find);
  const fields = [...object.fields.values()].filter((field) => isSearched(field, scope));
  return (row) => test(fields.flatMap((field) => wordsOf(row[field.name])));
}

function isSearched({ name, type }: FieldDef, scope: SearchScope): boolean {
  switch (scope) {
    case 'NAME':
      return name === 'Name' || name === 'Subject' || name === 'CaseNumber';
    case 'EMAIL':
      return type === 'email';
    case 'PHONE':
      return type === 'phone';
    default:
      return TEXT_TYPES.has(type);
  }
}

/** The words of a value in lower case. A word with punctuation counts as a whole and in its parts. */
function wordsOf(value: unknown): readonly string[] {
  if (typeof value !== 'string') return [];
  return [...value.toLowerCase().matchAll(WORD)].flatMap(([word]) => {
    const parts = word.split(/[@._-]+/).filter(Boolean);
    return parts.length > 1 ? [word, ...parts] : [word];
  });
}

/** Compiles a search term: words and "phrases" with AND, OR and AND NOT. Neighbouring words must all occur. `*` and `?` are wildcards. */
function compileTerm(find: string): Test {
  if (find.replace(/[*?"\s]/g, '').length < MIN_CHARACTERS) {
    throw failure(400, 'MALFORMED_SEARCH', 'search term must be longer than one character');
  }
  const tokens = find.match(/"[^"]*"|\S+/g) ?? [];
  const alternatives: Test[][] = [[]];
  let isNegated = false;
  for (const token of tokens) {
    const upper = token.toUpperCase();
    if (upper === 'OR') alternatives.push([]);
    else if (upper === 'NOT') isNegated = true;
    else if (upper !== 'AND') {
      const test = compilePhrase(token.replace(/"/g, ''));
      alternatives.at(-1)?.push(isNegated ? (words) => !test(words) : test);
      isNegated = false;
    }
  }
  return (words) => alternatives.some((tests) => tests.length > 0 && tests.every((test) => test(words)));
}

function compilePhrase(phrase: string): Test {
  const patterns = phrase.split(/\s+/).filter(Boolean).map(compileWord);
  return (words) => words.some((_, start) => patterns.every((pattern, i) => pattern.test(words[start + i] ?? '')));
}

function compileWord(word: string): RegExp {
  const source = word
    .toLowerCase()
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*/g, '.*')
    .replace(/\?/g, '.');
  return new RegExp(`^${source}$`, 'u');
}
