import type { CallPurpose } from '../loop/crm-budget.ts';
import type { OperationGroup, VendorGroup } from '../loop/operation-groups.ts';
import type { Cadence } from './cadence.ts';

/** The name of the setting in the tenant file that says how often a stream is read. */
export type Rhythm = 'vendor.poll' | 'vendor.ordersEvery' | 'salesforce.sweep';

/** A CRM object that a stream writes rows to, with the external id that identifies each row. */
export type CrmObject = {
  readonly object: string;
  readonly externalId: string;
  /** The fields of a row, without the external id. A test checks that the CRM package contains each custom field. */
  readonly fields: readonly string[];
};

type AnyStreamRow = {
  /** The activity that reads some pages of the stream. */
  readonly activity: string;
  /**
   * How often the stream is read. A `Rhythm` is a setting of the tenant file, a number is an interval in ms, a `Cadence` has an interval
   * for times with changes and one for times without, and `request` means only when a user requests it.
   */
  readonly every: Rhythm | number | Cadence | 'request';
  readonly summary: string;
};

/** A stream that reads the vendor's changes. Each page is one request in one activity, so that Temporal limits and shows each request. */
export type VendorStreamRow = AnyStreamRow & {
  /**
   * The operation group (requests that fail together) of the stream's requests. It decides their quota and task queue, and which pauses
   * stop the stream.
   */
  readonly reads: VendorGroup;
  /**
   * The CRM object into which the stream writes its rows. If absent, the stream does not write rows, but reports which opportunities
   * changed.
   */
  readonly into?: CrmObject;
  /** True if the stream's requests wait while requests about deals need the quota. */
  readonly isBulk?: true;
  /** True if the stream writes to the CRM the objects that `src/mirror` declares. It then needs the CRM too. */
  readonly mirrors?: true;
  /** True if the stream works on requests of CRM users, so that it needs the CRM too. */
  readonly isRequested?: true;
  /** True if a refused key stops only this stream and not its whole operation group, because the key may just lack one permission. */
  readonly stopsAlone?: true;
};

/** A stream of the CRM's changes. */
export type CrmStreamRow = AnyStreamRow & {
  readonly reads: 'salesforce';
  /** The maximum number of pages that one activity reads. The next activity reads the rest. */
  readonly pages: number;
  readonly into?: undefined;
  readonly mirrors?: undefined;
  readonly isRequested?: undefined;
};

export type StreamRow = VendorStreamRow | CrmStreamRow;

/** All streams (regular reads of changed rows), by the name of their workflow. Everything in which streams differ is in this table. */
export const STREAMS = {
  pollVendor: {
    activity: 'searchVendorOpportunities',
    reads: 'vendor-sales',
    every: 'vendor.poll',
    summary: 'search changed lead-opportunities',
  },
  sweepSalesforce: {
    activity: 'sweepCrmOpportunities',
    reads: 'salesforce',
    every: 'salesforce.sweep',
    pages: 10,
    summary: 'changes since the cursor',
  },
  watchOrg: {
    activity: 'describeOrg',
    reads: 'salesforce',
    // Each check costs one request, and one for each record type. A hidden mapped field counts as a change, so that a new permission takes
    // effect soon.
    every: { everyMs: 900_000, idleMs: 3_600_000 },
    pages: 1,
    summary: 'how the org describes mapped fields',
  },
  checkVendorRecords: {
    activity: 'searchLinkedRecords',
    reads: 'vendor-sales',
    // One request each run. This is seldom, because the next edit of a missing record also shows that it is missing.
    every: 600_000,
    summary: 'search linked lead-opportunities',
  },
  pullOrders: {
    activity: 'readVendorOrders',
    reads: 'vendor-order',
    every: 'vendor.ordersEvery',
    summary: 'changed orders',
    isBulk: true,
    mirrors: true,
  },
  loadOrders: {
    activity: 'searchCreatedOrders',
    reads: 'vendor-order',
    // Once past orders are loaded, this search finds only the rare orders without a time of a last update.
    every: 3_600_000,
    summary: 'search orders by their creation',
    isBulk: true,
  },
  findOrders: {
    activity: 'answerOrderSearches',
    reads: 'vendor-order',
    // A message or change event of the request starts the stream. The sweep finds requests whose message was lost.
    every: 'request',
    summary: 'searches of orders that sales persons request',
    isRequested: true,
  },
  notifyOwners: {
    activity: 'sendOwnerNotices',
    reads: 'salesforce',
    // A change of the vendor's answer starts the stream. The upkeep of a tenant finds notices whose request was lost.
    every: 'request',
    pages: 1,
    summary: "notices of the vendor's answers",
  },
  followRenewals: {
    activity: 'followRenewalNotices',
    reads: 'salesforce',
    // Renewals change on few days, and nobody waits for their prices.
    every: { everyMs: 900_000, idleMs: 3_600_000 },
    pages: 10,
    summary: 'prices and opportunities of renewals',
  },
  checkMirror: {
    activity: 'searchMirrorEdits',
    reads: 'salesforce',
    // Edits of mirrored rows are rare, so few requests search for them.
    every: 1_800_000,
    pages: 10,
    summary: 'mirrored rows that others changed',
  },
  refreshCatalog: {
    activity: 'readVendorCatalog',
    reads: 'vendor-order',
    // How often the stream checks whether a refresh is due. The tenant file sets how often a refresh is due.
    every: 900_000,
    summary: 'products and prices',
    isBulk: true,
    mirrors: true,
    stopsAlone: true,
  },
  refreshPortfolio: {
    activity: 'readVendorPortfolio',
    reads: 'vendor-sales',
    every: 900_000,
    summary: 'offers of the portfolio',
    isBulk: true,
    mirrors: true,
    stopsAlone: true,
  },
} as const satisfies Readonly<Record<string, StreamRow>>;

