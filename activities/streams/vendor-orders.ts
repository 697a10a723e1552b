import { log } from '@temporalio/activity';
import { isVendorId } from '../../src/domain/record/vendor-id.ts';
import { LOAD_PAUSE } from '../../src/domain/streams/orders-load.ts';
import type { Period } from '../../src/domain/streams/period-cursor.ts';
import type { RowOf } from '../../src/domain/streams/streams.ts';
import type { DueDetail, MirrorChange, MirrorWork, ReadDetail } from '../../src/ledger/mirror/mirror-ledger.ts';
import { difference } from '../../src/mirror/difference.ts';
import type { Mirror, MirrorRow } from '../../src/mirror/mirror.ts';
import { CHARGE_LINE_MIRROR } from '../../src/mirror/orders/charge-line-mirror.ts';
import { ORDER_MIRROR } from '../../src/mirror/orders/order-mirror.ts';
import { isOlder, newsOf, type OrderState, stateOfOrder } from '../../src/mirror/orders/order-news.ts';
import { orderRows } from '../../src/mirror/orders/order-rows.ts';
import { type OrderDetail, PartnerApiError, type Result } from '../../src/partner-api/index.ts';
import { RefusedAlone } from '../support/refused-alone.ts';
import { isInstant, vendorTime } from '../support/vendor-time.ts';
import { askVendor } from './ask-vendor.ts';
import { failsAlone } from './fails-alone.ts';
import { type MirrorWrites, mirrorWrites } from './mirror-writes.ts';
import { dueOrders, orderPages } from './order-searches.ts';
import { writeTotals } from './order-totals.ts';
import { notifyOwners, ORDER_NEWS } from './owner-notices.ts';
import { settledVersions } from './row-versions.ts';
import { readInto, type StreamOf, type StreamReader, type StreamSource, type TakenPages } from './stream.ts';

const BY_UPDATE = {
  criteria: ({ fromDate, toDate }: Period) => ({ lastUpdateDateTime: { from: fromDate, to: toDate } }),
};

type Orders = StreamOf<RowOf<'pullOrders'>>;

/** The vendor's objects that are copied into the CRM: orders (masters) before their charge lines (details). */
const MIRRORS: readonly [Mirror, Mirror] = [ORDER_MIRROR, CHARGE_LINE_MIRROR];
/**
 * Copies changed orders into the CRM. Each call is one step, with one request to the vendor or one write to the CRM. The order of the
 * steps: mark rows in doubt for a new read, retry refused rows, write full batches, read the details of changed orders, search changed
 * orders, write the remaining rows. While an operator has paused the first load (the load of old orders), only orders that changed are
 * read.
 */
export const vendorOrders: StreamSource<'pullOrders'> = (stream) => {
  const writes = mirrorWrites(stream, MIRRORS, stream.runtime.tenant.vendor.ordersEveryMs);
  const search = readInto(stream, [orderPages(stream, BY_UPDATE)], dueOrders(stream, true));
  const read: StreamReader['read'] = async (_, stored) => {
    const isLoadPaused = (stored[search.cursors.length] ?? null) !== null;
    const { steps: work, detailAt } = await writes.work(isLoadPaused);
    const own = stored.slice(0, search.cursors.length);
    const step: Step = { writes, work, detailAt, isLoadPaused, search: () => search.read(1, own) };
    return (
      (work.has('uncertain') ? await writes.renew() : null) ??
      (work.has('refused') ? await writes.again() : null) ??
      (work.has('pending') ? await writes.full() : null) ??
      (work.has('detail') ? await meanwhile(stream, step) : null) ??
      (await searchOrRest(stream, step))
    );
  };
  return { cursors: [...search.cursors, LOAD_PAUSE], read };
};

type Step = {
  readonly writes: MirrorWrites;
  readonly work: ReadonlySet<MirrorWork>;
  readonly detailAt: string | null;
  readonly isLoadPaused: boolean;
  readonly search: () => Promise<TakenPages>;
};

/**
 * Does one step while details of orders must still be read. Usually reads the details of one order. A search for changed orders is due once
 * per poll interval, even while many details wait. Remaining rows, lookups, totals and notices are then written first, and the search
 * follows. Null if no search and no details are due now.
 */
async function meanwhile(stream: Orders, step: Step): Promise<TakenPages | null> {
  if (!step.work.has('search')) return readDetail(stream, step);
  return (await finish(stream, step)) ?? { ...(await step.search()), more: true };
}

/**
 * Searches for changed orders. If the search finds none, writes the rows that are too few for a full batch, because no further rows are
 * coming. Returns whether there is more to do, and when.
 */
async function searchOrRest(stream: Orders, step: Step): Promise<TakenPages> {
  const taken = await step.search();
  if (taken.more) return taken;
  const rest = await finish(stream, step);
  if (rest !== null || step.detailAt === null) return { ...taken, ...rest };
  return { ...taken, againMs: Math.max(0, Date.parse(step.detailAt) - Date.parse(stream.deps.now())) };
}

/**
 * Does one piece of the work that follows the searches: writes rows, lookups or totals, or notifies owners. Null if nothing is left to do.
 */
