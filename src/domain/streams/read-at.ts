import { LOAD_PAUSE } from './orders-load.ts';
import { cursorOf, type StreamName } from './streams.ts';

/**
 * When a stream was last read; undefined if never. If a stream has a cursor for each of several objects, the result is the earliest of
 * their times.
 */
export function readOf(
  stream: StreamName,
  reads: readonly { readonly stream: string; readonly readAt: string }[],
): string | undefined {
  const [own, part] = [cursorOf(stream), cursorOf(stream, '')];
  let earliest: string | undefined;
  // Must be fast, because it runs for each stream of each tenant at every scrape of the metrics.
  for (const { stream: cursor, readAt } of reads) {
    const isOwn = cursor === own || cursor.startsWith(part);
    if (isOwn && (earliest === undefined || readAt < earliest)) earliest = readAt;
  }
  return earliest;
}

/** Like `readOf`, but also undefined if an operator has paused the stream, because then no read is expected. */
export function expectedReadOf(
  stream: StreamName,
  reads: readonly { readonly stream: string; readonly readAt: string }[],
): string | undefined {
  const isPaused = stream === 'loadOrders' && reads.some((one) => one.stream === LOAD_PAUSE);
  return isPaused ? undefined : readOf(stream, reads);
}
