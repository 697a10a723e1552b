import { movedFields } from '../base/under-mapping.ts';
import { sameValue, unsetOf } from '../mapping/index.ts';
import type { Base, GoingBack } from '../record/base.ts';
import type { FieldName } from '../record/canonical.ts';
import { UNDONE_VERDICTS } from '../record/field-decision.ts';
import { FIELDS } from '../record/fields.ts';
import type { JournalEntry } from '../record/journal.ts';
import type { Link } from '../record/link.ts';
import { directionOf, type MappingConfig } from '../record/mapping-config.ts';
import { type PastWork, type PastWrite, pastWork, type UndoScope } from './past-writes.ts';

/**
 * Why an undo does not restore a value. `changed-since`: a user or a later write has changed the value that Lockstep wrote.
 * `open-conflict`: a conflict in the field waits for a person. `one-way`: the mapping writes the field on one side only. `cannot-unset`:
 * the field was empty before the write, and a side cannot be emptied. `mapping-changed`: the mapping translates the field differently now.
 * `not-linked`: Lockstep does not sync the record any more.
 */
export type LeftBecause =
  | 'changed-since'
  | 'open-conflict'
  | 'one-way'
  | 'cannot-unset'
  | 'mapping-changed'
  | 'not-linked';

export const LEFT_MEANINGS: Readonly<Record<LeftBecause, string>> = {
  'changed-since': 'changed since, so the later value stays',
  'open-conflict': 'a conflict of the field waits for a person',
  'one-way': 'the mapping changes the field on one side only, so a user must set it back on the other',
  'cannot-unset': 'it was empty before, and a side cannot be emptied; a user must decide',
  'mapping-changed': 'the mapping of the field has changed since',
  'not-linked': 'the record is not synced any more',
};

/** The reasons that a person can remove. If an undo left a value for one of these reasons, the value can still be restored later. */
export const NEEDS_PERSON: ReadonlySet<LeftBecause> = new Set(['open-conflict', 'one-way', 'cannot-unset']);

/**
 * The values that an undo gives back to each side in one field. `differs`: the two sides get different values, because they differed before
 * the write.
 */
export type FieldBack = { readonly field: FieldName; readonly back: GoingBack; readonly differs: boolean };

/** What an undo does with one record: the fields that it restores, and the fields that it leaves with the reason. */
export type RecordUndo = {
  readonly fields: readonly FieldBack[];
  readonly left: readonly { readonly field: FieldName; readonly why: LeftBecause }[];
  /** Sides on which Lockstep created the record. The undo does not delete it there. */
  readonly created: PastWork['created'];
};

export type UndoOrder = {
  readonly scope: UndoScope;
  /** The fields to undo; all if absent. */
  readonly fields?: readonly FieldName[];
  /** An ISO instant: writes after it are not undone. Absent if there is no such limit. */
  readonly until?: string;
};

type Undoable = Pick<Link, 'state' | 'base' | 'crmId' | 'vendorId'>;

const NOT_LINKED: ReadonlySet<Link['state']> = new Set(['detached', 'superseded', 'vendor-missing', 'elsewhere']);

/**
 * The effect of an undo on one record. If Lockstep wrote a value and both sides still agree on it, each side gets back its value from
 * before the write. `lines`: the record's journal (log of decisions), oldest first. The result is computed from the link (pair of CRM
 * record and vendor record, as stored) and the journal alone. Both sides are read again before a value is written. Pure.
 */
