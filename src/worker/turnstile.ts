/** A function by which callers go on one after the other: the returned promise resolves when the caller may go on. */
export type Turnstile = () => Promise<void>;

/**
 * Makes a turnstile: in each turn of the event loop, it lets one caller go on, in the order of the calls. On a busy thread, activities then
 * end one after the other; otherwise all of them would end late. A caller waits at most `longestMs`.
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
