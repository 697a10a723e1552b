import type { Logger } from './logger.ts';

/** The functions of `process` that `logCrash` uses. */
export interface CrashSource {
  on(event: 'uncaughtException', listener: (error: unknown) => void): unknown;
  exit(code: number): unknown;
}

/**
 * Makes the process end with one log line if an error is not caught. Node itself would print the error's message, which may contain
 * business data.
 */
export function logCrash(log: Logger, source: CrashSource = process): void {
  source.on('uncaughtException', (err) => {
    log.error('an error was caught by nobody; the process ends', { err });
    source.exit(1);
  });
}
