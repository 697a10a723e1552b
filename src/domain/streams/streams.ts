import type { CallPurpose } from '../loop/crm-budget.ts';
import type { OperationGroup, VendorGroup } from '../loop/operation-groups.ts';
import type { Cadence } from './cadence.ts';

/** The name of the setting in the tenant file that says how often a stream is read. */
export type Rhythm = 'vendor.poll' | 'vendor.ordersEvery' | 'salesforce.sweep';

/** A CRM object to which a stream writes rows. `externalId`: the external-id field that identifies each row. */
export type CrmObject = {
  readonly object: string;
  readonly externalId: string;
  /** The fields that the stream writes, without the external id. A test checks that the CRM package contains each custom field. */
  readonly fields: readonly string[];
};

type AnyStreamRow = {
  /** The name of the activity that reads the stream, some pages in each call. */
  readonly activity: string;
  /**
   * How often the stream is read. A `Rhythm` names a setting of the tenant file. A number is an interval in ms. A `Cadence` has an interval
   * for times with changes and an interval for times without. `request` means that the stream is read only when it is requested.
   */
  readonly every: Rhythm | number | Cadence | 'request';
  readonly summary: string;
};

/**
 * A stream that reads the vendor's changes. Each page is one request in one activity, so that Temporal limits and shows the requests one by
 * one.
 */
export type VendorStreamRow = AnyStreamRow & {
  /**
   * The operation group (requests that fail together) to which the stream's requests belong. The group decides the quota, the task queue,
   * and which pauses stop the stream.
   */
  readonly reads: VendorGroup;
  /**
   * The CRM object into which the stream writes its rows. If absent, the stream does not write rows into one object of its own: for
   * example, it only reports which opportunities changed, or `mirrors` is true.
   */
  readonly into?: CrmObject;
  /** True if the stream is bulk work: its requests wait while requests about deals need the vendor's quota. */
  readonly isBulk?: true;
  /**
   * True if the stream copies rows of the vendor (orders, catalog) into CRM objects that `src/mirror` declares. The stream then needs the
   * CRM too.
   */
  readonly mirrors?: true;
  /** True if the stream answers requests that users enter in the CRM. The stream then needs the CRM too. */
  readonly isRequested?: true;
  /**
   * True if the vendor's refusal of the key stops only this stream. Usually, such a refusal stops the whole operation group (requests that
   * fail together). But here the key may lack only this stream's permission.
   */
  readonly stopsAlone?: true;
};

/** A stream that reads the CRM's changes. */
export type CrmStreamRow = AnyStreamRow & {
  readonly reads: 'salesforce';
  /** The maximum number of pages that one activity reads. The next activity reads the remaining pages. */
  readonly pages: number;
  readonly into?: undefined;
  readonly mirrors?: undefined;
  readonly isRequested?: undefined;
};

export type StreamRow = VendorStreamRow | CrmStreamRow;

/** All streams (regular reads of changed rows), by the name of their workflow, each with its settings. */
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
    // Each read costs one request, and one for each record type. A mapped field that is hidden from the integration user counts as a
    // change. The interval then stays short, so that Lockstep soon notices a new permission.
    every: { everyMs: 900_000, idleMs: 3_600_000 },
    pages: 1,
    summary: 'how the org describes mapped fields',
  },
  checkVendorRecords: {
    activity: 'searchLinkedRecords',
    reads: 'vendor-sales',
    // One request each run. The interval is long, because the next edit of a missing record also shows that it is missing.
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
    // A message or change event about the request starts the stream. The sweep (periodic search for CRM changes) finds requests whose
    // message was lost.
    every: 'request',
    summary: 'searches of orders that sales persons request',
    isRequested: true,
  },
  notifyOwners: {
    activity: 'sendOwnerNotices',
    reads: 'salesforce',
    // A changed answer of the vendor, such as an acceptance, starts the stream. If this start was lost, the tenant's upkeep (a periodic
    // job) starts the stream.
    every: 'request',
    pages: 1,
    summary: "notices of the vendor's answers",
  },
  followRenewals: {
    activity: 'followRenewalNotices',
    reads: 'salesforce',
    // Renewals change on few days, and no user waits for their prices.
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

/** The streams that are read at intervals, and not only on request. */
export const POLLED_STREAMS = STREAM_NAMES.filter((stream) => rows[stream].every !== 'request');

/** Whether a stream is bulk work: its requests wait while requests about deals need the vendor's quota. */
export function isBulk(stream: StreamName): boolean {
  const row = rows[stream];
  return row.reads !== 'salesforce' && row.isBulk === true;
}

/** The reason code for a row that the vendor's search returned, but whose details the vendor refuses to return. */
export const UNREADABLE = 'UNREADABLE';

/**
 * The name of a stream's cursor (how far the stream was read) in the ledger, Lockstep's database. `part`: the name of the object, if the
 * stream has a cursor for each object.
 */
export function cursorOf(stream: string, part?: string): string {
  return part === undefined ? stream : `${stream}:${part}`;
}

export function needsOf({ reads, into, mirrors, isRequested }: StreamRow): readonly OperationGroup[] {
  const usesCrm = into !== undefined || mirrors === true || isRequested === true;
  return usesCrm ? [reads, 'salesforce'] : [reads];
}

/**
 * The purpose of a stream's CRM calls, which decides how the daily budget of API calls limits them. Null if the stream makes no CRM calls
 * of its own.
 */
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

/** The side (CRM or vendor) whose changes a stream reads. The stream's activity runs on the task queue of this side. */
export type StreamSide = 'salesforce' | 'vendor';

export function streamActivitiesOf<Side extends StreamSide>(side: Side): readonly StreamActivity<Reading<Side>>[] {
  const rows = Object.values(STREAMS).filter(({ reads }) => (reads === 'salesforce') === (side === 'salesforce'));
  return rows.map((row) => row.activity as StreamActivity<Reading<Side>>);
}
