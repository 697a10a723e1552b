import { LOAD_PAUSE } from './orders-load.ts';
import { cursorOf, type StreamName } from './streams.ts';

/**
 * When a stream (regular read of changed rows) was last read; undefined if never. Some streams have a cursor for each of several objects.
 * The result is then the earliest time of these cursors.
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

/**
 * When a stream (regular read of changed rows) was last read. Undefined if it was never read, or if an operator has paused it, because then
 * no read is expected.
 */
export function expectedReadOf(
  stream: StreamName,
  reads: readonly { readonly stream: string; readonly readAt: string }[],
): string | undefined {
  const isPaused = stream === 'loadOrders' && reads.some((one) => one.stream === LOAD_PAUSE);
  return isPaused ? undefined : readOf(stream, reads);
}
