import type { Logger } from './logger.ts';

/** Has Node's warnings written as lines of ours: by itself Node prints them as text, between lines that programs read. */
export function logNodeWarnings(log: Logger): void {
  process.removeAllListeners('warning');
  process.on('warning', (err) => log.warn('Node warns', { err }));
}
