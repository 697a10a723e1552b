import type { FieldName, OfferLine } from './canonical.ts';

export type FieldVerdict =
  | 'unchanged'
  | 'same' // both sides changed to the same value
  | 'to-vendor'
  | 'to-crm'
  | 'merged' // lines changed on both sides, and both get the merged list
  | 'conflict-crm' // changed on both sides; the CRM's value won by rule
  | 'conflict-vendor'
  | 'conflict-held' // changed on both sides; waits for a person
  | 'cleared' // a list that is sent anew once the vendor has none of it
  | 'withheld' // changed in the CRM, and not sendable now (no code, forecast matrix, not clearable)
  | 'ignored' // changed at a side whose changes of this field do not travel
  | 'defaulted';

/** A line of which both sides changed one value differently, which alone tells the two apart; null where it was deleted. */
export type LineConflict = {
  readonly winner: 'crm' | 'vendor';
  readonly crm: OfferLine | null;
  readonly vendor: OfferLine | null;
};

/** One row of the journal: why a field holds its value. Values are sealed by the ledger. */
export type FieldDecision = {
  readonly field: FieldName;
  readonly verdict: FieldVerdict;
  readonly rule: string;
  readonly base: { readonly crm: unknown; readonly vendor: unknown };
  readonly crm: unknown;
  readonly vendor: unknown;
  /** Of lines that are merged one by one, those that a rule had to decide. */
  readonly lines?: readonly LineConflict[];
};

/** The rule of a conflict that a person has decided on the CRM's child record. */
export const PICKED = 'picked by a person';

/** The rule of a field of which a ledger that was brought back cannot tell what is the newer value. */
export const LEDGER_RESTORED = 'the ledger was brought back';

/** Rules by which no machine decides: what a person has not chosen was not overruled. */
export const PERSONS_RULES: ReadonlySet<string> = new Set(['manual', PICKED]);

/** Verdicts by which the CRM is given a value. */
export const TO_CRM_VERDICTS: ReadonlySet<FieldVerdict> = new Set(['to-crm', 'merged', 'conflict-vendor']);

/** Verdicts after which another write is to follow an update at the vendor. */
export const AGAIN_VERDICTS: ReadonlySet<FieldVerdict> = new Set([...TO_CRM_VERDICTS, 'cleared']);

/** Verdicts that need a write or a person: the base keeps what was agreed before. */
export const OPEN_VERDICTS: ReadonlySet<FieldVerdict> = new Set([
  'to-vendor',
  'to-crm',
  'merged',
  'conflict-crm',
  'conflict-vendor',
  'conflict-held',
  'cleared',
  'withheld',
]);
