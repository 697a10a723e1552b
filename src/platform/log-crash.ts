import type { Logger } from './logger.ts';

/** What `logCrash` needs of `process`. */
export interface CrashSource {
  on(event: 'uncaughtException', listener: (error: unknown) => void): unknown;
  exit(code: number): unknown;
}

/** Makes an uncaught error end the process with one log line, because Node would print its message, which may contain business data. */
export function logCrash(log: Logger, source: CrashSource = process): void {
  source.on('uncaughtException', (err) => {
    log.error('an error was caught by nobody; the process ends', { err });
    source.exit(1);
  });
}
