import { continueAsNew, setCurrentDetails, setHandler, sleep } from '@temporalio/workflow';
import type { TakenPages } from '../activities/streams/stream.ts';
import { STREAMS, type StreamName } from '../src/domain/streams/streams.ts';
import { describePause, describeStream } from './descriptions.ts';
import { isLong } from './history.ts';
import { requestSignal, type TenantInput } from './messages.ts';
import { outageReported } from './outage.ts';
import { crmStreams, vendorBulk, vendorRead, vendorStreams } from './proxies.ts';

export type StreamResult = Pick<TakenPages, 'found' | 'refused' | 'stopped' | 'pausedSince'> & {
  readonly reads: number;
};

/**
 * The input of a workflow that reads a stream (a regular read of changed rows). `soFar`: the counts that the previous run passed on when
 * its history was long.
 */
export type StreamInput = TenantInput & { readonly soFar?: StreamResult };
type StreamWorkflow = (input: StreamInput) => Promise<StreamResult | null>;

/** Makes the workflow that reads a stream (a regular read of changed rows) until nothing is left to read. */
export function streamWorkflow(stream: StreamName): StreamWorkflow {
  return async ({ tenant, soFar }) => {
    const result = await readStream(stream, tenant, { soFar, isEnough: isLong });
    if (result === null || !result.more) return withoutMore(result);
    return continueAsNew<StreamWorkflow>({ tenant, soFar: withoutMore(result) as StreamResult });
  };
}

type Reading = {
  readonly soFar?: StreamResult | undefined;
  /** Whether the workflow run must stop here, because its history is long. The next run then reads the rest of the stream. */
  readonly isEnough: () => boolean;
};
type Read = StreamResult & { readonly more?: true };

/**
 * Reads a tenant's stream (a regular read of changed rows) until nothing is left to read, or until `isEnough` returns true. Null if an
 * outage ended the read early.
 */
export async function readStream(
  stream: StreamName,
  tenant: string,
  { soFar, isEnough }: Reading = { isEnough: () => false },
): Promise<Read | null> {
  return outageReported(tenant, async () => {
    let result: StreamResult = soFar ?? { reads: 0, found: 0 };
    let more = true;
    let isRequested = false;
    setHandler(requestSignal, () => {
      isRequested = true;
    });
    setCurrentDetails(describeStream(tenant, stream, result));
    while (more) {
      isRequested = false;
      const part = await readPages(stream, tenant);
      result = {
        reads: result.reads + 1,
        found: result.found + part.found,
        ...(part.refused === undefined ? {} : { refused: (result.refused ?? 0) + part.refused }),
        ...(part.stopped === undefined ? {} : { stopped: part.stopped }),
        ...(part.pausedSince === undefined ? {} : { pausedSince: part.pausedSince }),
      };
      setCurrentDetails(
        part.pausedSince === undefined
          ? describeStream(tenant, stream, result)
          : describePause(tenant, part.pausedSince),
      );
      // A request that arrived during the read may have been too late for it.
      more = part.more || isRequested || (await waited(part)) || isRequested;
      if (more && isEnough()) return { ...result, more };
    }
    return result;
  });
}

/**
 * Waits until the stream must be read again, as the last read said, and returns true. Returns false at once if the stream need not be read
 * again, or only after more than `MOST_WAIT_MS`; a regular poll then reads it in time.
 */
async function waited({ againMs }: TakenPages): Promise<boolean> {
  if (againMs === undefined || againMs > MOST_WAIT_MS) return false;
  await sleep(againMs);
  return true;
}

const MOST_WAIT_MS = 90_000;

function withoutMore(read: Read | null): StreamResult | null {
  if (read === null) return null;
  const { more: _, ...result } = read;
  return result;
}

function readPages(stream: StreamName, tenant: string): Promise<TakenPages> {
  const row = STREAMS[stream];
  if (row.reads === 'salesforce')
    return crmStreams[row.activity].executeWithOptions({ summary: row.summary }, [{ tenant }]);
  const call = 'isBulk' in row ? vendorBulk : vendorRead;
  return vendorStreams[row.activity].executeWithOptions(call(tenant, row.summary), [{ tenant }]);
}
