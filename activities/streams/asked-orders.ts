import { cancellationSignal, log } from '@temporalio/activity';
import type { CrmFields } from '../../src/domain/record/crm-graph.ts';
import type { RowOf } from '../../src/domain/streams/streams.ts';
import { OPPORTUNITY } from '../../src/mirror/orders/order-links.ts';
import { ORDER_MIRROR } from '../../src/mirror/orders/order-mirror.ts';
import {
  answerOf,
  criteriaOf,
  FOUND,
  foundRow,
  foundState,
  MOST_FOUND,
  refusalAnswer,
  SEARCH,
} from '../../src/mirror/orders/order-search.ts';
import { type OrderSummary, PartnerApiError, type SearchOrdersInput } from '../../src/partner-api/index.ts';
import type { OrderSearches, RequestsPosition } from '../../src/salesforce/crm.ts';
import { RefusedAlone } from '../support/refused-alone.ts';
import { askVendor } from './ask-vendor.ts';
import { isOfARow } from './crm-rows.ts';
import { failsAlone } from './fails-alone.ts';
import { isOrderId } from './order-searches.ts';
import type { StreamOf, StreamSource, TakenPages } from './stream.ts';

/** The stream `findOrders`. `after`: the position in the CRM's list of requests after which this step reads. */
type Asked = StreamOf<RowOf<'findOrders'>> & { readonly after: RequestsPosition };
type Search = OrderSearches['waiting'][number];
type Ticked = OrderSearches['ticked'][number];

/**
 * Answers order searches that sales persons request in the CRM, with one vendor request in each step, and links the orders that they
 * ticked. A request stays in the CRM until its answer is written, so an interrupted step is repeated. Each step reads one page of these
 * requests from the CRM. If it can answer none of them, it moves the cursor to the next page, so that they do not delay later requests.
 */
export const askedOrders: StreamSource<'findOrders'> = (stream) => ({
  cursors: [stream.name],
  read: async () => {
    const { deps, runtime } = stream;
    const { tenant } = runtime.tenant;
    const after = {
      ...BEGIN,
      ...((await deps.ledger.cursor(tenant, stream.name)) as Partial<RequestsPosition> | null),
    };
    const page = await runtime.crm.orderSearches(SEARCH.criteria, after, { signal: cancellationSignal() });
    const { waiting, ticked, next, more } = page;
    const asked: Asked = { ...stream, after };
    const done = (ticked.length > 0 && (await link(asked, ticked))) || (await answerFirst(asked, waiting));
    if (done) return { found: 1, more: true } satisfies TakenPages;
    await deps.ledger.saveCursor(tenant, stream.name, more ? next : BEGIN, deps.now());
    return { found: 0, more } satisfies TakenPages;
  },
});

const BEGIN: RequestsPosition = { search: null, found: null };

/** Answers the first waiting order search that can be answered. Returns false if none can be answered; a later poll tries them again. */
async function answerFirst(stream: Asked, waiting: readonly Search[]): Promise<boolean> {
  const [first, ...others] = waiting;
  if (first === undefined) return false;
  for (const searches of [[first], others]) {
    // A row that cannot be written must not cost a vendor request at every poll.
    const message = { Message__c: 'Lockstep searches now.' };
    const begun = new Set(
      await update(
        stream,
        SEARCH.object,
        searches.map(({ id }) => ({ Id: id, ...message })),
      ),
    );
    for (const search of searches) if (begun.has(search.id) && (await answer(stream, search))) return true;
  }
  return false;
}

async function answer(stream: Asked, search: Search): Promise<boolean> {
  const asked = criteriaOf(search.criteria, stream.deps.now(), stream.runtime.tenant.mapping.zone);
  if ('mistake' in asked) return write(stream, search, refusalAnswer(asked.mistake));
  const orders = await found(stream, search, asked.criteria);
  if (orders === null) return false;
  if (!Array.isArray(orders)) return write(stream, search, refusalAnswer(orders.mistake));
  if (orders.length > MOST_FOUND) return write(stream, search, answerOf(null));
  const free = await list(stream, search, orders);
  return write(stream, search, answerOf({ count: orders.length, free }));
}

/**
 * Kinds of vendor errors that concern the search's criteria. The refusal is then the answer to the search, and the search is not repeated.
 */
const OF_THE_SEARCH: ReadonlySet<string> = new Set(['invalid', 'bad-date', 'bad-period', 'not-found', 'out-of-scope']);
/** Kinds of vendor errors after which an order search waits for the next poll. Other searches are still answered. */
const FOR_NOW: ReadonlySet<string> = new Set(['busy', 'protocol', 'unknown']);

type Found = OrderSummary[] | { readonly mistake: string } | null;

/**
 * Searches the orders that match the criteria. Asks for one order more than an answer may list, in order to notice that there are too many.
 * Returns a `mistake` (a sentence for the user) if the vendor refuses the search; null if the search must wait for a later poll. If the
 * search fails like an outage of the vendor, but alone, the error is thrown, so that operators see it, and the next step begins after it.
 */
async function found(stream: Asked, search: Search, criteria: SearchOrdersInput): Promise<Found> {
  try {
    const ask = { ...criteria, top: MOST_FOUND + 1 };
    const { data } = await askVendor(
      stream,
      (vendor, options) => vendor.searchOrders(ask, options),
      `search ${search.id}`,
    );
    return [...new Map(data.map((order) => [order.transaction.id, order])).values()].filter(({ transaction }) =>
      isOrderId(transaction.id),
    );
  } catch (error) {
    if (error instanceof RefusedAlone) return null;
    if (!(error instanceof PartnerApiError)) throw error;
    if (OF_THE_SEARCH.has(error.kind))
      return { mistake: `The vendor refused the search (${error.code ?? error.kind}). Check the criteria.` };
    const isForNow = FOR_NOW.has(error.kind) && error.code !== 'BODY_NOT_JSON';
    if (!isForNow && (await failsAlone(stream, error))) await passOver(stream, search);
    if (!isForNow) throw error;
    log.warn('a search of orders waits', { stream: stream.name, kind: error.kind, code: error.code });
    return null;
  }
}

