import type { Logger } from './logger.ts';

/** Writes Node's warnings as log lines. Node itself would print them as text between the lines, which programs could not parse. */
export function logNodeWarnings(log: Logger): void {
  process.removeAllListeners('warning');
  process.on('warning', (err) => log.warn('Node warns', { err }));
}
