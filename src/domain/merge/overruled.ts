import type { Base, Overruled } from '../record/base.ts';
import type { FieldName } from '../record/canonical.ts';
import type { FieldDecision } from '../record/field-decision.ts';
import type { ChangeInterval } from './newest.ts';

type Changes = { readonly crmChange: ChangeInterval; readonly vendorChange: ChangeInterval };

/** Whether a rule let one side's edit go under. */
export function isOverruling({ verdict }: FieldDecision): boolean {
  return verdict === 'conflict-crm' || verdict === 'conflict-vendor';
}

/**
 * The base with what the rules have decided against: kept until the field is changed again on a side, whose edit then is
 * what counts.
 */
export function withOverruled(base: Base, decisions: readonly FieldDecision[], changes: Changes): Base {
  const { overruled = {}, ...rest } = base;
  const decided = new Set<string>(decisions.map(({ field }) => field));
  const kept = Object.entries(overruled).filter(([field]) => !decided.has(field));
  const added = decisions
    .filter(isOverruling)
    .map((item): [FieldName, Overruled] => [item.field, overruledBy(item, changes)]);
  const notes = [...kept, ...added];
  return notes.length === 0 ? rest : { ...rest, overruled: Object.fromEntries(notes) };
}

function overruledBy(
  { verdict, rule, crm, vendor }: FieldDecision,
  { crmChange, vendorChange }: Changes,
): Overruled {
  return {
    winner: verdict === 'conflict-crm' ? 'crm' : 'vendor',
    rule,
    crm,
    vendor,
    crmSavedAt: crmChange.until,
    vendorSavedAt: vendorChange.until,
  };
}
