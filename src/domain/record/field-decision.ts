import type { FieldName, OfferLine } from './canonical.ts';

export type FieldVerdict =
  | 'unchanged'
  | 'same' // at least one side changed the field, and both have the same value
  | 'to-vendor'
  | 'to-crm'
  | 'merged' // lines changed on both sides, and both get the merged list
  | 'conflict-crm' // changed on both sides; the CRM's value won, by a rule or by a user's choice
  | 'conflict-vendor'
  | 'conflict-held' // changed on both sides; waits for a user's choice
  | 'cleared' // the vendor kept removed rows of a list, so Lockstep empties the list there and then sends it again
  | 'undone-at-vendor' // an operator's undo gives the vendor an earlier value back
  | 'undone-in-crm'
  | 'withheld' // a change that is not sent: the other side has no code for it or refuses it, or the currencies differ
  | 'ignored' // a change that is not synced in this direction, or a sent value that the vendor did not apply
  | 'defaulted'; // the vendor filled in the value, and the CRM has none

/**
 * A conflict in one product line. Either both sides changed the same part of the line (amount or revenue type) to different values, or one
 * side deleted the line and the other changed it. `crm` or `vendor` is null for the side that deleted the line.
 */
export type LineConflict = {
  readonly winner: 'crm' | 'vendor';
  readonly crm: OfferLine | null;
  readonly vendor: OfferLine | null;
};

/** What was decided about a field and why, as the journal (log of decisions) stores it. The values are encrypted. */
export type FieldDecision = {
  readonly field: FieldName;
  readonly verdict: FieldVerdict;
  readonly rule: string;
  readonly base: { readonly crm: unknown; readonly vendor: unknown };
  readonly crm: unknown;
  readonly vendor: unknown;
  /** The lines in which a rule decided a conflict. Present only for offer lines, because lists of other fields are decided as a whole. */
  readonly lines?: readonly LineConflict[];
  /**
   * Only in the entry of a write in the journal (log of decisions): the value that Lockstep wrote, under the side that got it. If Lockstep
   * wrote the other side's value unchanged, this may be absent. The written value is then `vendor` of this decision for a write to the CRM,
   * and `crm` for a write to the vendor.
   */
  readonly wrote?: { readonly crm?: unknown; readonly vendor?: unknown };
};

/** The rule that the journal (log of decisions) names for a conflict that a user decided by picking a side on `Lockstep_Sync__c`. */
export const PICKED = 'picked by a person';

/** The rule that the journal (log of decisions) names for a field that an operator's undo restores. */
export const TAKEN_BACK = 'taken back by an operator';

/**
 * The rule that the journal (log of decisions) names for a field whose last agreed value is unknown, because the ledger (Lockstep's
 * database) was restored from a backup.
 */
export const LEDGER_RESTORED = 'the ledger was brought back';

/**
 * Rules under which a user decides a conflict. For other rules, Lockstep shows users the value that lost the conflict, so that they can
 * review it. Here it does not, because a user rejected that value.
 */
export const PERSONS_RULES: ReadonlySet<string> = new Set(['manual', PICKED]);

export const TO_CRM_VERDICTS: ReadonlySet<FieldVerdict> = new Set([
  'to-crm',
  'merged',
  'conflict-vendor',
  'undone-in-crm',
]);

/** Verdicts about fields for which an operator's undo still has to write the earlier value. */
export const UNDONE_VERDICTS: ReadonlySet<FieldVerdict> = new Set(['undone-at-vendor', 'undone-in-crm']);

/**
 * Verdicts about fields that need a second write after an update at the vendor. Usually, the second write goes to the CRM. After `cleared`,
 * it goes to the vendor: the first update emptied a list there, and the second update sends the list again.
 */
export const AGAIN_VERDICTS: ReadonlySet<FieldVerdict> = new Set([...TO_CRM_VERDICTS, 'cleared']);

/**
 * Verdicts about fields that still wait: for a write, or for a user's choice. For these fields, the base (last agreed values) keeps the
 * values from the last agreement.
 */
export const OPEN_VERDICTS: ReadonlySet<FieldVerdict> = new Set([
  'to-vendor',
  'to-crm',
  'merged',
  'conflict-crm',
  'conflict-vendor',
  'conflict-held',
  'cleared',
  'undone-at-vendor',
  'undone-in-crm',
  'withheld',
]);

/**
 * The rule that the journal (log of decisions) names for a vendor user's edit that is not synced, because changes of the field go only from
 * the CRM to the vendor.
 */
export const TO_VENDOR_ONLY = 'to the vendor only';
