import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 250;

/** An expected change was not seen in time; the message names it. */
export class NotSeen extends Error {
  override readonly name = 'NotSeen';
}

/** Polls until `look` returns a value. Throws `NotSeen`, naming `what`, at the time limit or when the run is stopped. */
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
