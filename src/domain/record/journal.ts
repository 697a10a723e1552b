import type { FieldDecision } from './field-decision.ts';

/**
 * One line of a record's journal. `kind` says whether it is about a decision, a write, a search for the counterpart on the other side
 * (`adoption`), or a change of the link or its state. Two kinds are about operators: one who viewed values, and an order to undo.
 */
export type JournalEntry = {
  readonly at: string;
  readonly kind: 'decision' | 'remote-write' | 'adoption' | 'link' | 'state' | 'view' | 'undo';
  /**
   * Facts about the event as codes and names: for example the trigger, the reason, the remote operation and the outcome. Contains no values
   * of the record.
   */
  readonly summary: Readonly<Record<string, string | number | boolean | null>>;
  /** The decision about each field, with values. The ledger encrypts it. */
  readonly decisions: readonly FieldDecision[];
};
