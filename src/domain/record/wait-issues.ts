/** Texts for a record that is retried later. A message names the answer in codes and contains no value of the record. */
import type { Issue, IssueCode } from './issue.ts';

const SIDES = { vendor: 'The vendor', crm: 'Salesforce' } as const;
const WHY_TRIED = {
  passing: 'refuses the change for now',
  unknown: 'answered the change in a way that nobody documents',
} as const;

/** An instant to the second, for people. */
function shownInstant(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

export const WAIT_ISSUES = {
  /** `code`: the code of the answer; `since`, `retryAt`: ISO. */
  triedAgain: (
    side: 'vendor' | 'crm',
    waits: 'passing' | 'unknown',
    { code, since, retryAt }: { readonly code: string; readonly since: string; readonly retryAt: string },
  ): Issue => ({
    ...issue(
      'tried-again',
      null,
      `${SIDES[side]} ${WHY_TRIED[waits]} (${code}). The change waits, and is tried again at ${shownInstant(retryAt)}. Nobody has to act.`,
    ),
    since,
  }),
  /** For a limit of the org's automation, which no field of the record has caused. */
  automationLimit: (code: string, since: string, retryAt: string): Issue => ({
    ...issue(
      'tried-again',
      null,
      `The org's automation (triggers and flows) met a limit of Salesforce's while the change was saved (${code}). The change waits, and is tried again at ${shownInstant(retryAt)}.`,
    ),
    since,
  }),
  refusedAlone: (why: string, since: string, retryAt: string): Issue => ({
    ...issue(
      'refused-alone',
      null,
      `The other side refuses this record alone, and takes others (${why}). It was set aside, and is tried again at ${shownInstant(retryAt)}. Ask the vendor what its gateway has against it.`,
    ),
    since,
  }),
  noAnswer: (reason: string) =>
    issue(
      'no-answer',
      null,
      `Nothing but failures for more than an hour (${reason}). It is tried again a few times a day, and at once when anything changes.`,
    ),
} as const;

function issue(code: IssueCode, field: string | null, message: string): Issue {
  return { code, field, message };
}
