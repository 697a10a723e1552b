import type { CrmGraph, CrmReport } from '../domain/record/crm-graph.ts';
import { type Batcher, createBatcher, type Passengers, whenAllAborted } from './batcher.ts';
import { ALWAYS, type BurstGauge, createBurstGauge } from './burst-gauge.ts';
import { MAX_SUB_REQUESTS, sendLoads } from './composite.ts';
import { CrmError } from './errors.ts';
import { createGraphConditions, NO_CONDITIONS } from './graph-conditions.ts';
import { type GraphTools, graphLoad, readGraphs } from './read-graphs.ts';
import { type OpportunityHead, readHeads } from './read-heads.ts';
import { isNamed, MAX_COLLECTIONS, reportLoad, reportsInPart, reportsThatFit } from './report.ts';
import type { RowSizes } from './row-sizes.ts';
import { MAX_GRAPHS } from './send-graphs.ts';
import { sendMany } from './send-many.ts';
import { rowsAlong, type Update, updateLoad } from './send-updates.ts';

/**
 * The maximum number of records that one query reads. With more records, the query's address could exceed Salesforce's limit of 16,384
 * characters.
 */
const MAX_READINGS = 144;
/**
 * If at least this many items wait, a request of updates keeps some of its 25 sub-requests free for them. For this many reads, it keeps one
 * free, for a query that reads the records. For this many reports (writes of sync states for users), it keeps one free, for their sync
 * rows. If this many reports also write fields of the opportunity, it keeps one more free, because these are rows of another object.
 */
const WORTH_A_CALL = 48;
/**
 * If this many reports (writes of sync states for users) wait, they are sent in a request of their own without further delay. Fewer reports
 * wait until a request of updates includes them, but at most 15 seconds (`LONGEST_MS`).
 */
const ENOUGH_REPORTS = 400;
/**
 * In a request of reads that also includes updates: how many of its 25 sub-requests the updates must leave free. One is for the reads, and
 * two are for reports (writes of sync states for users), which write rows of two objects.
 */
const KEPT_PLACES = 3;

type Options = {
  readonly multiCurrency: boolean;
  /** Returns how many records of a burst (records that changed together) are being synced now. If absent, no call waits for others. */
  readonly onTheirWay?: (() => Promise<number>) | undefined;
  /** The clock; milliseconds since 1970. */
  readonly now: () => number;
  /** Whether updates may be sent as composite graphs (Salesforce's all-or-none units); default true. */
  readonly useGraphs?: boolean | undefined;
  /**
   * Called with the first test result that shows whether the org respects conditions (`If-Unmodified-Since`) in composite graphs, and again
   * whenever the result changes.
   */
  readonly onGraphConditions?: ((doCount: boolean) => void) | undefined;
};

type BatchTools = GraphTools & { readonly sizes: RowSizes };

export type Batchers = {
  readonly graphs: Batcher<string, CrmGraph | null>;
  readonly heads: Batcher<string, OpportunityHead | null>;
  readonly updates: Batcher<Update, null>;
  readonly reports: Batcher<CrmReport, null>;
};

/**
 * Combines the reads, updates and reports (writes of sync states for users) of many records into few requests. Each kind has a batcher of
 * its own, whose requests may include waiting items of other kinds. A request of updates usually includes waiting reports. During a burst
 * (records that changed together), reads and updates wait too. So a request of updates then also includes waiting reads, and a request of
 * reads also includes waiting updates.
 */
export function createBatchers(tools: BatchTools, options: Options): Batchers {
  const { multiCurrency, onTheirWay } = options;
  const gauge = onTheirWay === undefined ? undefined : createBurstGauge(onTheirWay);
  const graphs: Batchers['graphs'] = createBatcher({
    maxSize: MAX_READINGS,
    gauge,
    run: (ids, signal) => {
      const updating = updates.take(MAX_SUB_REQUESTS - KEPT_PLACES);
      if (updating === null) return readGraphs(tools, ids, { operation: 'readGraph', signal });
      const own = passengersOf<string, CrmGraph | null>(ids, signal);
      void send(tools, updating, reportsAlong({ reports, sizes: tools.sizes }, updating.items, 1), own.passengers);
      return own.answers;
    },
  });
  const reports: Batchers['reports'] = createBatcher({
    maxSize: (waiting) => reportsThatFit(waiting, tools.sizes),
    enough: () => ENOUGH_REPORTS,
    gauge: gauge && ALWAYS,
    run: (batch, signal) => sendReports(tools, batch, signal),
  });
  const updates = createUpdates({ tools, options, gauge, others: { graphs, reports } });
  const heads: Batchers['heads'] = createBatcher({
    maxSize: MAX_READINGS,
    run: (ids, signal) => readHeads(tools.session, ids, multiCurrency, { operation: 'applyWrite', signal }),
  });
  return { graphs, updates, reports, heads };
}