/** Lets the next step begin after this search, so that the search does not delay others. A later poll of the stream tries it again. */
async function passOver({ name, deps, runtime, after }: Asked, { id }: Search): Promise<void> {
  await deps.ledger.saveCursor(runtime.tenant.tenant, name, { ...after, search: id }, deps.now());
}

/**
 * Writes found orders to the CRM as rows that belong to their search. Returns how many of the orders are free, so that a sales person may
 * link them to an opportunity.
 */
async function list(stream: Asked, search: Search, orders: readonly OrderSummary[]): Promise<number> {
  if (orders.length === 0) return 0;
  const { crm } = stream.runtime;
  const links = await linksOf(
    stream,
    orders.map(({ transaction }) => transaction.id),
  );
  const rows = orders.map((order) => foundRow(search, order, links.get(order.transaction.id) ?? null));
  const key = FOUND.externalId;
  const known = await crm.rowsWith(
    { object: FOUND.object, key, values: rows.map((row) => String(row[key])), fields: [] },
    { signal: cancellationSignal() },
  );
  const idOf = new Map(known.map((row) => [row[key], String(row['Id'])]));
  // Only the insert of a row may name its search, because a row keeps its search.
  const fresh = rows.filter((row) => !idOf.has(row[key]));
  if (fresh.length > 0) {
    const answers = await crm.upsertRows(FOUND.object, key, fresh, { signal: cancellationSignal() });
    settle(answers);
  }
  const listed = rows.flatMap(({ Search__c, [key]: own, ...rest }) => {
    const id = idOf.get(own ?? null);
    return id === undefined ? [] : [{ Id: id, ...rest }];
  });
  await update(stream, FOUND.object, listed);
  return rows.filter((row) => row['State__c'] === 'Free').length;
}

/**
 * Links orders that sales persons ticked and that belong to no opportunity yet. For each other ticked order, writes to which opportunity it
 * belongs. Returns whether any order was handled.
 */
async function link(stream: Asked, ticked: readonly Ticked[]): Promise<boolean> {
  const { deps, runtime } = stream;
  const { tenant } = runtime.tenant;
  // A row that cannot be written must not cause the same work at every poll.
  const writable = new Set(
    await update(
      stream,
      FOUND.object,
      ticked.map(({ id }) => ({ Id: id, State__c: 'Free' })),
    ),
  );
  const rows = ticked.filter(({ id, order }) => writable.has(id) && isOrderId(order));
  if (rows.length === 0) return false;
  const links = await linksOf(
    stream,
    rows.map(({ order }) => order),
  );
  const stated = rows.map((row) => {
    const state = foundState(links.get(row.order) ?? null, row.opportunityId);
    // Of two ticks for one order, the first counts.
    if (state === 'Free') links.set(row.order, row.opportunityId);
    return { ...row, state: state === 'Free' ? ('Linked' as const) : state };
  });
  const chosen = Map.groupBy(
    stated.filter(({ state }) => state === 'Linked'),
    ({ opportunityId }) => opportunityId,
  );
  const of = { stream: 'pullOrders', object: ORDER_MIRROR.object };
  for (const [opportunityId, own] of chosen)
    await deps.ledger.chooseOpportunity(
      tenant,
      { ...of, ids: own.map(({ order }) => order), opportunityId },
      deps.now(),
    );
  const settled = await update(
    stream,
    FOUND.object,
    stated.map(({ id, state }) => ({ Id: id, State__c: state })),
  );
  // If this start fails, the next poll of orders links them.
  await deps.fleet?.startStream(tenant, 'pullOrders').catch(() => false);
  return settled.length > 0;
}

/** The CRM's ids of the opportunities to which the orders belong, by order id. */
async function linksOf({ runtime }: Asked, values: readonly string[]): Promise<Map<string, string>> {
  const [object, key] = [ORDER_MIRROR.object, ORDER_MIRROR.externalId];
  const rows = await runtime.crm.rowsWith(
    { object, key, values, fields: [OPPORTUNITY] },
    { signal: cancellationSignal() },
  );
  return new Map(
    rows.flatMap((row) => (typeof row[OPPORTUNITY] === 'string' ? [[String(row[key]), row[OPPORTUNITY]]] : [])),
  );
}

/** Writes a search's answer to its row in the CRM. False if Salesforce refuses the row. */
async function write(stream: Asked, { id }: Search, fields: CrmFields): Promise<boolean> {
  const answered = { Id: id, ...fields, Searched__c: stream.deps.now() };
  return (await update(stream, SEARCH.object, [answered])).length > 0;
}

/** Updates CRM rows. Returns the ids of the rows that Salesforce accepted. Throws if an error concerns all rows. */
async function update({ runtime }: Asked, object: string, rows: readonly CrmFields[]): Promise<readonly string[]> {
  if (rows.length === 0) return [];
  const answers = await runtime.crm.updateRows(object, rows, { signal: cancellationSignal() });
  settle(answers);
  return rows.flatMap((row, place) => (answers[place] === null ? [String(row['Id'])] : []));
}

function settle(answers: Awaited<ReturnType<Asked['runtime']['crm']['updateRows']>>): void {
  const fault = answers.find((error) => error !== null && !isOfARow(error));
  if (fault) throw fault;
  for (const error of answers)
    if (error !== null) log.warn('a row of an order search was refused', { code: error.code, fields: error.fields });
}
