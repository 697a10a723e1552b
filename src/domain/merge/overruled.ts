import { showsWinner } from '../lines/merge-line.ts';
import type { Base, Overruled } from '../record/base.ts';
import type { FieldName, OfferLine } from '../record/canonical.ts';
import { type FieldDecision, type LineConflict, PERSONS_RULES } from '../record/field-decision.ts';
import { listOf } from '../values/text.ts';
import { type Changes, crmChangeOf } from './newest.ts';

/**
 * Whether the decision was a conflict: both sides had edited the field or one of its lines, and one side's edit lost. A rule or a person
 * may have decided.
 */
export function isConflict({ verdict, lines }: FieldDecision): boolean {
  return verdict === 'conflict-crm' || verdict === 'conflict-vendor' || lines !== undefined;
}

/** Whether a rule decided a conflict in the whole field, so that one side's edit lost. False if a person decided. */
export function isOverruling({ verdict, rule }: FieldDecision): boolean {
  if (PERSONS_RULES.has(rule)) return false;
  return verdict === 'conflict-crm' || verdict === 'conflict-vendor';
}

/**
 * Adds to the base (last agreed values) the edits that lost a conflict by rule in these decisions, so that users can see them. The base
 * keeps such an edit until its field, or its line of the list, changes again.
 */
export function withOverruled(base: Base, decisions: readonly FieldDecision[], changes: Changes): Base {
  const { overruled = {}, ...rest } = base;
  const decided = new Set<string>(decisions.map(({ field }) => field));
  const kept = Object.entries(overruled).filter(([field]) => !decided.has(field));
  const added = decisions.flatMap((item): [FieldName, Overruled][] => {
    const note = noteOf(item, overruled[item.field], changes);
    return note === null ? [] : [[item.field, note]];
  });
  return withNotes(rest, [...kept, ...added]);
}

/** Removes from the base (last agreed values) the stored edits of these fields that lost a conflict by rule. */
export function withoutOverruled(base: Base, fields: readonly FieldName[]): Base {
  const { overruled, ...rest } = base;
  if (overruled === undefined) return base;
  const gone = new Set<string>(fields);
  return withNotes(
    rest,
    Object.entries(overruled).filter(([field]) => !gone.has(field)),
  );
}

/**
 * Adds overruled edits (edits that lost a conflict by rule) of these fields to the base (last agreed values), so that users can see them.
 * `sent`: the edits that lost to the values of one write. Lockstep calls this after a read has shown that the write was applied. Earlier
 * overruled edits of these fields are removed.
 */
export function withOverruledOf(base: Base, sent: Base['overruled'], fields: readonly FieldName[]): Base {
  const { overruled = {}, ...rest } = base;
  const isOfThem = ([field]: readonly [string, Overruled]): boolean => fields.includes(field as FieldName);
  return withNotes(rest, [
    ...Object.entries(overruled).filter((note) => !isOfThem(note)),
    ...Object.entries(sent ?? {}).filter(isOfThem),
  ]);
}

function withNotes(base: Omit<Base, 'overruled'>, notes: readonly (readonly [string, Overruled])[]): Base {
  return notes.length === 0 ? base : { ...base, overruled: Object.fromEntries(notes) };
}

function noteOf(item: FieldDecision, before: Overruled | undefined, changes: Changes): Overruled | null {
  const { field, verdict, rule, crm, vendor } = item;
  const savedAt = {
    crmSavedAt: crmChangeOf(field, changes).until,
    vendorSavedAt: changes.vendorChange.until,
  };
  if (isOverruling(item))
    return { winner: verdict === 'conflict-crm' ? 'crm' : 'vendor', rule, crm, vendor, ...savedAt };
  if (item.lines !== undefined && !PERSONS_RULES.has(rule)) return { lines: item.lines, rule, ...savedAt };
  if (verdict === 'withheld' || before === undefined || !('lines' in before)) return null;
  // Lockstep writes the halves of a merge of lines one after the other. So a conflict in a line is kept as long as the
  // list contains the line that won.
  const lines = before.lines.filter((line) => stands(line, item));
  return lines.length === 0 ? null : { ...before, lines };
}

function stands(conflict: LineConflict, item: FieldDecision): boolean {
  return listOf(item[conflict.winner]).some((line) => showsWinner(line as OfferLine, conflict));
}
