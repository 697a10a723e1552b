import { type Issue, isOpen } from '../record/issue.ts';
import { ISSUES } from '../record/issues.ts';
import type { Link } from '../record/link.ts';
import { stateOf } from '../record/link-state.ts';
import type { LinkChange } from './change.ts';
import { stateLine } from './journal-lines.ts';
import type { UnansweredOutcome } from './outcome.ts';

const HOUR_MS = 3_600_000;
/**
 * The time, in ms, after which Lockstep tries a record with an open issue again. Lockstep retries because it may not learn in another way
 * that the cause is gone.
 */
const REVISIT_MS = 24 * HOUR_MS;
/**
 * The shortest and the longest wait, in ms, before the next retry of a record that keeps failing. Between these limits, the wait is as long
 * as the record has failed so far.
 */
const [FIRST_RETRY_MS, LAST_RETRY_MS] = [HOUR_MS, 8 * HOUR_MS];

/**
 * Parks a record (leaves it to a later retry) because all attempts on it have failed for a long time. Until the retry, which reads both
 * sides, the record does not count as due (waiting to be synced).
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
 * When the state of a link (pair of CRM record and vendor record) changes, sets the time of the automatic retry. If an issue was open
 * before and still is, a retry time in the future stays, so that frequent changes of the record do not postpone the retry again and again.
 * Without an open issue, there is no retry.
 */
export function retryAfter(link: Link, change: LinkChange, at: string): LinkChange {
  if (change.state === undefined || change.failingSince !== undefined) return {};
  const answered: LinkChange = link.failingSince === null ? {} : { failingSince: null };
  // The retry schedule of the refused write has already set the time.
  if (change.retryAt !== undefined) return answered;
  const issues = change.issues ?? link.issues;
  if (!isAnyOpen(issues)) return link.retryAt === null ? answered : { ...answered, retryAt: null };
  const isToCome =
    isAnyOpen(link.issues) &&
    link.failingSince === null &&
    link.retryAt !== null &&
    Date.parse(link.retryAt) > Date.parse(at);
  if (isToCome) return answered;
  if (!issues.some(isRevisited)) return link.retryAt === null ? answered : { ...answered, retryAt: null };
  return { ...answered, retryAt: later(at, REVISIT_MS) };
}

/**
 * Whether an open issue needs the daily retry. An issue about a CRM field that is hidden from the integration user does not need it.
 * Lockstep regularly reads which fields are visible, and syncs these records as soon as the field is visible.
 */
function isRevisited(issue: Issue): boolean {
  return isOpen(issue) && issue.code !== 'field-hidden';
}

function isAnyOpen(issues: readonly Issue[]): boolean {
  return issues.some(isOpen);
}

export function later(at: string, ms: number): string {
  return new Date(Date.parse(at) + ms).toISOString();
}
