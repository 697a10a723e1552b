/**
 * Makes a function that runs `work` at most once at a time. Callers during a run, or within `servesMs` after it, share its result, so that
 * a flood of calls costs only one run.
 */
export function sharedAnswer<T>(work: () => Promise<T>, servesMs: number): () => Promise<T> {
  let latest: Promise<T> | null = null;
  const forget = (): void => {
    latest = null;
  };
  return () => {
    if (latest === null) {
      latest = work();
      void latest.catch(() => undefined).then(() => setTimeout(forget, servesMs).unref());
    }
    return latest;
  };
}
