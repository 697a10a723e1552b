/** How long a search that found nothing is not repeated, in ms. */
const AGAIN_MS = 10_000;

/**
 * Makes a function that calls `find` until it returns a result that is not null, at most every ten seconds, and from then on returns this
 * result without a call. The console uses it for the address of Temporal's UI: it may become known only later, and the search for it reads
 * files.
 */
export function onceFound<T>(find: () => T | null, nowMs = () => performance.now()): () => T | null {
  let found: T | null = null;
  let againMs = Number.NEGATIVE_INFINITY;
  return () => {
    if (found === null && nowMs() >= againMs) {
      againMs = nowMs() + AGAIN_MS;
      found = find();
    }
    return found;
  };
}