type Others = Pick<Batchers, 'graphs' | 'reports'>;

type UpdateParts = {
  readonly tools: BatchTools;
  readonly options: Options;
  readonly gauge: BurstGauge | undefined;
  readonly others: Others;
};

/**
 * Creates the batcher of updates. It sends them as sub-requests of composite requests. A large batch is sent as composite graphs
 * (all-or-none units) instead, if a test has shown that the org respects conditions (`If-Unmodified-Since`) in graphs.
 */
function createUpdates({ tools, options, gauge, others }: UpdateParts): Batchers['updates'] {
  const { session, sizes } = tools;
  const { now, useGraphs = true, onGraphConditions: onShown } = options;
  const conditions = useGraphs ? createGraphConditions({ session, now, onShown }) : NO_CONDITIONS;
  const asParts = (batch: readonly Update[], signal: AbortSignal): Promise<Answers<null>> => {
    const own = passengersOf<Update, null>(batch, signal);
    const hasPlace = batch.length + places(rowsAlong(batch).length > 0) < MAX_SUB_REQUESTS;
    const reading = hasPlace ? others.graphs.take(MAX_READINGS) : null;
    void send(tools, own.passengers, reportsAlong({ ...others, sizes }, batch, places(reading !== null)), reading);
    return own.answers;
  };
  const inParts = (batch: readonly Update[], signal: AbortSignal) =>
    oneByOne(
      batch,
      (waiting) => roomFor(waiting, others),
      (part) => asParts(part, signal),
    );
  // A request of composite graphs contains only updates. So if reads or reports wait, a batch of fewer than 75 updates is sent as
  // sub-requests, because the waiting reads and reports can share these requests.
  const isMany = ({ length }: readonly Update[]): boolean =>
    length >= MAX_GRAPHS || (length > MAX_SUB_REQUESTS && others.graphs.waiting() + others.reports.waiting() === 0);
  return createBatcher({
    maxSize: (waiting) => (conditions.mayCount() && isMany(waiting) ? MAX_GRAPHS : roomFor(waiting, others)),
    enough: (waiting) => {
      if (conditions.mayCount()) return MAX_GRAPHS;
      // If enough reads wait, the last updates of a batch are sent with them, because two separate requests would be almost empty.
      return others.graphs.waiting() >= WORTH_A_CALL ? roomFor(waiting, others) : 2 * MAX_SUB_REQUESTS;
    },
    gauge,
    run: async (batch, signal) => {
      if (batch.length <= MAX_SUB_REQUESTS) return asParts(batch, signal);
      await reportBefore(tools, batch, others.reports);
      return sendMany({ session, conditions, inParts }, batch, signal);
    },
  });
}

/**
 * Sends a batch of updates that does not fit into one request. Sends several requests, one after another, and returns the answers in the
 * order of the updates. If a request fails, only the updates in that request fail.
 */
async function oneByOne(
  batch: readonly Update[],
  room: (waiting: readonly Update[]) => number,
  run: (part: readonly Update[]) => Promise<Answers<null>>,
): Promise<Answers<null>> {
  const answers: (null | CrmError)[] = [];
  while (answers.length < batch.length) {
    const waiting = batch.slice(answers.length);
    const part = waiting.slice(0, room(waiting));
    try {
      answers.push(...(await run(part)));
    } catch (error) {
      if (!(error instanceof CrmError)) throw error;
      answers.push(...part.map(() => error));
    }
  }
  return answers;
}

/**
 * Sends the waiting reports (writes of sync states for users) about the records of these updates before the updates themselves. A request
 * of composite graphs cannot include reports, and a report that is sent after an update would overwrite the newer sync row
 * (`Lockstep_Sync__c`) of the update.
 */
