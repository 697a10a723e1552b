import { expectedReadOf } from '../../domain/streams/read-at.ts';
import { POLLED_STREAMS, type StreamName } from '../../domain/streams/streams.ts';
import type { StreamRead } from '../../ledger/streams/stream-ledger.ts';
import { type StreamTenant, slowestCadenceOf } from '../../platform/stream-rhythm.ts';

/**
 * How many polling intervals a stream (source of changes) may be late before it counts as overdue. The interval is the one at which the
 * stream is read while it finds changes. This leaves time for a slow read and a few retries.
 */
const GRACE_TIMES = 2;
const LEAST_MS = 600_000;

/**
 * Streams (sources of changes) that are overdue: their last read is longer ago than a limit. The limit is `idleMs` plus two times
 * `everyMs`, but at least ten minutes. `everyMs` is the longest planned interval between two reads while the stream finds changes. `idleMs`
 * is the longest planned interval while it finds none. Streams that were never read are left out, and the first load of orders while an
 * operator has paused it. `now`: ISO.
 */
export function overdueStreams(
  tenant: StreamTenant,
  reads: readonly Pick<StreamRead, 'stream' | 'readAt'>[],
  now: string,
): readonly { readonly stream: StreamName; readonly readAt: string }[] {
  return POLLED_STREAMS.flatMap((stream) => {
    const readAt = expectedReadOf(stream, reads);
    if (readAt === undefined) return [];
    const { everyMs, idleMs } = slowestCadenceOf(tenant, stream);
    const limitMs = Math.max(LEAST_MS, idleMs + GRACE_TIMES * everyMs);
    return Date.parse(now) - Date.parse(readAt) > limitMs ? [{ stream, readAt }] : [];
  });
}
