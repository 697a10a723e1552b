import type { ConditionWithValueQuery } from '@jetstreamapp/soql-parser-js';
import type { Row } from '../store/row.ts';
import type { WhereTree } from './where-tree.ts';

/** Whether a row, or a group of rows, satisfies a clause. */
export type Predicate<T = Row> = (subject: T) => boolean;

/** The predicate of a clause; always true without a clause. `compile` gives the predicate of one condition. */
export function compileWhere<T>(
  tree: WhereTree | null,
  compile: (condition: ConditionWithValueQuery) => Predicate<T>,
): Predicate<T> {
  if (tree === null) return () => true;
  if (tree.kind === 'condition') return compile(tree.condition);
  if (tree.kind === 'not') {
    const negated = compileWhere(tree.term, compile);
    return (subject) => !negated(subject);
  }
  const terms = tree.terms.map((term) => compileWhere(term, compile));
  if (tree.kind === 'or') return (subject) => terms.some((term) => term(subject));
  return (subject) => terms.every((term) => term(subject));
}
