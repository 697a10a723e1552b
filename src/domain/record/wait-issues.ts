/**
 * Messages about a record that Lockstep retries later. A message names the answer of Salesforce or the vendor by its codes, and contains no
 * value of the record.
 */
import { type Issue, issue } from './issue.ts';

const SIDES = { vendor: 'The vendor', crm: 'Salesforce' } as const;
const WHY_TRIED = {
  passing: 'refuses the change for now',
  unknown: 'gave an unknown answer to the change',
} as const;

/** A time as messages show it, such as `2026-01-31 09:30:00 UTC`. */
function shownInstant(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

export const WAIT_ISSUES = {
  /**
   * The issue about a refused write that Lockstep will send again. `side`: the side that refused; `waits`: `passing` if the side said that
   * the refusal is temporary, `unknown` if its answer is undocumented; `code`: the code of its answer; `since`: when it first refused the
   * write, ISO; `retryAt`: when Lockstep sends the write again, ISO.
   */
  triedAgain: (
    side: 'vendor' | 'crm',
    waits: 'passing' | 'unknown',
    { code, since, retryAt }: { readonly code: string; readonly since: string; readonly retryAt: string },
  ): Issue => ({
    ...issue(
      'tried-again',
      null,
      `${SIDES[side]} ${WHY_TRIED[waits]} (${code}): you need do nothing, Lockstep tries again at ${shownInstant(retryAt)}.`,
    ),
    since,
  }),
  /**
   * The issue about a write during which the org's own automation, such as flows and triggers, exceeded a limit of Salesforce. No field of
   * the record is the cause.
   */
  automationLimit: (code: string, since: string, retryAt: string): Issue => ({
    ...issue(
      'tried-again',
      null,
      `The triggers and flows of the org reached a limit of Salesforce while the change was saved (${code}): Lockstep tries again at ${shownInstant(retryAt)}.`,
    ),
    since,
  }),
  refusedAlone: (why: string, since: string, retryAt: string): Issue => ({
    ...issue(
      'refused-alone',
      null,
      `The other side refuses this deal and accepts others (${why}): ask the vendor why its gateway refuses it; Lockstep tries again at ${shownInstant(retryAt)}.`,
    ),
    since,
  }),
  noAnswer: (reason: string) =>
    issue(
      'no-answer',
      null,
      `Every try has failed for more than an hour (${reason}): Lockstep tries again a few times a day, and at once when the deal changes.`,
    ),
} as const;
