import { readOf } from '../../src/domain/streams/read-at.ts';
import { type StreamStop, stopOf } from '../../src/domain/streams/stream-stop.ts';
import {
  isBulk,
  purposeOf,
  type RowOf,
  STREAM_NAMES,
  STREAMS,
  type StreamActivity,
  type StreamName,
} from '../../src/domain/streams/streams.ts';
import { refuseWhere } from '../outage/refuse-while-paused.ts';
import type { ActivityDeps, TenantArgs } from '../support/deps.ts';
import { keepToBudget } from '../support/within-budget.ts';
import { askedOrders } from './asked-orders.ts';
import { createdOrders } from './created-orders.ts';
import { crmOpportunities } from './crm-opportunities.ts';
import { linkedVendorRecords } from './linked-vendor-records.ts';
import { mirrorEdits } from './mirror-edits.ts';
import { ownerNotices } from './owner-notices.ts';
import { renewals } from './renewals.ts';
import { readUnlessStopped } from './stoppable.ts';
import type { StreamReader, StreamSource, TakenPages } from './stream.ts';
import { vendorCatalog } from './vendor-catalog.ts';
import { vendorOpportunities } from './vendor-opportunities.ts';
import { vendorOrders } from './vendor-orders.ts';
import { vendorPortfolio } from './vendor-portfolio.ts';
import { watchedOrg } from './watched-org.ts';

const SOURCES: { readonly [Stream in StreamName]: StreamSource<Stream> } = {
  pollVendor: vendorOpportunities,
  sweepSalesforce: crmOpportunities,
  watchOrg: watchedOrg,
  checkVendorRecords: linkedVendorRecords,
  pullOrders: vendorOrders,
  loadOrders: createdOrders,
  findOrders: askedOrders,
  notifyOwners: ownerNotices,
  followRenewals: renewals,
  checkMirror: mirrorEdits,
  refreshCatalog: vendorCatalog,
  refreshPortfolio: vendorPortfolio,
};

type StreamActivities = {
  readonly [Stream in StreamName as StreamActivity<Stream>]: (args: TenantArgs) => Promise<TakenPages>;
};

/**
 * Creates the activities that read streams (regular reads of changed rows), one for each stream. Each call of an activity reads some pages.
 */
export function createStreamActivities(deps: ActivityDeps): StreamActivities {
  const bulk: ActivityDeps = { ...deps, ledger: deps.bulkLedger ?? deps.ledger };
  const entries = STREAM_NAMES.map((stream) => [
    STREAMS[stream].activity,
    readerOf(isBulk(stream) ? bulk : deps, stream),
  ]);
  return Object.fromEntries(entries) as StreamActivities;
}

/** How many vendor pages one activity reads: one, so that Temporal limits and shows each request separately. */
const VENDOR_PAGES = 1;

function readerOf<Stream extends StreamName>(deps: ActivityDeps, name: Stream) {
  const source: StreamSource<Stream> = SOURCES[name];
  const row: RowOf<Stream> = STREAMS[name];
  return async ({ tenant }: TenantArgs): Promise<TakenPages> => {
    const lastRead = async () => readOf(name, await deps.ledger.streamReads(tenant)) ?? null;
    const { reader, problem } = prepared(() => source({ name, row, deps, runtime: deps.runtime(tenant) }));
    const known = await deps.ledger.pausesAndCursors(tenant, [stopOf(name), ...(reader?.cursors ?? [])]);
    refuseWhere(known.pauses, name);
    const purpose = purposeOf(row);
    if (purpose !== null) await keepToBudget(deps, tenant, purpose, lastRead);
    if (reader === undefined) throw problem;
    const [stop, ...stored] = known.positions;
    const stoppable = { tenant, stream: name, stop: (stop ?? null) as StreamStop | null };
    const pages = 'pages' in row ? row.pages : VENDOR_PAGES;
    return readUnlessStopped(deps, stoppable, () => reader.read(pages, stored));
  };
}

type Prepared =
  | { readonly reader: StreamReader; readonly problem?: undefined }
  | { readonly reader?: undefined; readonly problem: unknown };

/**
 * Calls `make`, which creates a stream's reader, and returns its error instead of throwing it. The caller first checks whether the stream
 * is paused, because the pause may have caused the error. It then reports the pause, not the error.
 */
function prepared(make: () => StreamReader): Prepared {
  try {
    return { reader: make() };
  } catch (problem) {
    return { problem };
  }
}
