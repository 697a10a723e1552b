import type { Logger } from '../platform/logger.ts';
import type { RefusalCode } from './refusals.ts';

/**
 * The period, in ms, in which at most one line is logged for each tenant and refusal code, so that repeated refusals do not fill the log.
 */
const ONE_LINE_MS = 1000;

/** Makes a function that logs refused requests. The field `count` of a line says how many requests were refused since the previous line. */
export function createRefusalLog(log: Logger, elapsedMs: () => number): (code: RefusalCode, tenant?: string) => void {
  const lines = new Map<string, { readonly atMs: number; readonly held: number }>();
  return (code, tenant) => {
    const of = `${code} ${tenant ?? ''}`;
    const { atMs, held } = lines.get(of) ?? { atMs: Number.NEGATIVE_INFINITY, held: 0 };
    const nowMs = elapsedMs();
    if (nowMs - atMs < ONE_LINE_MS) {
      lines.set(of, { atMs, held: held + 1 });
      return;
    }
    lines.set(of, { atMs: nowMs, held: 0 });
    log.warn('a webhook was refused', { code, count: held + 1, ...(tenant !== undefined && { tenant }) });
  };
}
