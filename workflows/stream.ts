import type { TakenPages } from '../activities/streams/stream.ts';
import { STREAMS, type StreamName } from '../src/domain/streams/streams.ts';
import type { TenantInput } from './messages.ts';
import { outageReported } from './outage.ts';
import { crmStreams, vendorRead, vendorStreams } from './proxies.ts';

export type StreamResult = Pick<TakenPages, 'found' | 'refused' | 'stopped'> & { readonly reads: number };

/** A workflow that reads a stream to the present, and does no more. */
export function streamWorkflow(stream: StreamName): (input: TenantInput) => Promise<StreamResult | null> {
  return ({ tenant }) => readStream(stream, tenant);
}

/** Reads a tenant's stream to the present: the body of its workflow. Null where an outage cut it short. */
export async function readStream(stream: StreamName, tenant: string): Promise<StreamResult | null> {
  return outageReported(tenant, async () => {
    let result: StreamResult = { reads: 0, found: 0 };
    let more = true;
    while (more) {
      const part = await readPages(stream, tenant);
      result = {
        reads: result.reads + 1,
        found: result.found + part.found,
        ...(part.refused === undefined ? {} : { refused: (result.refused ?? 0) + part.refused }),
        ...(part.stopped === undefined ? {} : { stopped: part.stopped }),
      };
      more = part.more;
    }
    return result;
  });
}

function readPages(stream: StreamName, tenant: string): Promise<TakenPages> {
  const row = STREAMS[stream];
  if (row.reads === 'salesforce')
    return crmStreams[row.activity].executeWithOptions({ summary: row.summary }, [{ tenant }]);
  return vendorStreams[row.activity].executeWithOptions(vendorRead(tenant, row.summary), [{ tenant }]);
}
