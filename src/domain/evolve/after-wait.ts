import type { Issue } from '../record/issue.ts';
import { ISSUES } from '../record/issues.ts';
import type { Link } from '../record/link.ts';
import { stateOf } from '../record/link-state.ts';
import { afterRefusal, notApplied } from './after-refusal.ts';
import type { LinkChange } from './change.ts';
import { stateLine, writeLine } from './journal-lines.ts';
import type { RefusedForNowOutcome, SetAsideOutcome } from './outcome.ts';
import { withSaid } from './refusal-words.ts';
import { later } from './retries.ts';
import { asksMeanwhile, nextRetry } from './retry-schedule.ts';

/**
 * How a temporary refusal of a write changes the link (pair of CRM record and vendor record, with its state). The write is sent again at
 * `retryAt`. `link`: the link before the write was sent. `at`: the present time, ISO.
 */
export function afterRefusedForNow(link: Link, outcome: RefusedForNowOutcome, at: string): LinkChange {
  const { plan, generation, waits, code, applied } = outcome;
  const since = sinceOf(link, TRIED) ?? (waits === 'passing' ? link.failingSince : null) ?? at;
  const retryAt = nextRetry(waits, since, at);
  if (retryAt === null) return afterLastTry(link, outcome, at);
  const issues = [...plan.issues, waitOf(outcome, { since, retryAt }, at)];
  return {
    ...(applied === 'no' ? notApplied(link, plan) : {}),
    outcome: `refused for now ${code}`,
    state: stateOf(issues),
    issues,
    retryAt,
    observedGeneration: generation,
    journal: [writeLine(plan, at, `refused for now ${code}`)],
  };
}

/**
 * The change of a link when the retry schedule of an undocumented answer is over, so that a person has to act. A write that the side may
 * have applied stays in doubt.
 */
function afterLastTry(link: Link, outcome: RefusedForNowOutcome, at: string): LinkChange {
  const { base, vendorInDoubt, ...refused } = afterRefusal(link, outcome, at);
  if (outcome.applied === 'unknown') return refused;
  return {
    ...refused,
    ...(base === undefined ? {} : { base }),
    ...(vendorInDoubt === undefined ? {} : { vendorInDoubt }),
  };
}

/**
 * The change of a link (pair of CRM record and vendor record, with its state) if a side refuses this record but accepts other records: the
 * record is parked (it waits for a person) and also retried later.
 */
export function afterSetAside(
  link: Pick<Link, 'issues' | 'generation'>,
  { why }: SetAsideOutcome,
  at: string,
): LinkChange {
  const since = sinceOf(link, ['refused-alone']) ?? at;
  const retryAt = nextRetry('unknown', since, at) ?? later(at, A_DAY_MS);
  const others = link.issues.filter(({ code }) => code !== 'refused-alone');
  return {
    state: 'parked',
    issues: [...others, ISSUES.refusedAlone(why, since, retryAt)],
    retryAt,
    vendorReadGeneration: link.generation,
    observedGeneration: link.generation,
    plansNothing: true,
    journal: [stateLine('parked', why, at)],
  };
}

const A_DAY_MS = 24 * 3_600_000;

/**
 * Codes of issues about writes that Lockstep sends again and again. A long wait changes the code from `tried-again` to `no-answer`, which
 * also asks a person to act. Both issues store in `since` when the write was first refused, so that the new issue keeps this time.
 */
const TRIED: readonly Issue['code'][] = ['tried-again', 'no-answer'];

function sinceOf({ issues }: Pick<Link, 'issues'>, codes: readonly Issue['code'][]): string | null {
  return issues.find(({ code, since }) => codes.includes(code) && since !== undefined)?.since ?? null;
}

function waitOf(
  { side, waits, code, isAutomation, said }: RefusedForNowOutcome,
  times: { readonly since: string; readonly retryAt: string },
  at: string,
): Issue {
  const { since, retryAt } = times;
  if (isAutomation) return withSaid(ISSUES.automationLimit(code, since, retryAt), side, said);
  const isAsked = asksMeanwhile(waits, since, at);
  const wait = isAsked ? { ...ISSUES.noAnswer(code), since } : ISSUES.triedAgain(side, waits, { code, since, retryAt });
  return withSaid(wait, side, said);
}
