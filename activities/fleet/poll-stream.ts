import { asyncLocalStorage, Context, log } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { OperationGroup } from '../../src/domain/loop/operation-groups.ts';
import { isBulk, type StreamName } from '../../src/domain/streams/streams.ts';
import type { OutageArgs } from '../outage/group-outage.ts';
import type { TakenPages } from '../streams/stream.ts';
import type { TenantArgs } from '../support/deps.ts';
import { writableFailure } from '../support/writable-failure.ts';
import type { Fleet } from './fleet.ts';

/** What came of a poll of a tenant's stream. */
export type PollResult =
  | { readonly kind: 'nothing' }
  /** There is more, though it told of nothing yet. */
  | { readonly kind: 'more' }
  | { readonly kind: 'found' }
  /** A workflow of the tenant's own has it: there is much to do, or it failed, with this. */
  | { readonly kind: 'delegated'; readonly failure: string | null }
  | { readonly kind: 'paused' }
  | { readonly kind: 'gone' };

export type PollDeps = {
  readonly fleet: Pick<Fleet, 'scoped' | 'startStream' | 'isReading'>;
  /** The activity of each stream, by its name. */
  readonly read: (stream: StreamName, args: TenantArgs) => Promise<TakenPages>;
  readonly reportOutage: (args: OutageArgs) => Promise<void>;
};

/** `mayBeRead`: a workflow of the tenant's own may be at it. `over` ends the poll without a word, `limit` because it takes too long. */
export type PollLimits = {
  readonly mayBeRead: boolean;
  readonly limit: AbortSignal;
  readonly over: AbortSignal;
};

/**
 * Looks whether a tenant's stream tells of something, and takes that in. What takes more than a poll, and what fails, is left to
 * a workflow of the tenant's own, which takes its time, tries again and can be seen.
 */
export async function pollStream(
  { fleet, read, reportOutage }: PollDeps,
  tenant: string,
  stream: StreamName,
  { mayBeRead, limit, over }: PollLimits,
): Promise<PollResult> {
  try {
    // What is done step by step is done by one at a time.
    if ((isBulk(stream) || mayBeRead) && (await fleet.isReading(tenant, stream)))
      return { kind: 'delegated', failure: null };
    const { found, more } = await fleet.scoped(() =>
      limited(AbortSignal.any([limit, over]), () => read(stream, { tenant })),
    );
    if (!more) return { kind: found > 0 ? 'found' : 'nothing' };
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

/** Gives a stream to a workflow of the tenant's own. */
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

/** What a workflow reads of such a failure (`readFailure`). */
function outageOf(failure: Error): { readonly group: OperationGroup; readonly isKnown?: boolean } {
  const [details] = failure instanceof ApplicationFailure ? (failure.details ?? []) : [];
  return details as ReturnType<typeof outageOf>;
}

/** Runs as the activity does, with a signal of its own: what it asks ends with it. */
function limited<T>(signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  const own = Object.create(Context.current(), { cancellationSignal: { value: signal } }) as Context;
  return asyncLocalStorage.run(own, run);
}
