import { isConflict } from '../merge/overruled.ts';
import type { JournalEntry } from '../record/journal.ts';
import type { Plan, WritePlan } from '../record/plan.ts';
import type { LinkChange } from './change.ts';
import { withWritten } from './written.ts';

export function decisionLine(plan: Plan, trigger: string, at: string): JournalEntry {
  return {
    at,
    kind: 'decision',
    summary: { trigger, next: plan.next, reason: plan.reason, state: plan.stateAfter },
    decisions: plan.decisions,
  };
}

/**
 * The journal entry (in the log of decisions) of a write that overrules a user's edit; empty for other writes. It is stored before the
 * write is sent, so that the overruled value can be read even if no answer comes.
 */
export function leaving(plan: WritePlan, at: string): { readonly journal?: readonly JournalEntry[] } {
  const decisions = plan.decisions.filter(isConflict);
  const summary = { next: plan.next, reason: plan.reason, state: plan.stateAfter };
  return decisions.length === 0 ? {} : { journal: [{ at, kind: 'decision', summary, decisions }] };
}

/** The journal entry (in the log of decisions) of a write to a remote system: the decision, the sent fields and the answer. */
export function writeLine(plan: WritePlan, at: string, answer: string, traceId: string | null = null): JournalEntry {
  const fields = 'intent' in plan ? plan.intent.fields.join(' ') : null;
  return {
    at,
    kind: 'remote-write',
    summary: { next: plan.next, reason: plan.reason, fields, answer, traceId },
    decisions: withWritten(plan),
  };
}

/**
 * How a write changes the link (pair of CRM record and vendor record, with its state) if the remote system applied it as planned. `answer`:
 * the answer in a word, for the journal (log of decisions).
 */
export function applied(plan: WritePlan, at: string, answer: string, traceId: string | null = null): LinkChange {
  const journal = [writeLine(plan, at, answer, traceId)];
  return { outcome: answer, state: plan.stateAfter, base: plan.baseAfter, issues: plan.issues, journal };
}

/** The journal entry (in the log of decisions) of a report to CRM users or of a failure. It has no decisions about fields. */
export function stateLine(state: string, answer: string, at: string): JournalEntry {
  return { at, kind: 'state', summary: { state, answer }, decisions: [] };
}

/** The journal entry (in the log of decisions) of a search for a deal's record on the other side, and of its result. */
export function adoptionLine(at: string, summary: JournalEntry['summary']): JournalEntry {
  return { at, kind: 'adoption', summary, decisions: [] };
}