export function undoOf(
  link: Undoable,
  lines: readonly JournalEntry[],
  { scope, fields: only, until }: UndoOrder,
  config: MappingConfig,
): RecordUndo {
  const { writes, created } = pastWork(until === undefined ? lines : lines.filter(({ at }) => at <= until), scope);
  const fields = [...new Set(writes.map(({ field }) => field))].filter((field) => only?.includes(field) ?? true);
  const { base } = link;
  if (base === null || link.crmId === null || link.vendorId === null || NOT_LINKED.has(link.state))
    return { fields: [], left: fields.map((field) => ({ field, why: 'not-linked' })), created };
  const outcomes = fields.map((field) => ({
    field,
    outcome: fieldUndo(
      writes.filter((one) => one.field === field),
      base,
      config,
    ),
  }));
  return {
    fields: outcomes.flatMap(({ field, outcome }) => (typeof outcome === 'object' ? [{ field, ...outcome }] : [])),
    left: outcomes.flatMap(({ field, outcome }) =>
      typeof outcome === 'string' && outcome !== 'as-before' ? [{ field, why: outcome }] : [],
    ),
    created,
  };
}

function fieldUndo(
  writes: readonly PastWrite[],
  base: Base,
  config: MappingConfig,
): Omit<FieldBack, 'field'> | LeftBecause | 'as-before' {
  const [first, last] = [writes[0] as PastWrite, writes.at(-1) as PastWrite];
  const { field } = first;
  const now = { crm: base.crm[field], vendor: base.vendor[field] };
  const same = (one: unknown, other: unknown): boolean =>
    sameValue(field, one ?? unsetOf(field), other ?? unsetOf(field), config);
  if (movedFields(base, config).includes(field)) return 'mapping-changed';
  if (base.held?.[field] !== undefined || base.ancestorUnknown?.includes(field)) return 'open-conflict';
  if (base.goingBack?.[field] !== undefined) return 'changed-since';
  const written = afterOf(last);
  if (!same(now.crm, written.crm) || !same(now.vendor, written.vendor)) return 'changed-since';
  const before = beforeOf(first);
  const back = {
    ...(same(before.crm, now.crm) ? {} : { crm: before.crm ?? unsetOf(field) }),
    ...(same(before.vendor, now.vendor) ? {} : { vendor: before.vendor ?? unsetOf(field) }),
  };
  if (Object.keys(back).length === 0) return 'as-before';
  const why = impossible(field, back, config);
  return why ?? { back, differs: !same(before.crm, before.vendor) };
}

type Sides = { readonly crm: unknown; readonly vendor: unknown };

/** The values that both sides still have if no user and no later write has changed them since this write. */
function afterOf({ side, after, decision }: PastWrite): Sides {
  return { ...shownAt(decision), [side]: after };
}

/**
 * The values of both sides at the time when a write was decided. If a side was not read for the decision, for example just after an own
 * write, its agreed value counts.
 */
function shownAt({ base, crm, vendor }: PastWrite['decision']): Sides {
  return { crm: crm === undefined ? base.crm : crm, vendor: vendor === undefined ? base.vendor : vendor };
}

/**
 * The values that both sides get when a write is undone. If the write copied an edit of one side to the other, both sides get the value
 * that was agreed before. If the sides had never agreed, or both had edited the field, each side gets its own value back.
 */
function beforeOf({ decision }: PastWrite): Sides {
  const { base, verdict, lines } = decision;
  const shown = shownAt(decision);
  const isContest = verdict === 'conflict-crm' || verdict === 'conflict-vendor' || lines !== undefined;
  if (isContest || UNDONE_VERDICTS.has(verdict)) return shown;
  return base.crm === undefined || base.vendor === undefined ? shown : base;
}

/** Why a side cannot get back the value that it had in the field before the write; null if it can. */
function impossible(field: FieldName, back: GoingBack, config: MappingConfig): LeftBecause | null {
  const direction = directionOf(field, config);
  const { clearable, crmRequired, fillsCrm } = FIELDS[field];
  const isUnset = (value: unknown): boolean => sameValue(field, value, unsetOf(field), config);
  if ('crm' in back && (direction === 'to-vendor' || fillsCrm)) return 'one-way';
  if ('vendor' in back && direction === 'to-crm') return 'one-way';
  if ('vendor' in back && isUnset(back.vendor) && !clearable) return 'cannot-unset';
  return 'crm' in back && isUnset(back.crm) && crmRequired ? 'cannot-unset' : null;
}
