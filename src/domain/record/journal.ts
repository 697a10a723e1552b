import type { FieldDecision } from './field-decision.ts';

/**
 * One line of a record's journal (log of decisions). `kind` says whether it is about a decision, a write, a search for the counterpart on
 * the other side (`adoption`), or a change of the link (the pair of CRM record and vendor record) or of its state. `view`: an operator
 * viewed values. `undo`: an operator ordered an undo.
 */
export type JournalEntry = {
  readonly at: string;
  readonly kind: 'decision' | 'remote-write' | 'adoption' | 'link' | 'state' | 'view' | 'undo';
  /**
   * Facts about the event as codes and names: for example the trigger, the reason, the remote operation and the outcome. Contains no values
   * of the record.
   */
  readonly summary: Readonly<Record<string, string | number | boolean | null>>;
  /** The decision about each field, with values. The ledger (Lockstep's database) encrypts the values. */
  readonly decisions: readonly FieldDecision[];
};
