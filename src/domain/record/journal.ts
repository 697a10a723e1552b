import type { FieldDecision } from './field-decision.ts';

/**
 * One line of a record's journal, with its time: a decision, a write, an adoption, a change of link or state, that an operator viewed
 * values, or that an operator ordered an undo.
 */
export type JournalEntry = {
  readonly at: string;
  readonly kind: 'decision' | 'remote-write' | 'adoption' | 'link' | 'state' | 'view' | 'undo';
  /** Trigger and reason codes, remote operation, outcome; no business values. */
  readonly summary: Readonly<Record<string, string | number | boolean | null>>;
  /** Values by field; the ledger encrypts them. */
  readonly decisions: readonly FieldDecision[];
};
