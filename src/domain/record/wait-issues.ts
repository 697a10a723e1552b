/** What is said of a record that is tried again later. A message names what was answered, in codes, and holds no value of the record. */
import type { Issue, IssueCode } from './issue.ts';

const SIDES = { vendor: 'The vendor', crm: 'Salesforce' } as const;
const WHY_TRIED = {
  passing: 'refuses the change for now',
  unknown: 'gave an unknown answer to the change',
} as const;

/** To the second, as people read it. */
function shownInstant(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

export const WAIT_ISSUES = {
  /** `code`: what was answered; `since`, `retryAt`: ISO. */
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
  /** The same where a limit of the org's automation was met: no field of the record is to blame. */
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

function issue(code: IssueCode, field: string | null, message: string): Issue {
  return { code, field, message };
}
