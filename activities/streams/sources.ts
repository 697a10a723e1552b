import {
  STREAM_NAMES,
  STREAMS,
  type StreamActivity,
  type StreamName,
} from '../../src/domain/streams/streams.ts';
import { refuseWhilePaused } from '../outage/refuse-while-paused.ts';
import type { ActivityDeps, TenantArgs } from '../support/deps.ts';
import { crmOpportunities } from './crm-opportunities.ts';
import { linkedVendorRecords } from './linked-vendor-records.ts';
import type { StreamSource, TakenPages } from './stream.ts';
import { vendorOpportunities } from './vendor-opportunities.ts';

/** What each stream reads, and what is done with it. */
const SOURCES: Readonly<Record<StreamName, StreamSource>> = {
  pollVendor: vendorOpportunities,
  sweepSalesforce: crmOpportunities,
  checkVendorRecords: linkedVendorRecords,
};

type StreamActivities = {
  readonly [Stream in StreamName as StreamActivity<Stream>]: (args: TenantArgs) => Promise<TakenPages>;
};

/** The activity of every stream: it reads some pages. */
export function createStreamActivities(deps: ActivityDeps): StreamActivities {
  const entries = STREAM_NAMES.map((stream) => [STREAMS[stream].activity, readerOf(deps, stream)]);
  return Object.fromEntries(entries) as StreamActivities;
}

function readerOf(deps: ActivityDeps, stream: StreamName) {
  return async ({ tenant }: TenantArgs): Promise<TakenPages> => {
    await refuseWhilePaused(deps, tenant, stream);
    return SOURCES[stream](deps, deps.runtime(tenant))(STREAMS[stream].pages);
  };
}
