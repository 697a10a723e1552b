import type { CallPurpose } from '../loop/crm-budget.ts';
import type { OperationGroup, VendorGroup } from '../loop/operation-groups.ts';

/** Settings of the tenant file that say how often a stream is read. */
export type Rhythm = 'vendor.poll' | 'vendor.ordersEvery' | 'salesforce.sweep';

/** An object of the CRM that a stream keeps rows in: each has a value for the external id, which tells them apart. */
export type CrmObject = {
  readonly object: string;
  readonly externalId: string;
  /** What a row has besides; the test of the CRM package asks for each that is a custom field. */
  readonly fields: readonly string[];
};

type AnyStreamRow = {
  /** The activity that reads some pages of it. One that writes nothing: its name says what it reads. */
  readonly activity: string;
  /** A setting, or milliseconds where no tenant needs it otherwise. */
  readonly every: Rhythm | number;
  /** What a read is called in the Temporal UI. */
  readonly summary: string;
};

/** Reads what changed at the vendor. A page is one request, and one activity, so that each is limited and seen by itself. */
export type VendorStreamRow = AnyStreamRow & {
  /** The group of the operations that it asks: their quota, their task queue and what stops it follow. */
  readonly reads: VendorGroup;
  /** Where its rows are kept in the CRM, which it then needs too. Absent: it tells of opportunities, which are marked due. */
  readonly into?: CrmObject;
  /** Its requests come after those about deals. */
  readonly isBulk?: true;
  /** It keeps what `src/mirror` declares in the CRM, which it then needs too. */
  readonly mirrors?: true;
  /** A key that is refused for what it asks may be good for all else of its group: that stops it, and nothing else. */
  readonly stopsAlone?: true;
};

/** Reads what changed in the CRM. */
export type CrmStreamRow = AnyStreamRow & {
  readonly reads: 'salesforce';
  /** Pages of one activity; what is left, the next one reads. */
  readonly pages: number;
  readonly into?: undefined;
  readonly mirrors?: undefined;
};

export type StreamRow = VendorStreamRow | CrmStreamRow;

/**
 * The streams of changes, by the name of their workflow: one row a stream. Ids, cursors, schedules, activities and their
 * proxies, task queues, and what a pause stops follow from the row.
 */
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
    // A picklist or a field that changes is told before long, and a look costs a request an object.
    every: 3_600_000,
    pages: 1,
    summary: 'how the org describes mapped fields',
  },
  checkVendorRecords: {
    activity: 'searchLinkedRecords',
    reads: 'vendor-sales',
    // One request a time: slow, because what is gone is found at the next edit as well.
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
    // What it finds besides the past is rare: an order that has no time of its last update.
    every: 3_600_000,
    summary: 'search orders by their creation',
    isBulk: true,
  },
  checkMirror: {
    activity: 'searchMirrorEdits',
    reads: 'salesforce',
    // Nobody has a reason to edit what is mirrored: found late, and by few requests.
    every: 1_800_000,
    pages: 10,
    summary: 'mirrored rows that others changed',
  },
  refreshCatalog: {
    activity: 'readVendorCatalog',
    reads: 'vendor-order',
    // How often it looks whether a refresh is due; how often one is, the tenant file says.
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

/** Whether a stream comes after those about deals, and is read step by step. */
export function isBulk(stream: StreamName): boolean {
  const row = rows[stream];
  return row.reads !== 'salesforce' && row.isBulk === true;
}

/** In the place of a reason of Salesforce's: the vendor shows no details of a row that it found. */
export const UNREADABLE = 'UNREADABLE';

/** What a stream's cursor is kept under; `part` where it reads several objects, each with a cursor of its own. */
export function cursorOf(stream: string, part?: string): string {
  return part === undefined ? stream : `${stream}:${part}`;
}

/** The groups of operations without which a stream is not read. */
export function needsOf({ reads, into, mirrors }: StreamRow): readonly OperationGroup[] {
  return into === undefined && mirrors === undefined ? [reads] : [reads, 'salesforce'];
}

/** What the calls of a stream to the CRM are for; null where it makes none of its own. */
export function purposeOf(row: StreamRow): CallPurpose | null {
  if (row.reads === 'salesforce') return 'sweep';
  return row.into !== undefined || row.mirrors === true ? 'bulk' : null;
}

/** What each stream's activity is called. */
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

/** Whose changes a stream reads. Its activity runs on the queue of that side: of the vendor's, each is one request. */
export type StreamSide = 'salesforce' | 'vendor';

/** The activities of the streams that read one side. */
export function streamActivitiesOf<Side extends StreamSide>(
  side: Side,
): readonly StreamActivity<Reading<Side>>[] {
  const rows = Object.values(STREAMS).filter(
    ({ reads }) => (reads === 'salesforce') === (side === 'salesforce'),
  );
  return rows.map((row) => row.activity as StreamActivity<Reading<Side>>);
}
