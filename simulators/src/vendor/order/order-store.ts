import type { Order } from './order.ts';
import { headOf, type OrderHead } from './order-head.ts';
import { createKeyIndex, type KeyIndex } from './order-index.ts';
import type { OrderCriteria } from './order-search.ts';
import { createTimeGroups, isLegacy, type Selection, type TimeGroups } from './time-groups.ts';
import type { TimeCriterion } from './time-range.ts';

/** The requested page, and whether orders in the legacy status are included. */
export type OrderPage = { readonly skip: number; readonly top: number; readonly withLegacy: boolean };

/** The simulated vendor's orders, indexed for each search criterion. */
export interface OrderStore {
  get(id: string): OrderHead | undefined;
  put(order: Order): void;
  remove(id: string): boolean;
  all(): Iterable<OrderHead>;
  size(): number;
  /** An order by its relative position, from 0 to just below 1. */
  pick(share: number): OrderHead | undefined;
  load(heads: readonly OrderHead[]): void;
  /**
   * A page of the orders that meet all criteria, and the number of matches. A search by installed base, seat or reference sorts by
   * creation, another one by its time criterion with the fewest matches.
   */
  find(criteria: OrderCriteria, page: OrderPage): { readonly total: number; readonly heads: readonly OrderHead[] };
}

const TIMES: Readonly<Record<TimeCriterion, (head: OrderHead) => number>> = {
  creationDateTime: (head) => head.creationMs,
  bookingDateTime: (head) => head.bookingMs,
  lastUpdateDateTime: (head) => head.lastUpdateMs,
};

type Indexes = {
  readonly times: Readonly<Record<TimeCriterion, TimeGroups>>;
  readonly bases: KeyIndex;
  readonly seats: KeyIndex;
  readonly references: KeyIndex;
};

/** Makes an empty store. */
export function createOrderStore(onChange: () => void): OrderStore {
  const heads = new Map<string, OrderHead>();
  const indexes = createIndexes();
  const all = [...Object.values(indexes.times), indexes.bases, indexes.seats, indexes.references];

  function forget(id: string): boolean {
    const known = heads.get(id);
    if (known !== undefined) for (const index of all) index.remove(known);
    return heads.delete(id);
  }

  return {
    get: (id) => heads.get(id),
    put: (order) => {
      const head = headOf(order);
      forget(head.id);
      heads.set(head.id, head);
      for (const index of all) index.add(head);
      onChange();
    },
    remove: (id) => {
      const isRemoved = forget(id);
      onChange();
      return isRemoved;
    },
    all: () => heads.values(),
    size: () => heads.size,
    pick: (share) => indexes.times.creationDateTime.at(Math.floor(share * heads.size)),
    load: (loaded) => {
      heads.clear();
      for (const head of loaded) heads.set(head.id, head);
      loadIndexes(indexes, loaded);
      onChange();
    },
    find: (criteria, page) => find(indexes, criteria, page),
  };
}

function createIndexes(): Indexes {
  return {
    times: {
      creationDateTime: createTimeGroups(TIMES.creationDateTime),
      bookingDateTime: createTimeGroups(TIMES.bookingDateTime),
      lastUpdateDateTime: createTimeGroups(TIMES.lastUpdateDateTime),
    },
    bases: createKeyIndex((head) => head.bases),
    seats: createKeyIndex((head) => head.seats),
    references: createKeyIndex((head) => (head.reference === undefined ? [] : [head.reference])),
  };
}

function loadIndexes({ times, bases, seats, references }: Indexes, heads: readonly OrderHead[]): void {
  for (const index of Object.values(times)) index.load(heads);
  for (const index of [bases, seats, references]) {
    index.clear();
    heads.forEach(index.add);
  }
}

function find(indexes: Indexes, criteria: OrderCriteria, { skip, top, withLegacy }: OrderPage) {
  const { installedBaseNumber, onlineInstanceSeatId, billToPoReferences, ranges, transactionType } = criteria;
  const byKey = installedBaseNumber ?? onlineInstanceSeatId ?? billToPoReferences;
  if (byKey === undefined && ranges.size === 1) {
    // The index gives the whole answer, so only the orders of the page are read.
    const selection = shortest(indexes, criteria, { type: transactionType, withLegacy });
    return { total: selection?.total ?? 0, heads: selection?.page(skip, top) ?? [] };
  }
  const heads = candidates(indexes, criteria).filter(
    (head) => (withLegacy || !isLegacy(head)) && meets(head, criteria),
  );
  return { total: heads.length, heads: heads.slice(skip, skip + top) };
}

/** The shortest list of orders that the indexes can give for one of the criteria. */
function candidates(indexes: Indexes, criteria: OrderCriteria): readonly OrderHead[] {
  const { installedBaseNumber: base, onlineInstanceSeatId: seat, billToPoReferences: references } = criteria;
  if (base !== undefined) return byCreation(indexes.bases.get(base));
  if (seat !== undefined) return byCreation(indexes.seats.get(seat));
  if (references !== undefined) return byCreation([...references].flatMap(indexes.references.get));
  const selection = shortest(indexes, criteria, { type: criteria.transactionType, withLegacy: true });
  return selection?.page(0, selection.total) ?? [];
}

function shortest(
  { times }: Indexes,
  { ranges }: OrderCriteria,
  wanted: { readonly type: string | undefined; readonly withLegacy: boolean },
): Selection | undefined {
  const selections = Array.from(ranges, ([name, range]) => times[name].select(range, wanted));
  return selections.sort((a, b) => a.total - b.total)[0];
}

function byCreation(heads: readonly OrderHead[]): readonly OrderHead[] {
  return heads.toSorted((a, b) => a.creationMs - b.creationMs || (a.id < b.id ? -1 : 1));
}

function meets(head: OrderHead, criteria: OrderCriteria): boolean {
  const { installedBaseNumber: base, onlineInstanceSeatId: seat, billToPoReferences: references } = criteria;
  if (criteria.transactionType !== undefined && head.type !== criteria.transactionType) return false;
  if (base !== undefined && !head.bases.includes(base)) return false;
  if (seat !== undefined && !head.seats.includes(seat)) return false;
  if (references !== undefined && !references.has(head.reference ?? '')) return false;
  for (const [name, { fromMs, toMs }] of criteria.ranges) {
    const ms = TIMES[name](head);
    if (!(ms >= fromMs && ms <= toMs)) return false;
  }
  return true;
}
