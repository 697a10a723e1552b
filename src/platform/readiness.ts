import type { Logger } from './logger.ts';
import { sharedAnswer } from './shared-answer.ts';
import { withinTime } from './time-limit.ts';

export type ReadinessOptions = {
  /** The checks of the process's dependencies, by name. A check fails by throwing. */
  readonly checks: Readonly<Record<string, () => Promise<unknown>>>;
  readonly checkLimitMs?: number;
  readonly log: Logger;
  /** How often the checks run if no request needs them, in milliseconds. */
  readonly everyMs?: number;
};

export type Readiness = {
  /** The names of the checks that failed or timed out; empty when the process is ready. Never rejects. */
  failed(): Promise<readonly string[]>;
  close(): void;
};

const CHECK_LIMIT_MS = 2_000;
const POLL_EVERY_MS = 10_000;
/** How long the result of a check or a scrape is reused, in milliseconds. */
export const ANSWER_SERVES_MS = 1_000;

/**
 * Runs the readiness checks; requests within a second share one run. Logs when the process is no longer ready, and when it is ready again.
 * Before it was ready for the first time, failures are not logged.
 */
export function watchReadiness(options: ReadinessOptions): Readiness {
  const logOutage = outageLogger(options.log);
  const failed = sharedAnswer(async () => {
    const names = await failedChecks(options.checks, options.checkLimitMs ?? CHECK_LIMIT_MS);
    logOutage(names);
    return names;
  }, ANSWER_SERVES_MS);
  const timer = setInterval(() => void failed(), options.everyMs ?? POLL_EVERY_MS).unref();
  return { failed, close: () => clearInterval(timer) };
}

function outageLogger(log: Logger): (failed: readonly string[]) => void {
  let wasReady = false;
  let missing = '';
  return (failed) => {
    const names = failed.join(', ');
    if (names === '') {
      if (wasReady && missing !== '') log.info('ready again', { check: missing });
      wasReady = true;
    } else if (wasReady && names !== missing) {
      log.warn('not ready: it does not answer', { check: names });
    }
    missing = names;
  };
}

async function failedChecks(checks: ReadinessOptions['checks'], limitMs: number): Promise<readonly string[]> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => ({ name, passed: await passes(check, limitMs) })),
  );
  return results.filter((result) => !result.passed).map((result) => result.name);
}

async function passes(check: () => Promise<unknown>, limitMs: number): Promise<boolean> {
  try {
    await withinTime(check(), limitMs);
    return true;
  } catch {
    return false;
  }
}
