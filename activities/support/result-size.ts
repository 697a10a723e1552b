import { failure } from './to-failure.ts';

/**
 * The maximum size of an activity's result, in bytes of JSON. Temporal accepts payloads up to 2 MiB, and the SDK (1.24.0) retries a larger
 * result forever.
 */
export const LARGEST_RESULT = 1_500_000;

/** Returns an activity's result if Temporal accepts its size. Otherwise throws a non-retryable failure of type `BUG`. */
export function withinResultSize<T>(activity: string, result: T): T {
  const bytes = result === undefined ? 0 : Buffer.byteLength(JSON.stringify(result));
  if (bytes <= LARGEST_RESULT) return result;
  const sentence = `${activity} returned ${bytes} bytes and Temporal takes at most ${LARGEST_RESULT}: return ids or a page instead`;
  throw failure('BUG', sentence, { nonRetryable: true });
}
