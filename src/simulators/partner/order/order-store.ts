import type { Order } from './order.ts';
import { headOf, type OrderHead } from './order-head.ts';
import { createKeyIndex, createTimeIndex, type KeyIndex, type TimeIndex } from './order-index.ts';
import type { OrderCriteria } from './order-search.ts';
import type { TimeCriterion } from './time-range.ts';

/** The simulated vendor's orders, indexed for each search criterion. */
export interface OrderStore {
  get(id: string): OrderHead | undefined;
  put(order: Order): void;
  remove(id: string): boolean;
  all(): Iterable<OrderHead>;
  size(): number;
  /** The order at this share of all, from the oldest (0) to the newest (just below 1). */
  pick(share: number): OrderHead | undefined;
  load(heads: readonly OrderHead[]): void;
  /**
   * Orders that meet all criteria and `accepts`: in the order of the time criterion with the fewest matches, or of
   * creation when searched by number.
   */
  find(criteria: OrderCriteria, accepts: (head: OrderHead) => boolean): readonly OrderHead[];
}

const TIMES: Readonly<Record<TimeCriterion, (head: OrderHead) => number>> = {
  creationDateTime: (head) => head.creationMs,
  bookingDateTime: (head) => head.bookingMs,
  lastUpdateDateTime: (head) => head.lastUpdateMs,
};

type Indexes = {
  readonly times: Readonly<Record<TimeCriterion, TimeIndex>>;
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
    pick: (share) => {
      const byAge = indexes.times.creationDateTime;
      const at = Math.floor(share * byAge.size());
      return byAge.slice(at, at + 1)[0];
    },
    load: (loaded) => {
      heads.clear();
      for (const head of loaded) heads.set(head.id, head);
      loadIndexes(indexes, loaded);
      onChange();
    },
    find: (criteria, accepts) =>
      candidates(indexes, criteria).filter((head) => meets(head, criteria) && accepts(head)),
  };
}

function createIndexes(): Indexes {
  return {
    times: {
      creationDateTime: createTimeIndex(TIMES.creationDateTime),
      bookingDateTime: createTimeIndex(TIMES.bookingDateTime),
      lastUpdateDateTime: createTimeIndex(TIMES.lastUpdateDateTime),
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

/** The shortest list of orders that the indexes can give for one of the criteria. */
function candidates(indexes: Indexes, criteria: OrderCriteria): readonly OrderHead[] {
  const { installedBaseNumber: base, onlineInstanceSeatId: seat, billToPoReferences: references } = criteria;
  if (base !== undefined) return byCreation(indexes.bases.get(base));
  if (seat !== undefined) return byCreation(indexes.seats.get(seat));
  if (references !== undefined) return byCreation([...references].flatMap(indexes.references.get));
  const spans = [...criteria.ranges].map(([name, { fromMs, toMs }]) => {
    const index = indexes.times[name];
    return { index, ...index.span(fromMs, toMs) };
  });
  const shortest = spans.sort((a, b) => a.end - a.start - (b.end - b.start))[0];
  return shortest?.index.slice(shortest.start, shortest.end) ?? [];
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
