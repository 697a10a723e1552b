/** Lets callers through one after the other. */
export type Turnstile = () => Promise<void>;

/**
 * Lets one caller through in each turn of the event loop, in order; nobody waits longer than `longestMs`. What many activities do in many
 * turns then ends one by one: started together on a busy thread, they would all end together, and late.
 */
export function createTurnstile(longestMs: number): Turnstile {
  const waiting = new Set<() => void>();
  const next = (): void => {
    const [first] = waiting;
    first?.();
    if (waiting.size > 0) setImmediate(next);
  };
  return () =>
    new Promise((resolve) => {
      const pass = (): void => {
        clearTimeout(timer);
        waiting.delete(pass);
        resolve();
      };
      const timer = setTimeout(pass, longestMs);
      waiting.add(pass);
      if (waiting.size === 1) setImmediate(next);
    });
}
