import type { Base } from '../record/base.ts';
import type { FieldName } from '../record/canonical.ts';
import { type FieldDecision, TO_CRM_VERDICTS } from '../record/field-decision.ts';
import { FIELD_NAMES } from '../record/fields.ts';
import type { JournalEntry } from '../record/journal.ts';
import type { WritePlan } from '../record/plan.ts';
import type { Outcome } from './outcome.ts';

/**
 * The decisions of a write, for its entry in the journal (log of decisions). A decision about a written field also gets the written value.
 * It does not get this value if it is equal to the value on the side that was not written, because the decision already contains that one.
 */
export function withWritten(plan: WritePlan): readonly FieldDecision[] {
  return plan.decisions.map((decision) => {
    if ('intent' in plan) {
      const { fields, record } = plan.intent;
      return fields.includes(decision.field) ? noting(decision, 'vendor', record[decision.field]) : decision;
    }
    return TO_CRM_VERDICTS.has(decision.verdict)
      ? noting(decision, 'crm', plan.baseAfter.crm[decision.field])
      : decision;
  });
}

function noting(decision: FieldDecision, side: 'crm' | 'vendor', value: unknown): FieldDecision {
  const source = side === 'vendor' ? decision.crm : decision.vendor;
  return textOf(value) === textOf(source) ? decision : { ...decision, wrote: { [side]: value } };
}

/** A value as a text that can be compared, without the ids of CRM lines and CRM accounts, because the vendor does not have these. */
function textOf(value: unknown): string | undefined {
  return JSON.stringify(value, (name, part) => (name === 'crmLineId' || name === 'crmAccountId' ? undefined : part));
}

/**
 * Types of outcomes whose base (last agreed values) may show that an unanswered write was applied: its sent values have become agreed
 * values. For other outcomes, the journal (log of decisions) gets no entry about such a write.
 */
const RESOLVING: ReadonlySet<Outcome['type']> = new Set([
  'decided',
  'vendor-echoed',
  'update-sending',
  'crm-write-sending',
]);

const SIDES = ['vendor', 'crm'] as const;

/**
 * Entries in the journal (log of decisions) for writes whose answers were lost, once a read has shown that they were applied. Without these
 * entries, the journal would not say which values the writes replaced.
 */
export function seenWrites(
  before: Base | null,
  after: Base | null | undefined,
  type: Outcome['type'],
  at: string,
): readonly JournalEntry[] {
  if (before === null || after === null || after === undefined || !RESOLVING.has(type)) return [];
  return SIDES.flatMap((side): readonly JournalEntry[] => {
    const decisions = FIELD_NAMES.flatMap((field) => seenIn(before, after, side, field));
    const next = side === 'vendor' ? 'update-at-vendor' : 'write-crm';
    const fields = decisions.map(({ field }) => field).join(' ');
    const summary = { next, reason: 'its answer was lost', fields, answer: 'seen by a reading', traceId: null };
    return decisions.length === 0 ? [] : [{ at, kind: 'remote-write', summary, decisions }];
  });
}

function seenIn(before: Base, after: Base, side: 'crm' | 'vendor', field: FieldName): readonly FieldDecision[] {
  const { sent = [] } = (side === 'vendor' ? before.inDoubtVendorWrites : before.inDoubtCrmWrites) ?? {};
  const known = before[side][field];
  const now = after[side][field];
  const write = sent.findLast((one) => one[side][field] !== undefined && textOf(one[side][field]) === textOf(now));
  if (write === undefined || now === undefined || textOf(now) === textOf(known)) return [];
  const note = write.overruled?.[field];
  // If the write overruled a user's edit, the side showed the edited value before the write, and not the last agreed
  // value.
  const shown = note !== undefined && 'winner' in note && note.winner !== side ? note[side] : known;
  const [crm, vendor] = side === 'vendor' ? [after.crm[field], shown] : [shown, after.vendor[field]];
  return [
    {
      ...{ field, verdict: side === 'vendor' ? 'to-vendor' : 'to-crm', rule: 'its answer was lost' },
      ...{ base: { crm: before.crm[field], vendor: before.vendor[field] }, crm, vendor, wrote: { [side]: now } },
    },
  ];
}