async function finish(stream: Orders, { writes, work }: Step): Promise<TakenPages | null> {
  return (
    (work.has('pending') ? await writes.rest() : null) ??
    (work.has('shown') ? await writes.links() : null) ??
    (work.has('total') ? await writeTotals(stream) : null) ??
    (work.has('news') ? await notifyOwners(stream, ORDER_NEWS) : null)
  );
}

/**
 * Reads the details of one order, and stores its rows in the ledger (Lockstep's database). Takes the order that changed last of those whose
 * details must be read. A later step writes the rows to the CRM. Null if no order's details must be read.
 */
async function readDetail(stream: Orders, { isLoadPaused }: Pick<Step, 'isLoadPaused'>): Promise<TakenPages | null> {
  const { name, deps, runtime } = stream;
  const { tenant } = runtime.tenant;
  const detail = await deps.ledger.nextDetail(tenant, name, deps.now(), { isLoadPaused });
  if (detail === null) return null;
  const answer = await ask(stream, detail);
  if (answer === null) return postpone(stream, detail);
  const { order, lines } = orderRows(answer.data);
  const row = { object: ORDER_MIRROR.object, id: order.id };
  const known = await deps.ledger.mirrorRows(tenant, row);
  const changesOf = (mirror: Mirror, shown: readonly MirrorRow[]): readonly MirrorChange[] => {
    const { object } = mirror;
    const own = known.filter((one) => one.object === object);
    return difference(mirror, own, shown, order.id).map((change) => ({ ...change, object }));
  };
  const isNewest = await deps.ledger.keepDetail(tenant, name, {
    detail,
    row,
    ...versionOf(answer),
    opportunity: opportunityOf(answer.data),
    changed: [...changesOf(ORDER_MIRROR, [order]), ...changesOf(CHARGE_LINE_MIRROR, lines)],
    ...(await knownFrom(stream, answer.data)),
  });
  if (isNewest) return { found: 1, more: true };
  // The answer may come from a cache, or another worker has read the order after this one.
  log.warn('the vendor answered an older version of an order', { stream: name });
  return postpone(stream, detail);
}

/** Postpones the next read of an order's details, so that other orders are read first. */
async function postpone({ name, deps, runtime }: Orders, { rowId }: DueDetail): Promise<TakenPages> {
  await deps.ledger.postponeDetail(runtime.tenant.tenant, name, rowId, deps.now());
  return { found: 0, refused: 1, more: true };
}

/** The vendor's id of the opportunity that an order names; null if there is none, or if the text cannot be an id. */
function opportunityOf({ opportunityId }: OrderDetail): string | null {
  return opportunityId && isVendorId(opportunityId) ? opportunityId : null;
}

/**
 * An order's new state and the news for the owner of its deal, in the form that the ledger (Lockstep's database) stores. Empty if owners
 * are not notified, or if the ledger has a newer state.
 */
async function knownFrom({ deps, runtime }: Orders, order: OrderDetail): Promise<Pick<ReadDetail, 'known'>> {
  const { tenant, orders } = runtime.tenant;
  if (orders.notifyOwner === 'none') return {};
  const { id } = order.transaction;
  const was = (await deps.ledger.rowState(tenant, { object: ORDER_MIRROR.object, id })) as OrderState | null;
  const state = stateOfOrder(order);
  if (isOlder(state, was)) return {};
  const at = deps.now();
  return { known: { state, news: newsOf(id, was, state, at), at } };
}

/** Kinds of vendor errors that concern only the order that is being read. */
const OF_AN_ORDER: ReadonlySet<string> = new Set(['not-found', 'invalid', 'protocol', 'unknown', 'busy']);

/**
 * Reads the details of an order. Null if this order cannot be read; it is then retried later and delays no other order. If the order fails
 * like an outage of the vendor, but alone, it is postponed too, and the error is thrown, so that operators see it and the stream is retried
 * at growing intervals.
 */
async function ask(stream: Orders, detail: DueDetail): Promise<Result<OrderDetail> | null> {
  const { rowId: id } = detail;
  try {
    const answer = await askVendor(stream, (vendor, options) => vendor.readOrder({ id }, options), `order ${id}`);
    if (answer.data.transaction.id === id) return answer;
    log.warn('the vendor answered another order', { stream: stream.name });
    return null;
  } catch (error) {
    if (error instanceof RefusedAlone) return null;
    const isItsOwn = error instanceof PartnerApiError && OF_AN_ORDER.has(error.kind) && error.code !== 'BODY_NOT_JSON';
    if (!isItsOwn && (await failsAlone(stream, error))) await postpone(stream, detail);
    if (!isItsOwn) throw error;
    log.warn('an order cannot be read', { stream: stream.name, kind: error.kind, code: error.code });
    return null;
  }
}

/**
 * When the order was modified, as read, ISO; null if the vendor sends no valid time. `stamp`: the same time if it identifies the details
 * that were read. Null if the order was modified just now, because it may then change again without a new modification time.
 */
function versionOf(answer: Result<OrderDetail>): Pick<ReadDetail, 'modifiedAt' | 'stamp'> {
  const { transaction, lastUpdateDateTime } = answer.data;
  const modifiedAt = isInstant(lastUpdateDateTime) ? new Date(lastUpdateDateTime).toISOString() : null;
  const [version] = settledVersions([{ id: transaction.id, stamp: modifiedAt, item: null }], vendorTime(answer));
  return { modifiedAt, stamp: version?.stamp ?? null };
}
