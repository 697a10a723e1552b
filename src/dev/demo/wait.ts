import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 250;

/** Something that was expected did not show itself in time; the message says what. */
export class NotSeen extends Error {
  override readonly name = 'NotSeen';
}

/**
 * Looks again and again until `look` gives something. Throws `NotSeen` with what was waited for when the limit is
 * over or the run is stopped.
 */
export async function waitFor<T>(
  what: string,
  look: () => Promise<T | null>,
  limits: { readonly limitMs: number; readonly signal: AbortSignal },
): Promise<T> {
  const until = performance.now() + limits.limitMs;
  while (performance.now() < until) {
    if (limits.signal.aborted) throw new NotSeen(`Stopped while waiting for this: ${what}.`);
    const seen = await look();
    if (seen !== null) return seen;
    await delay(POLL_MS, undefined, { signal: limits.signal }).catch(() => {});
  }
  throw new NotSeen(`Not seen within ${limits.limitMs / 1000} s: ${what}.`);
}
