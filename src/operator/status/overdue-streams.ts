import { expectedReadOf } from '../../domain/streams/read-at.ts';
import { STREAM_NAMES, type StreamName } from '../../domain/streams/streams.ts';
import type { StreamRead } from '../../ledger/streams/stream-ledger.ts';
import { cadenceOf, type StreamTenant } from '../../platform/stream-rhythm.ts';

/** A read may take its time, fail a few times and be tried again. */
const GRACE_TIMES = 2;
const LEAST_MS = 600_000;

/**
 * The tenant's streams that were begun and have not been read for their longest time between two looks and two times their rhythm, ten minutes at least,
 * each with when it was read last: whatever a remote answers, and however long it asks to wait, that shows. One that a person has paused
 * is not to be read. `now` is an ISO instant.
 */
export function overdueStreams(
  tenant: StreamTenant,
  reads: readonly Pick<StreamRead, 'stream' | 'readAt'>[],
  now: string,
): readonly { readonly stream: StreamName; readonly readAt: string }[] {
  return STREAM_NAMES.flatMap((stream) => {
    const readAt = expectedReadOf(stream, reads);
    if (readAt === undefined) return [];
    const { everyMs, idleMs } = cadenceOf(tenant, stream);
    const limitMs = Math.max(LEAST_MS, idleMs + GRACE_TIMES * everyMs);
    return Date.parse(now) - Date.parse(readAt) > limitMs ? [{ stream, readAt }] : [];
  });
}
