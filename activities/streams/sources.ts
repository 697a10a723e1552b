import { readOf } from '../../src/domain/streams/read-at.ts';
import {
  laneOf,
  type RowOf,
  STREAM_NAMES,
  STREAMS,
  type StreamActivity,
  type StreamName,
} from '../../src/domain/streams/streams.ts';
import { refuseWhilePaused } from '../outage/refuse-while-paused.ts';
import type { ActivityDeps, TenantArgs } from '../support/deps.ts';
import { keepToBudget } from '../support/within-budget.ts';
import { createdOrders } from './created-orders.ts';
import { crmOpportunities } from './crm-opportunities.ts';
import { linkedVendorRecords } from './linked-vendor-records.ts';
import { mirrorEdits } from './mirror-edits.ts';
import { readUnlessStopped } from './stoppable.ts';
import type { StreamSource, TakenPages } from './stream.ts';
import { vendorCatalog } from './vendor-catalog.ts';
import { vendorOpportunities } from './vendor-opportunities.ts';
import { vendorOrders } from './vendor-orders.ts';
import { vendorPortfolio } from './vendor-portfolio.ts';
import { watchedOrg } from './watched-org.ts';

/** What each stream reads, and what is done with it. */
const SOURCES: { readonly [Stream in StreamName]: StreamSource<Stream> } = {
  pollVendor: vendorOpportunities,
  sweepSalesforce: crmOpportunities,
  watchOrg: watchedOrg,
  checkVendorRecords: linkedVendorRecords,
  pullOrders: vendorOrders,
  loadOrders: createdOrders,
  checkMirror: mirrorEdits,
  refreshCatalog: vendorCatalog,
  refreshPortfolio: vendorPortfolio,
};

type StreamActivities = {
  readonly [Stream in StreamName as StreamActivity<Stream>]: (args: TenantArgs) => Promise<TakenPages>;
};

/** The activity of every stream: it reads some pages. */
export function createStreamActivities(deps: ActivityDeps): StreamActivities {
  const entries = STREAM_NAMES.map((stream) => [STREAMS[stream].activity, readerOf(deps, stream)]);
  return Object.fromEntries(entries) as StreamActivities;
}

/** A page of the vendor's is one request, which is limited and seen by itself. */
const VENDOR_PAGES = 1;

function readerOf<Stream extends StreamName>(deps: ActivityDeps, name: Stream) {
  const source: StreamSource<Stream> = SOURCES[name];
  const row: RowOf<Stream> = STREAMS[name];
  return async ({ tenant }: TenantArgs): Promise<TakenPages> => {
    const lastRead = async () => readOf(name, await deps.ledger.streamReads(tenant)) ?? null;
    await refuseWhilePaused(deps, tenant, name);
    const lane = laneOf(row);
    if (lane !== null) await keepToBudget(deps, tenant, lane, lastRead);
    const read = source({ name, row, deps, runtime: deps.runtime(tenant) });
    return readUnlessStopped(deps, tenant, name, () => read('pages' in row ? row.pages : VENDOR_PAGES));
  };
}
