import { log } from '@temporalio/activity';
import { failureOf, type StreamFailure } from '../../src/domain/streams/stream-failure.ts';
import { STOP_REPAIR, type StreamStop, stopAfter, stopOf } from '../../src/domain/streams/stream-stop.ts';
import { PartnerApiError } from '../../src/partner-api/index.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import type { ActivityDeps } from '../support/deps.ts';
import type { TakenPages } from './stream.ts';

/** A tenant's stream (a regular read of changed rows). `stop`: why the stream is stopped; null if it is not stopped. */
export type Stoppable = {
  readonly tenant: string;
  readonly stream: string;
  readonly stop: StreamStop | null;
};

/**
 * Reads a stream (a regular read of changed rows). If the org lacks an object, a field or a permission, the stream is stopped, and tried
 * again at growing intervals.
 */
export async function readUnlessStopped(
  { ledger, now }: Pick<ActivityDeps, 'ledger' | 'now'>,
  { tenant, stream, stop: known }: Stoppable,
  read: () => Promise<TakenPages>,
): Promise<TakenPages> {
  if (known !== null && Date.parse(now()) < Date.parse(known.retryAt)) return stoppedBy(known);
  try {
    const taken = await read();
    if (known !== null) await ledger.saveCursor(tenant, stopOf(stream), null, now());
    return taken;
  } catch (error) {
    const at = now();
    if (!(error instanceof CrmError) || error.kind !== 'schema-mismatch') {
      const failed = failureBy(error, at);
      // If the failure cannot be stored, the original error is still thrown.
      if (failed !== null) await ledger.saveCursor(tenant, failureOf(stream), failed, at).catch(() => undefined);
      throw error;
    }
    const stop = stopAfter(known, { code: error.code, blames: error.fields }, at);
    await ledger.saveCursor(tenant, stopOf(stream), stop, at);
    if (known === null) log.warn('a stream is stopped', { tenant, stream, ...stop, repair: STOP_REPAIR });
    return stoppedBy(stop);
  }
}

/**
 * The remote system that failed, its error code, and when it failed (`at`, ISO), for the ledger (Lockstep's database). Null if no remote
 * system caused the error, or if the request was aborted.
 */
function failureBy(error: unknown, at: string): StreamFailure | null {
  if (error instanceof PartnerApiError)
    return error.kind === 'aborted' ? null : { remote: 'vendor', code: error.kind, at };
  if (!(error instanceof CrmError) || error.code === 'ABORTED') return null;
  return { remote: 'salesforce', code: error.code, at };
}

function stoppedBy({ code, blames, retryAt }: StreamStop): TakenPages {
  return { found: 0, more: false, stopped: { code, blames, retryAt } };
}
