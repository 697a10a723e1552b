import { LOAD_PAUSE } from './orders-load.ts';
import { cursorOf, type StreamName } from './streams.ts';

/** When a stream was read, the earliest of its cursors, of which a sweep has one for each object; undefined where it was never begun. */
export function readOf(
  stream: StreamName,
  reads: readonly { readonly stream: string; readonly readAt: string }[],
): string | undefined {
  const [own, part] = [cursorOf(stream), cursorOf(stream, '')];
  let earliest: string | undefined;
  // Asked for each stream of each tenant at every scrape.
  for (const { stream: cursor, readAt } of reads) {
    const isOwn = cursor === own || cursor.startsWith(part);
    if (isOwn && (earliest === undefined || readAt < earliest)) earliest = readAt;
  }
  return earliest;
}

/** The same of one that is to be read: undefined too where a person has it paused. */
export function expectedReadOf(
  stream: StreamName,
  reads: readonly { readonly stream: string; readonly readAt: string }[],
): string | undefined {
  const isPaused = stream === 'loadOrders' && reads.some((one) => one.stream === LOAD_PAUSE);
  return isPaused ? undefined : readOf(stream, reads);
}
