import { type Issue, isOpen } from '../record/issue.ts';
import { ISSUES } from '../record/issues.ts';
import type { Link } from '../record/link.ts';
import { stateOf } from '../record/link-state.ts';
import type { LinkChange } from './change.ts';
import { stateLine } from './journal-lines.ts';
import type { UnansweredOutcome } from './outcome.ts';

const HOUR_MS = 3_600_000;
/** What waits for somebody is looked at again so much later, because its cause may have gone where nobody sees it. */
const REVISIT_MS = 24 * HOUR_MS;
/** A record that fails again and again is tried after as long again as it has failed by now, within these. */
const [FIRST_RETRY_MS, LAST_RETRY_MS] = [HOUR_MS, 8 * HOUR_MS];

/**
 * Nothing but failures for so long: the record is parked with the cause. What is due is done until then, marks of the
 * vendor included: what is open makes the next look observe both sides.
 */
export function afterSilence(
  { issues: before, generation }: Link,
  { failingSince, reason }: UnansweredOutcome,
  at: string,
): LinkChange {
  const issues = [...before.filter(({ code }) => code !== 'no-answer'), ISSUES.noAnswer(reason)];
  const state = stateOf(issues);
  const waitMs = Math.min(LAST_RETRY_MS, Math.max(FIRST_RETRY_MS, Date.parse(at) - Date.parse(failingSince)));
  return {
    state,
    issues,
    failingSince,
    retryAt: later(at, waitMs),
    vendorReadGeneration: generation,
    observedGeneration: generation,
    plansNothing: true,
    journal: [stateLine(state, reason, at)],
  };
}

/**
 * When a record is looked at again by itself, after a change that says where it stands. What is open keeps its time, unless
 * that has come.
 */
export function retryAfter(link: Link, change: LinkChange, at: string): LinkChange {
  if (change.state === undefined || change.failingSince !== undefined) return {};
  const answered: LinkChange = link.failingSince === null ? {} : { failingSince: null };
  // By its own retry schedule.
  if (change.retryAt !== undefined) return answered;
  if (!isAnyOpen(change.issues ?? link.issues))
    return link.retryAt === null ? answered : { ...answered, retryAt: null };
  const isToCome =
    isAnyOpen(link.issues) &&
    link.failingSince === null &&
    link.retryAt !== null &&
    Date.parse(link.retryAt) > Date.parse(at);
  return isToCome ? answered : { ...answered, retryAt: later(at, REVISIT_MS) };
}

function isAnyOpen(issues: readonly Issue[]): boolean {
  return issues.some(isOpen);
}

function later(at: string, ms: number): string {
  return new Date(Date.parse(at) + ms).toISOString();
}
