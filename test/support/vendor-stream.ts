import { MockActivityEnvironment } from '@temporalio/testing';
import { createStreamActivities } from '../../activities/streams/sources.ts';
import type { TakenPages } from '../../activities/streams/stream.ts';
import type { ActivityDeps } from '../../activities/support/deps.ts';
import type { Period } from '../../src/domain/streams/period-cursor.ts';

/** An edit of a record at the vendor: its stamp by the vendor's clock, and the time from which it is visible. */
export type VendorEdit = { readonly record: string; readonly stampMs: number; readonly visibleMs: number };

export type VendorStreamOptions = {
  readonly edits: readonly VendorEdit[];
  /** How far the vendor's clock is ahead of Lockstep's. */
  readonly aheadMs: number;
  readonly overlapMs: number;
  /** Whether an edit that no search shows yet cannot be read either, as before its transaction commits. */
  readonly lateCommits: boolean;
  /** Whether answers contain the vendor's time. */
  readonly tellsTime: boolean;
  /** Wrong times in successive answers; null: the right time, as after the last. */
  readonly lies?: readonly (string | null)[];
  /** How long a marked record waits to be read. */
  readonly readAfterMs: number;
  readonly startMs: number;
};

type Clock = { ms: number };

const iso = (ms: number): string => new Date(ms).toISOString();

/** The vendor's side: a search that shows visible edits, and reads. */
function createVendor(options: VendorStreamOptions, clock: Clock) {
  const { edits, aheadMs, lateCommits, tellsTime, lies = [] } = options;
  const periods: (Period & { readonly vendorMs: number })[] = [];
  const isVisible = (edit: VendorEdit): boolean => edit.visibleMs <= clock.ms + aheadMs;

  function search({ fromDate, toDate }: Period): readonly string[] {
    periods.push({ fromDate, toDate, vendorMs: clock.ms + aheadMs });
    const latest = new Map<string, number>();
    for (const { record, stampMs } of edits.filter(isVisible))
      latest.set(record, Math.max(stampMs, latest.get(record) ?? 0));
    const [from, to] = [Date.parse(fromDate), Date.parse(toDate)];
    return [...latest].filter(([, ms]) => ms >= from && ms <= to).map(([record]) => record);
  }

  return {
    periods,
    /** The edits that a read shows. */
    read: (record: string): readonly VendorEdit[] =>
      edits.filter(
        (edit) => edit.record === record && (lateCommits ? isVisible(edit) : edit.stampMs <= clock.ms + aheadMs),
      ),
    api: {
      searchLeadOpportunities: async ({ data }: { data: readonly [{ modifiedDate: Period }] }) => {
        clock.ms += 100;
        const ids = search(data[0].modifiedDate);
        const truth = tellsTime ? iso(clock.ms + aheadMs) : null;
        const timestamp = lies[periods.length - 1] ?? truth;
        clock.ms += 100;
        const rateLimit = { limit: null, remaining: null, resetSeconds: null };
        return {
          data: [{ dsLeadOpportunityId: ids }],
          info: { timestamp, estimatedSearchCount: null },
          date: null,
          rateLimit,
        };
      },
    },
  };
}

type Marking = { readonly position: unknown };

/** The part of the ledger that a poll uses: one cursor, and marks. */
function createMarks() {
  const markedMs = new Map<string, number>();
  const due = new Set<string>();
  let cursor: unknown = null;
  const port = {
    pauses: async () => [],
    pausesAndCursors: async () => ({ pauses: [], positions: [null, cursor] }),
    saveCursor: async (_tenant: string, _stream: string, position: unknown) => {
      cursor = position;
    },
    moveCursors: async (_tenant: string, moves: readonly Marking[]) => {
      for (const { position } of moves) cursor = JSON.parse(JSON.stringify(position));
    },
    markDue: async (
      _tenant: string,
      ids: readonly { readonly vendorId: string }[],
      at: string,
      { position }: Marking,
    ) => {
      cursor = JSON.parse(JSON.stringify(position));
      for (const { vendorId } of ids) {
        due.add(vendorId);
        markedMs.set(vendorId, Date.parse(at));
      }
      return ids.map(({ vendorId }) => vendorId);
    },
    vendorIdsNotMarkedSince: async (_tenant: string, ids: readonly string[], since: string) =>
      ids.filter((id) => (markedMs.get(id) ?? 0) < Date.parse(since)),
    dueKeys: async () => [],
    markWoken: async () => {},
    reserveRequest: async () => ({ allowed: true }),
    reportQuota: async () => {},
  };
  return { port, due, markedMs };
}

/** The poll of one tenant over a ledger and a vendor in memory, on a manual clock. */
export function createVendorStream(options: VendorStreamOptions) {
  const clock: Clock = { ms: options.startMs };
  const vendor = createVendor(options, clock);
  const { port, due, markedMs } = createMarks();
  const shown = new Map<string, readonly VendorEdit[]>();
  let reads = 0;
  const tenant = { tenant: 'acme', vendor: { poll: { overlapMs: options.overlapMs } } };
  const deps = {
    now: () => iso(clock.ms),
    wake: async () => {},
    ledger: port,
    runtime: () => ({ tenant, vendor: vendor.api }),
  } as unknown as ActivityDeps;
  const search = () => createStreamActivities(deps).searchVendorOpportunities({ tenant: 'acme' });
  const environment = new MockActivityEnvironment();

  function readDue(): void {
    for (const record of due) {
      if (clock.ms - (markedMs.get(record) ?? 0) < options.readAfterMs) continue;
      due.delete(record);
      reads += 1;
      shown.set(record, vendor.read(record));
    }
  }

  return {
    /** Runs one poll to its end. */
    poll: async (): Promise<void> => {
      for (let more = true, pages = 0; more; pages += 1) {
        if (pages > 20) throw new Error('the poll does not end');
        const result: TakenPages = await environment.run(search);
        more = result.more;
      }
    },
    /** Lets time pass; due records are read at their time. */
    pass: (ms: number): void => {
      clock.ms += options.readAfterMs;
      readDue();
      clock.ms += Math.max(0, ms - options.readAfterMs);
      readDue();
    },
    nowMs: () => clock.ms,
    /** The edits that the last read of each record showed. */
    shown,
    periods: vendor.periods,
    reads: () => reads,
  };
}
