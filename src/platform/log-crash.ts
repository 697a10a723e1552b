import type { Logger } from './logger.ts';

/** The part of `process` that this needs. */
export interface CrashSource {
  on(event: 'uncaughtException', listener: (error: unknown) => void): unknown;
  exit(code: number): unknown;
}

/**
 * Has an error that nobody caught end the process with one line of the log: by itself Node prints all of it, the message and
 * every property, which may hold what a remote said.
 */
export function logCrash(log: Logger, source: CrashSource = process): void {
  source.on('uncaughtException', (err) => {
    log.error('an error was caught by nobody; the process ends', { err });
    source.exit(1);
  });
}
