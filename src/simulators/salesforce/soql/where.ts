import type { ConditionWithValueQuery, WhereClause } from '@jetstreamapp/soql-parser-js';
import type { Row } from '../store/row.ts';
import { malformed } from './parse.ts';

/** Whether a subject is let through: a row, or a group of rows. */
export type Predicate<T = Row> = (subject: T) => boolean;

type Token =
  | { readonly kind: '(' | ')' | 'AND' | 'OR' | 'NOT' }
  | { readonly kind: 'condition'; readonly condition: ConditionWithValueQuery };

/**
 * The predicate of a WHERE clause. `compile` gives the one of a single condition. As in Salesforce, AND and OR may
 * not be mixed without parentheses: MALFORMED_QUERY.
 */
export function compileWhere<T>(where: WhereClause | undefined, compile: Compile<T>): Predicate<T> {
  if (where === undefined) return () => true;
  const words = { tokens: flatten(where), position: 0 };
  const predicate = readGroup(words, compile);
  if (words.position < words.tokens.length) throw malformed("unexpected token: ')'");
  return predicate;
}

type Compile<T> = (condition: ConditionWithValueQuery) => Predicate<T>;

type Words = { readonly tokens: readonly Token[]; position: number };

/** Terms joined by one operator, up to a closing parenthesis or the end. */
function readGroup<T>(words: Words, compile: Compile<T>): Predicate<T> {
  const terms = [readTerm(words, compile)];
  let operator: 'AND' | 'OR' | undefined;
  for (;;) {
    const next = words.tokens[words.position]?.kind;
    if (next !== 'AND' && next !== 'OR') break;
    if (operator !== undefined && operator !== next) throw malformed(`unexpected token: ${next}`);
    operator = next;
    words.position += 1;
    terms.push(readTerm(words, compile));
  }
  if (operator === 'OR') return (subject) => terms.some((term) => term(subject));
  return (subject) => terms.every((term) => term(subject));
}

function readTerm<T>(words: Words, compile: Compile<T>): Predicate<T> {
  const token = words.tokens[words.position];
  words.position += 1;
  if (token?.kind === 'condition') return compile(token.condition);
  if (token?.kind === 'NOT') {
    const negated = readTerm(words, compile);
    return (subject) => !negated(subject);
  }
  if (token?.kind !== '(') throw malformed('unexpected end of the WHERE clause');
  const group = readGroup(words, compile);
  if (words.tokens[words.position]?.kind !== ')') {
    throw malformed("expecting a right parentheses, found '<EOF>'");
  }
  words.position += 1;
  return group;
}

/** The clause as the list of words it was written in; the parser gives it as a chain with counts of parentheses. */
function flatten(where: WhereClause): readonly Token[] {
  const tokens: Token[] = [];
  const parentheses = (kind: '(' | ')', count: number | undefined) => {
    for (let i = 0; i < (count ?? 0); i += 1) tokens.push({ kind });
  };
  let here: WhereClause | undefined = where;
  while (here !== undefined) {
    const { left } = here;
    parentheses('(', left?.openParen);
    if (left !== null && ('field' in left || 'fn' in left))
      tokens.push({ kind: 'condition', condition: left });
    parentheses(')', left !== null && 'closeParen' in left ? left.closeParen : 0);
    if (!('right' in here)) break;
    tokens.push({ kind: here.operator });
    here = here.right;
  }
  return tokens;
}
