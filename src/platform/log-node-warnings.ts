import type { Logger } from './logger.ts';

/** Writes Node's warnings as log lines. Node itself prints them as text between lines that programs parse. */
export function logNodeWarnings(log: Logger): void {
  process.removeAllListeners('warning');
  process.on('warning', (err) => log.warn('Node warns', { err }));
}