async function reportBefore(
  tools: BatchTools,
  updates: readonly Update[],
  reports: Batchers['reports'],
): Promise<void> {
  const ids = new Set(updates.map(({ write }) => write.opportunityId));
  const isOfThese = (report: CrmReport): boolean => ids.has(report.opportunityId) && !isNamed(report);
  if (reports.waiting(isOfThese) === 0) return;
  const most = Math.min(ENOUGH_REPORTS, MAX_COLLECTIONS * reportsInPart(tools.sizes));
  const waiting = reports.take(most, (report) => !isNamed(report));
  if (waiting === null) return;
  await give(waiting, () => sendReports(tools, waiting.items, waiting.signal));
}

/**
 * How many updates fit into one request if it leaves room for the sync rows of the updates, and for waiting reads and reports if many of
 * these wait.
 */
function roomFor(waiting: readonly Update[], { graphs, reports }: Others): number {
  const telling = waiting.some(({ sync }) => sync !== null) || reports.waiting() >= WORTH_A_CALL;
  const others = [graphs.waiting() >= WORTH_A_CALL, telling, reports.waiting(isNamed) >= WORTH_A_CALL];
  return MAX_SUB_REQUESTS - others.filter(Boolean).length;
}

/**
 * Removes from the queue as many waiting reports (writes of sync states for users) as fit into one request with these updates. `others`:
 * how many further sub-requests the request contains. Null if no report waits or fits.
 */
function reportsAlong(
  { reports, sizes }: Pick<Batchers, 'reports'> & Pick<BatchTools, 'sizes'>,
  updates: readonly Update[],
  others: number,
): Passengers<CrmReport, null> | null {
  const rows = rowsAlong(updates).length;
  const free = MAX_SUB_REQUESTS - updates.length - others - 1;
  const room = reportsInPart(sizes) - rows;
  if (free < 0 || room <= 0) return null;
  return reports.take(room, free === 0 ? (report) => !isNamed(report) : undefined);
}

function places(isTaken: boolean): number {
  return isTaken ? 1 : 0;
}

/**
 * Wraps the items of one batcher's batch as `Passengers`, so that one request can carry them together with items of other batchers. Also
 * returns the promise of their answers.
 */
function passengersOf<In, Out>(items: readonly In[], signal: AbortSignal) {
  const { promise, resolve, reject } = Promise.withResolvers<Answers<Out>>();
  const passengers: Passengers<In, Out> = { items, signal, answer: resolve, fail: reject };
  return { passengers, answers: promise };
}

type Answers<Out> = Parameters<Passengers<never, Out>['answer']>[0];

/**
 * Sends updates, reports and reads as one request, which is aborted when all its callers have aborted. If an update and a report concern
 * the same record, their sync rows (`Lockstep_Sync__c`) are merged, and the update's values count. The read comes last, so that its data is
 * not older than the answer's `Date` header.
 */
async function send(
  tools: BatchTools,
  updates: Passengers<Update, null>,
  reports: Passengers<CrmReport, null> | null,
  graphs: Passengers<string, CrmGraph | null> | null,
): Promise<void> {
  const all = [updates, reports, graphs].filter((group) => group !== null);
  const everyone = whenAllAborted(all.map(({ signal }) => signal));
  const call = { operation: 'applyWrite', signal: everyone.signal };
  try {
    const [updated, reported, read] = await sendLoads(
      tools.session,
      [
        updateLoad(updates.items),
        reportLoad(reports?.items ?? [], tools.sizes, rowsAlong(updates.items)),
        graphLoad(tools, graphs?.items ?? [], call),
      ],
      call,
    );
    await Promise.all([give(updates, updated), give(reports, reported), give(graphs, read)]);
  } catch (error) {
    for (const group of all) group.fail(error);
  } finally {
    everyone.release();
  }
}

async function give<Out>(
  group: Pick<Passengers<never, Out>, 'answer' | 'fail'> | null,
  read: () => Answers<Out> | Promise<Answers<Out>>,
): Promise<void> {
  if (group === null) return;
  try {
    group.answer(await read());
  } catch (error) {
    group.fail(error);
  }
}

async function sendReports(
  { session, sizes }: BatchTools,
  batch: readonly CrmReport[],
  signal: AbortSignal,
): Promise<Answers<null>> {
  const [reported] = await sendLoads(session, [reportLoad(batch, sizes)], { operation: 'report', signal });
  return reported();
}
