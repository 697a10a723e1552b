import type { FieldDecision } from './field-decision.ts';

/**
 * One line of a record's journal: a decision, a write, a search for the counterpart (adoption), a change of link or state, an operator who
 * looked at values, or an operator's order to undo.
 */
export type JournalEntry = {
  readonly at: string;
  readonly kind: 'decision' | 'remote-write' | 'adoption' | 'link' | 'state' | 'view' | 'undo';
  /** The trigger, the reason, the remote operation and the outcome, as codes and names, without values of the record. */
  readonly summary: Readonly<Record<string, string | number | boolean | null>>;
  /** Values by field; the ledger encrypts them. */
  readonly decisions: readonly FieldDecision[];
};
