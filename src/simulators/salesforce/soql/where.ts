import type { ConditionWithValueQuery, WhereClause } from '@jetstreamapp/soql-parser-js';
import type { Row } from '../store/store.ts';
import { malformed } from './parse.ts';

export type Predicate = (row: Row) => boolean;

type Token =
  | { readonly kind: '(' | ')' | 'AND' | 'OR' | 'NOT' }
  | { readonly kind: 'condition'; readonly condition: ConditionWithValueQuery };

/**
 * The predicate of a WHERE clause. `compile` gives the one of a single condition. As in Salesforce, AND and OR may
 * not be mixed without parentheses: MALFORMED_QUERY.
 */
export function compileWhere(
  where: WhereClause | undefined,
  compile: (condition: ConditionWithValueQuery) => Predicate,
): Predicate {
  if (where === undefined) return () => true;
  const tokens = flatten(where);
  let position = 0;

  function readGroup(): Predicate {
    const terms = [readTerm()];
    let operator: 'AND' | 'OR' | undefined;
    for (;;) {
      const next = tokens[position]?.kind;
      if (next !== 'AND' && next !== 'OR') break;
      if (operator !== undefined && operator !== next) throw malformed(`unexpected token: ${next}`);
      operator = next;
      position += 1;
      terms.push(readTerm());
    }
    if (operator === 'OR') return (row) => terms.some((term) => term(row));
    return (row) => terms.every((term) => term(row));
  }

  function readTerm(): Predicate {
    const token = tokens[position];
    position += 1;
    if (token?.kind === 'condition') return compile(token.condition);
    if (token?.kind === 'NOT') {
      const negated = readTerm();
      return (row) => !negated(row);
    }
    if (token?.kind !== '(') throw malformed('unexpected end of the WHERE clause');
    const group = readGroup();
    if (tokens[position]?.kind !== ')') throw malformed("expecting a right parentheses, found '<EOF>'");
    position += 1;
    return group;
  }

  const predicate = readGroup();
  if (position < tokens.length) throw malformed("unexpected token: ')'");
  return predicate;
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