type Rows = typeof STREAMS;
export type StreamName = keyof Rows;
export type RowOf<Stream extends StreamName> = Rows[Stream];
export const STREAM_NAMES = Object.keys(STREAMS) as readonly StreamName[];

const rows: Readonly<Record<StreamName, StreamRow>> = STREAMS;

/** The streams that are read at intervals, without a request. */
export const POLLED_STREAMS = STREAM_NAMES.filter((stream) => rows[stream].every !== 'request');

/** Whether a stream is bulk work: its requests wait for those of streams about deals. */
export function isBulk(stream: StreamName): boolean {
  const row = rows[stream];
  return row.reads !== 'salesforce' && row.isBulk === true;
}

/** The reason code for a row that the vendor's search returned, but whose details the vendor refuses to return. */
export const UNREADABLE = 'UNREADABLE';

/** The name of a stream's cursor in the ledger. `part`: the object, if the stream has one cursor for each object. */
export function cursorOf(stream: string, part?: string): string {
  return part === undefined ? stream : `${stream}:${part}`;
}

export function needsOf({ reads, into, mirrors, isRequested }: StreamRow): readonly OperationGroup[] {
  const usesCrm = into !== undefined || mirrors === true || isRequested === true;
  return usesCrm ? [reads, 'salesforce'] : [reads];
}

/** The purpose of a stream's CRM calls; null if it makes no calls of its own. */
export function purposeOf(row: StreamRow): CallPurpose | null {
  if (row.reads === 'salesforce' || row.isRequested === true) return 'sweep';
  return row.into !== undefined || row.mirrors === true ? 'bulk' : null;
}

export type StreamActivity<Stream extends StreamName = StreamName> = Rows[Stream]['activity'];

type Reading<Side extends StreamSide> = {
  [Stream in StreamName]: Rows[Stream]['reads'] extends 'salesforce'
    ? Side extends 'salesforce'
      ? Stream
      : never
    : Side extends 'vendor'
      ? Stream
      : never;
}[StreamName];

/** The side whose changes a stream reads. Its activity runs on that side's task queue. */
export type StreamSide = 'salesforce' | 'vendor';

export function streamActivitiesOf<Side extends StreamSide>(side: Side): readonly StreamActivity<Reading<Side>>[] {
  const rows = Object.values(STREAMS).filter(({ reads }) => (reads === 'salesforce') === (side === 'salesforce'));
  return rows.map((row) => row.activity as StreamActivity<Reading<Side>>);
}
