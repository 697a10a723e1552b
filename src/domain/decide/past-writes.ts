import type { FieldName } from '../record/canonical.ts';
import type { FieldDecision, FieldVerdict } from '../record/field-decision.ts';
import type { JournalEntry } from '../record/journal.ts';

/** Which past writes an undo takes back. */
export type UndoScope =
  /** The last change of one record: its newest write, and all writes within the minute before the newest write. */
  | { readonly of: 'last' }
  /** All writes since an instant, ISO. */
  | { readonly of: 'since'; readonly since: string }
  /** The writes of a backfill, by its number. */
  | { readonly of: 'backfill'; readonly backfill: number };

/** One write of one field to one side that was applied, from the journal (log of decisions). */
export type PastWrite = {
  readonly at: string;
  readonly side: 'crm' | 'vendor';
  readonly field: FieldName;
  readonly decision: FieldDecision;
  /** The value of the field on the written side after the write. */
  readonly after: unknown;
};

/** The writes that an undo finds in the journal (log of decisions) of one record, oldest first. */
export type PastWork = {
  readonly writes: readonly PastWrite[];
  /** The sides on which Lockstep created the record. An undo does not delete the record there. */
  readonly created: readonly ('crm' | 'vendor')[];
};

const APPLIED: ReadonlySet<unknown> = new Set(['updated', 'written', 'seen by a reading']);
const CREATED: ReadonlySet<unknown> = new Set(['created', 'found in the CRM', 'duplicate ERR801']);
const LAST_MS = 60_000;

const TO_VENDOR: ReadonlySet<FieldVerdict> = new Set([
  'to-vendor',
  'conflict-crm',
  'merged',
  'cleared',
  'undone-at-vendor',
]);
const TO_CRM: ReadonlySet<FieldVerdict> = new Set(['to-crm', 'conflict-vendor', 'merged', 'undone-in-crm']);

/**
 * The writes of a record that an undo takes back. `lines`: all entries of the record's journal (log of decisions), oldest first. `scope`:
 * which writes the operator chose.
 */
export function pastWork(lines: readonly JournalEntry[], scope: UndoScope): PastWork {
  const written = lines.filter(({ kind, summary }) => kind === 'remote-write' && isDone(summary['answer']));
  const chosen = chosenOf(lines, written, scope);
  return {
    writes: chosen.filter(({ summary }) => APPLIED.has(summary['answer'])).flatMap(writesOf),
    created: chosen.filter(({ summary }) => CREATED.has(summary['answer'])).map(sideOf),
  };
}

function isDone(answer: unknown): boolean {
  return APPLIED.has(answer) || CREATED.has(answer);
}

function chosenOf(
  lines: readonly JournalEntry[],
  written: readonly JournalEntry[],
  scope: UndoScope,
): readonly JournalEntry[] {
  switch (scope.of) {
    case 'since':
      return written.filter(({ at }) => at >= scope.since);
    case 'backfill':
      return written.filter(({ summary }) => summary['backfill'] === scope.backfill);
    case 'last': {
      const last = written.at(-1);
      if (last === undefined) return [];
      // An undo is a separate change. So the last change contains only writes since the last order to undo.
      const ordered = lines.findLast(({ kind, at }) => kind === 'undo' && at <= last.at)?.at ?? '';
      const since = new Date(Date.parse(last.at) - LAST_MS).toISOString();
      return written.filter(({ at }) => at >= since && at >= ordered);
    }
  }
}

function sideOf({ summary }: JournalEntry): 'crm' | 'vendor' {
  return summary['next'] === 'update-at-vendor' || summary['next'] === 'create-at-vendor' ? 'vendor' : 'crm';
}

function writesOf(line: JournalEntry): readonly PastWrite[] {
  const side = sideOf(line);
  const verdicts = side === 'vendor' ? TO_VENDOR : TO_CRM;
  const sent = typeof line.summary['fields'] === 'string' ? line.summary['fields'].split(' ') : null;
  return line.decisions
    .filter(({ field, verdict }) => verdicts.has(verdict) && (sent === null || sent.includes(field)))
    .map((decision) => {
      const { field, wrote, crm, vendor } = decision;
      const source = side === 'vendor' ? crm : vendor;
      // If the entry in the journal (log of decisions) says that null was written, the value is null and not the other
      // side's value.
      const after = wrote !== undefined && side in wrote ? wrote[side] : source;
      return { at: line.at, side, field, decision, after };
    });
}
