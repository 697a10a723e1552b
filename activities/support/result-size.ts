import { failure } from './to-failure.ts';

/**
 * Bytes of JSON. Temporal takes no payload above 2 MiB, and the SDK (1.24.0) tries an activity whose result is larger again without
 * end; the rest is room for a payload codec.
 */
export const LARGEST_RESULT = 1_500_000;

/**
 * The result of an activity as it is, if Temporal takes its size. Throws a failure that is not retried, of type `BUG`, where it is
 * larger.
 */
export function withinResultSize<T>(activity: string, result: T): T {
  const bytes = result === undefined ? 0 : Buffer.byteLength(JSON.stringify(result));
  if (bytes <= LARGEST_RESULT) return result;
  const sentence = `${activity} returned ${bytes} bytes and Temporal takes at most ${LARGEST_RESULT}: return ids or a page instead`;
  throw failure('BUG', sentence, { nonRetryable: true });
}
