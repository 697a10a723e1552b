import { isConflict } from '../merge/overruled.ts';
import type { JournalEntry } from '../record/journal.ts';
import type { Plan, WritePlan } from '../record/plan.ts';

/** The journal's line of a decision. */
export function decisionLine(plan: Plan, trigger: string, at: string): JournalEntry {
  return {
    at,
    kind: 'decision',
    summary: { trigger, next: plan.next, reason: plan.reason, state: plan.stateAfter },
    decisions: plan.decisions,
  };
}

/**
 * The journal's line of a write that leaves, where one side's edit goes under by it; none elsewhere. Whether the write is ever answered
 * or not, somebody can read of the value that went.
 */
export function leaving(plan: WritePlan, at: string): { readonly journal?: readonly JournalEntry[] } {
  const decisions = plan.decisions.filter(isConflict);
  const summary = { next: plan.next, reason: plan.reason, state: plan.stateAfter };
  return decisions.length === 0 ? {} : { journal: [{ at, kind: 'decision', summary, decisions }] };
}

/** The journal's line of a remote write: what was decided, what was sent, what was answered. */
export function writeLine(
  plan: WritePlan,
  at: string,
  answer: string,
  traceId: string | null = null,
): JournalEntry {
  const fields = 'intent' in plan ? plan.intent.fields.join(' ') : null;
  return {
    at,
    kind: 'remote-write',
    summary: { next: plan.next, reason: plan.reason, fields, answer, traceId },
    decisions: plan.decisions,
  };
}

/** The journal's line of what was told, or not answered. */
export function stateLine(state: string, answer: string, at: string): JournalEntry {
  return { at, kind: 'state', summary: { state, answer }, decisions: [] };
}

/** The journal's line of a search for the other half of a deal. */
export function adoptionLine(at: string, summary: JournalEntry['summary']): JournalEntry {
  return { at, kind: 'adoption', summary, decisions: [] };
}
