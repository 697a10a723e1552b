import type { CrmGraph, CrmReport } from '../domain/record/crm-graph.ts';
import { type Batcher, createBatcher, type Passengers, whenAllAborted } from './batcher.ts';
import { ALWAYS, createCompany } from './company.ts';
import { sendLoads } from './composite.ts';
import { type GraphTools, graphLoad, readGraphs } from './read-graphs.ts';
import { type OpportunityHead, readHeads } from './read-heads.ts';
import { MAX_REPORTS, MAX_REPORTS_ALONG, reportLoad } from './report.ts';
import { MAX_UPDATES, type Update, updateLoad } from './send-updates.ts';
import type { Session } from './session.ts';

/** Readings that travel together: well below Salesforce's 16,384 characters an address. */
const MAX_GRAPHS = 144;
/** So many readings, or reports, that wait for company are worth the places of updates in a full request. */
const WORTH_IT = 48;
/** The places that they take there: a query, and a part for the rows of either object. */
const GRAPHS_PLACES = 1;
const REPORTS_PLACES = 2;

type Options = {
  readonly multiCurrency: boolean;
  /** How many records of a burst are on their way; absent: nothing waits for company. */
  readonly onTheirWay?: (() => Promise<number>) | undefined;
};

export type Batchers = {
  readonly graphs: Batcher<string, CrmGraph | null>;
  readonly heads: Batcher<string, OpportunityHead | null>;
  readonly updates: Batcher<Update, null>;
  readonly reports: Batcher<CrmReport, null>;
};

/**
 * What of many records travels together. Each kind has its own requests; in a burst, readings and reports that wait for
 * company go along with updates, and updates with readings.
 */
export function createBatchers(tools: GraphTools, { multiCurrency, onTheirWay }: Options): Batchers {
  const { session } = tools;
  const company = onTheirWay === undefined ? undefined : createCompany(onTheirWay);
  const graphs: Batchers['graphs'] = createBatcher({
    maxSize: MAX_GRAPHS,
    company,
    run: (ids, signal) => {
      const updating = updates.take(MAX_UPDATES - GRAPHS_PLACES - REPORTS_PLACES);
      if (updating === null) return readGraphs(tools, ids, { operation: 'readGraph', signal });
      const own = passengersOf<string, CrmGraph | null>(ids, signal);
      void send(tools, updating, reports.take(MAX_REPORTS_ALONG), own.passengers);
      return own.answers;
    },
  });
  const room = (): number => MAX_UPDATES - wanted(graphs, GRAPHS_PLACES) - wanted(reports, REPORTS_PLACES);
  const updates: Batchers['updates'] = createBatcher({
    maxSize: room,
    // Of the updates of one reading the last ones take the next reading along: alone, it would leave a request all but empty.
    enough: () => {
      const few = graphs.waiting();
      return few === 0 || few >= WORTH_IT ? room() : 2 * MAX_UPDATES;
    },
    company,
    run: (batch, signal) => {
      const own = passengersOf<Update, null>(batch, signal);
      const free = MAX_UPDATES - batch.length;
      const reading = free < GRAPHS_PLACES ? null : graphs.take(MAX_GRAPHS);
      const left = reading === null ? free : free - GRAPHS_PLACES;
      const telling = left < REPORTS_PLACES ? null : reports.take(MAX_REPORTS_ALONG);
      void send(tools, own.passengers, telling, reading);
      return own.answers;
    },
  });
  const reports: Batchers['reports'] = createBatcher({
    maxSize: MAX_REPORTS,
    company: company && ALWAYS,
    run: (batch, signal) => sendReports(session, batch, signal),
  });
  const heads: Batchers['heads'] = createBatcher({
    maxSize: MAX_GRAPHS,
    run: (ids, signal) => readHeads(session, ids, multiCurrency, { operation: 'applyWrite', signal }),
  });
  return { graphs, updates, reports, heads };
}

/** The places of updates that are left to those that wait for company. */
function wanted({ waiting }: Pick<Batcher<never, never>, 'waiting'>, places: number): number {
  return waiting() < WORTH_IT ? 0 : places;
}

/** A batch as passengers, with what they are answered. */
function passengersOf<In, Out>(items: readonly In[], signal: AbortSignal) {
  const { promise, resolve, reject } = Promise.withResolvers<Answers<Out>>();
  const passengers: Passengers<In, Out> = { items, signal, answer: resolve, fail: reject };
  return { passengers, answers: promise };
}

type Answers<Out> = Parameters<Passengers<never, Out>['answer']>[0];

/**
 * Sends updates, with reports and readings that go along, as one request, which is given up once all of them are. What an update
 * tells of its record comes after what was told of that record's wait. The reading is the last part, so that it is no older
 * than the clock of the answer says: stamps of whole seconds are told apart by that.
 */
async function send(
  tools: GraphTools,
  updates: Passengers<Update, null>,
  reports: Passengers<CrmReport, null> | null,
  graphs: Passengers<string, CrmGraph | null> | null,
): Promise<void> {
  const all = [updates, reports, graphs].filter((group) => group !== null);
  const everyone = whenAllAborted(all.map(({ signal }) => signal));
  const call = { operation: 'applyWrite', signal: everyone.signal };
  try {
    const [told, updated, read] = await sendLoads(
      tools.session,
      [
        reportLoad(reports?.items ?? []),
        updateLoad(updates.items),
        graphLoad(tools, graphs?.items ?? [], call),
      ],
      call,
    );
    await Promise.all([give(updates, updated), give(reports, told), give(graphs, read)]);
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
  session: Session,
  batch: readonly CrmReport[],
  signal: AbortSignal,
): Promise<Answers<null>> {
  const [told] = await sendLoads(session, [reportLoad(batch)], { operation: 'report', signal });
  return told();
}
