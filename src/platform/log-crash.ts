import type { Logger } from './logger.ts';

/** The functions of `process` that `logCrash` uses. */
export interface CrashSource {
  on(event: 'uncaughtException', listener: (error: unknown) => void): unknown;
  exit(code: number): unknown;
}

/**
 * If an error is not caught, the process ends with one log line. Node itself would print the error's message, which may contain business
 * data.
 */
export function logCrash(log: Logger, source: CrashSource = process): void {
  source.on('uncaughtException', (err) => {
    log.error('an error was caught by nobody; the process ends', { err });
    source.exit(1);
  });
}
