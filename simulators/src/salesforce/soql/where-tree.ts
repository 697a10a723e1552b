import type { ConditionWithValueQuery, WhereClause } from '@jetstreamapp/soql-parser-js';
import { notSimulated } from '../not-simulated.ts';
import { malformed } from './parse.ts';
import { type Clause, WrongJoint } from './pointer.ts';

/** A WHERE or HAVING clause as a tree of conditions and operators. */
export type WhereTree =
  | { readonly kind: 'condition'; readonly condition: ConditionWithValueQuery }
  | { readonly kind: 'not'; readonly term: WhereTree }
  | { readonly kind: 'and' | 'or'; readonly terms: readonly WhereTree[] };

type Token =
  | { readonly kind: '(' | ')' | 'AND' | 'OR' | 'NOT' }
  | { readonly kind: 'condition'; readonly condition: ConditionWithValueQuery };

/** A form that the parser loses, so that the query would be answered wrongly. */
export const LOST_NOT = 'NOT before another condition of HAVING';

type Words = { readonly tokens: readonly Token[]; readonly clause: Clause; position: number };

/** The tree of a clause; null if there is none. As in Salesforce, AND and OR may not be mixed without parentheses: MALFORMED_QUERY. */
export function readWhere(where: WhereClause | undefined, clause: Clause = 'WHERE'): WhereTree | null {
  if (where === undefined) return null;
  const words = { tokens: flatten(where), clause, position: 0 };
  const tree = readGroup(words);
  if (words.position < words.tokens.length) throw malformed("unexpected token: ')'");
  return tree;
}

/** Terms joined by one operator, up to a closing parenthesis or the end. */
function readGroup(words: Words): WhereTree {
  const first = readTerm(words);
  const terms = [first];
  let operator: 'AND' | 'OR' | undefined;
  for (;;) {
    const next = words.tokens[words.position]?.kind;
    if (next !== 'AND' && next !== 'OR') break;
    if (operator !== undefined && operator !== next) {
      throw new WrongJoint(next, words.clause, jointsBefore(words));
    }
    operator = next;
    words.position += 1;
    terms.push(readTerm(words));
  }
  if (operator === undefined) return first;
  return { kind: operator === 'OR' ? 'or' : 'and', terms };
}

function jointsBefore({ tokens, position }: Words): number {
  return tokens.slice(0, position).filter(({ kind }) => kind === 'AND' || kind === 'OR').length;
}

function readTerm(words: Words): WhereTree {
  const token = words.tokens[words.position];
  words.position += 1;
  if (token?.kind === 'condition') return token;
  if (token?.kind === 'NOT') return { kind: 'not', term: readTerm(words) };
  if (token?.kind !== '(') {
    // The parser loses a NOT of HAVING that another condition follows.
    if (words.clause === 'HAVING') throw notSimulated(LOST_NOT);
    throw malformed('unexpected end of the WHERE clause');
  }
  const group = readGroup(words);
  if (words.tokens[words.position]?.kind !== ')') {
    throw malformed("expecting a right parentheses, found '<EOF>'");
  }
  words.position += 1;
  return group;
}

/** The clause as a list of tokens. The parser gives a chain with counts of parentheses. */
function flatten(where: WhereClause): readonly Token[] {
  const tokens: Token[] = [];
  const parentheses = (kind: '(' | ')', count: number | undefined) => {
    for (let i = 0; i < (count ?? 0); i += 1) tokens.push({ kind });
  };
  let here: WhereClause | undefined = where;
  while (here !== undefined) {
    const { left } = here;
    parentheses('(', left?.openParen);
    if (left !== null && ('field' in left || 'fn' in left)) tokens.push({ kind: 'condition', condition: left });
    parentheses(')', left !== null && 'closeParen' in left ? left.closeParen : 0);
    if (!('right' in here)) break;
    tokens.push({ kind: here.operator });
    here = here.right;
  }
  return tokens;
}
