import type { ShutdownSource } from '../../src/platform/shutdown.ts';

const SAME_REQUEST_MS = 2000;

/**
 * Merges stop requests within two seconds into one. A single Ctrl-C arrives from the terminal, from npm and from the bootstrap; only a
 * user's second Ctrl-C means "at once".
 */
export function stopRequests(source: ShutdownSource, nowMs: () => number): ShutdownSource {
  const wrapped = new Map<unknown, (...args: unknown[]) => void>();
  let lastMs = Number.NEGATIVE_INFINITY;
  return {
    on: (event, listener) => {
      const once = (...args: unknown[]) => {
        if (nowMs() - lastMs < SAME_REQUEST_MS) return;
        lastMs = nowMs();
        listener(...args);
      };
      wrapped.set(listener, once);
      return source.on(event, once);
    },
    off: (event, listener) => source.off(event, wrapped.get(listener) ?? listener),
    exit: (code) => source.exit(code),
  };
}
