import { log } from '@temporalio/activity';
import { failureOf, type StreamFailure } from '../../src/domain/streams/stream-failure.ts';
import { STOP_REPAIR, type StreamStop, stopAfter, stopOf } from '../../src/domain/streams/stream-stop.ts';
import { PartnerApiError } from '../../src/partner-api/index.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import type { ActivityDeps } from '../support/deps.ts';
import type { TakenPages } from './stream.ts';

/** A tenant's stream; `stop`: that of the last try, null where the CRM let it. */
export type Stoppable = {
  readonly tenant: string;
  readonly stream: string;
  readonly stop: StreamStop | null;
};

/**
 * Reads a stream unless the CRM did not let it lately. Where the CRM lacks what it is about, or does not let our user, the
 * stream stops with its cursor where it is, and is tried again later each time.
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
      // Nothing that tells of a failure may take its place.
      if (failed !== null)
        await ledger.saveCursor(tenant, failureOf(stream), failed, at).catch(() => undefined);
      throw error;
    }
    const stop = stopAfter(known, { code: error.code, blames: error.fields }, at);
    await ledger.saveCursor(tenant, stopOf(stream), stop, at);
    if (known === null) log.warn('a stream is stopped', { tenant, stream, ...stop, repair: STOP_REPAIR });
    return stoppedBy(stop);
  }
}

/** Null where no remote is to blame. What was broken off by us was not tried to its end. */
function failureBy(error: unknown, at: string): StreamFailure | null {
  if (error instanceof PartnerApiError)
    return error.kind === 'aborted' ? null : { remote: 'vendor', code: error.kind, at };
  if (!(error instanceof CrmError) || error.code === 'ABORTED') return null;
  return { remote: 'salesforce', code: error.code, at };
}

function stoppedBy({ code, blames, retryAt }: StreamStop): TakenPages {
  return { found: 0, more: false, stopped: { code, blames, retryAt } };
}
