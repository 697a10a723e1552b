import type { OperationGroup } from '../loop/operation-groups.ts';

/** Settings of the tenant file that say how often a stream is read. */
export type Rhythm = 'vendor.poll' | 'salesforce.sweep';

/** An object of the CRM whose rows are told apart by an external id field, which every row has a value for. */
export type CrmObject = { readonly object: string; readonly externalId: string };

export type StreamRow = {
  /** The activity that reads some pages of it. */
  readonly activity: string;
  /** What its cursor is kept under; where it reads several objects, what the names of their cursors begin with. */
  readonly cursor: string;
  /** The task queue of that activity: `vendor` where a page is one request to the vendor. */
  readonly queue: 'sync' | 'vendor';
  /** A setting, or milliseconds where no tenant needs it otherwise. */
  readonly every: Rhythm | number;
  /** Pages of one activity; what is left, the next one reads. */
  readonly pages: number;
  /** While one of these is out, the stream is not read; `salesforce` goes without saying where `into` is. */
  readonly needs: readonly OperationGroup[];
  /** What a read is called in the Temporal UI. */
  readonly summary: string;
  /** Where its rows are kept in the CRM. Absent: it tells of opportunities, which are marked due. */
  readonly into?: CrmObject;
};

/**
 * The streams of changes, by the name of their workflow: one row a stream. Ids, schedules, activities and their
 * proxies, and what a pause stops follow from the row.
 */
export const STREAMS = {
  pollVendor: {
    activity: 'searchVendorOpportunities',
    cursor: 'vendor-opportunities',
    queue: 'vendor',
    every: 'vendor.poll',
    // One search is one activity, so that it is limited and seen as every request to the vendor is.
    pages: 1,
    needs: ['vendor-sales'],
    summary: 'search changed lead-opportunities',
  },
  sweepSalesforce: {
    activity: 'sweepCrmOpportunities',
    cursor: 'crm',
    queue: 'sync',
    every: 'salesforce.sweep',
    pages: 10,
    needs: ['salesforce'],
    summary: 'changes since the cursor',
  },
  checkVendorRecords: {
    activity: 'searchLinkedRecords',
    cursor: 'vendor-linked',
    queue: 'vendor',
    // One request a time: slow, because what is gone is found at the next edit as well.
    every: 600_000,
    pages: 1,
    needs: ['vendor-sales'],
    summary: 'search linked lead-opportunities',
  },
} as const satisfies Readonly<Record<string, StreamRow>>;

type Rows = typeof STREAMS;
export type StreamName = keyof Rows;
export const STREAM_NAMES = Object.keys(STREAMS) as readonly StreamName[];

/** The groups of operations without which a stream is not read. */
export function needsOf({ needs, into }: StreamRow): readonly OperationGroup[] {
  return into === undefined ? needs : [...needs, 'salesforce'];
}

/** What each stream's activity is called. */
export type StreamActivity<Stream extends StreamName = StreamName> = Rows[Stream]['activity'];

type OnQueue<Queue extends StreamRow['queue']> = {
  [Stream in StreamName]: Rows[Stream]['queue'] extends Queue ? Stream : never;
}[StreamName];

/** The activities that run on a task queue. */
export function streamActivitiesOn<Queue extends StreamRow['queue']>(
  queue: Queue,
): readonly StreamActivity<OnQueue<Queue>>[] {
  const rows = Object.values(STREAMS).filter((row) => row.queue === queue);
  return rows.map((row) => row.activity as StreamActivity<OnQueue<Queue>>);
}
