import { log } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { OperationGroup } from '../../src/domain/loop/operation-groups.ts';
import { isBulk, type StreamName } from '../../src/domain/streams/streams.ts';
import type { OutageArgs } from '../outage/group-outage.ts';
import type { TakenPages } from '../streams/stream.ts';
import type { TenantArgs } from '../support/deps.ts';
import { limited } from '../support/limited.ts';
import { writableFailure } from '../support/writable-failure.ts';
import type { Fleet } from './fleet.ts';

export type PollResult =
  /**
   * The poll found no change. `againMs`: milliseconds until the stream must be read again, even if its usual polling interval is longer.
   * Absent if the usual interval is short enough.
   */
  | { readonly kind: 'nothing'; readonly againMs?: number }
  /** The poll found no change, but there is more to read. */
  | { readonly kind: 'more' }
  | { readonly kind: 'found'; readonly againMs?: number }
  /**
   * The tenant's own workflow now reads the stream, because there is much to read or the poll failed. `failure`: the failure's code; null
   * if the poll did not fail.
   */
  | { readonly kind: 'delegated'; readonly failure: string | null }
  | { readonly kind: 'paused' }
  | { readonly kind: 'gone' };

export type PollDeps = {
  readonly fleet: Pick<Fleet, 'scoped' | 'startStream' | 'isReading'>;
  readonly read: (stream: StreamName, args: TenantArgs) => Promise<TakenPages>;
  readonly reportOutage: (args: OutageArgs) => Promise<void>;
};

/**
 * Limits of a poll. `mayBeRead`: whether the tenant's own workflow may be reading the stream at the same time. If so, the poll checks this
 * first, and reads nothing while that workflow is running. `limit`: aborts a poll that takes too long. `over`: ends a poll without an error
 * when this process stops polling the shard (the group of tenants).
 */
export type PollLimits = {
  readonly mayBeRead: boolean;
  readonly limit: AbortSignal;
  readonly over: AbortSignal;
};

/**
 * The maximum number of steps that one poll of a stream takes while the steps find no change. A poll of the vendor may need three. The
 * first reads the newest period. The second reads an earlier period again, because the vendor's search may show changes late. The third
 * reads the time that these two steps took.
 */
const MOST_STEPS = 3;

/**
 * Polls a tenant's stream once. If the poll fails, or finds changes and leaves more to read, starts the tenant's own workflow for the
 * stream. Until that workflow ends, it reads the stream, and no poll does.
 */
export async function pollStream(
  { fleet, read, reportOutage }: PollDeps,
  tenant: string,
  stream: StreamName,
  { mayBeRead, limit, over }: PollLimits,
): Promise<PollResult> {
  try {
    // Only one run at a time may read a bulk stream, because its steps must follow each other.
    if ((isBulk(stream) || mayBeRead) && (await fleet.isReading(tenant, stream)))
      return { kind: 'delegated', failure: null };
    const step = () => fleet.scoped(() => limited(AbortSignal.any([limit, over]), () => read(stream, { tenant })));
    let taken = await step();
    for (let steps = 1; taken.more && taken.found === 0 && !isBulk(stream) && steps < MOST_STEPS; steps += 1)
      taken = await step();
    const { found, more, againMs } = taken;
    if (!more) return { kind: found > 0 ? 'found' : 'nothing', ...(againMs === undefined ? {} : { againMs }) };
    if (found === 0) return { kind: 'more' };
    return await delegate(fleet, tenant, stream, null);
  } catch (error) {
    if (over.aborted) return { kind: 'nothing' };
    const failure = writableFailure(error);
    const type = failure instanceof ApplicationFailure ? (failure.type ?? null) : null;
    if (type === 'TENANT_REMOVED') return { kind: 'gone' };
    if (type === 'SYSTEMIC') {
      const { group, isKnown = false } = outageOf(failure);
      await reportOutage({ tenant, group, ...(isKnown ? {} : { why: failure.message }) });
      return { kind: 'paused' };
    }
    return delegate(fleet, tenant, stream, type ?? failure.name);
  }
}

/**
 * Starts the tenant's own workflow for a stream, which then reads the stream instead of polls. Returns the result of the poll. `failure`:
 * the code of the poll's failure; null if the poll did not fail.
 */
export async function delegate(
  fleet: Pick<Fleet, 'startStream'>,
  tenant: string,
  stream: StreamName,
  failure: string | null,
): Promise<PollResult> {
  if ((await fleet.startStream(tenant, stream)) && failure !== null)
    log.info('a stream is left to a workflow of the tenant', { tenant, stream, code: failure });
  return { kind: 'delegated', failure };
}

/** The operation group (requests to a remote that fail together) that a failure names. `isKnown`: the group was already paused. */
function outageOf(failure: Error): { readonly group: OperationGroup; readonly isKnown?: boolean } {
  const [details] = failure instanceof ApplicationFailure ? (failure.details ?? []) : [];
  return details as ReturnType<typeof outageOf>;
}
