import type { Order } from './order.ts';
import type { OrderCriteria } from './order-search.ts';
import type { TimeCriterion } from './time-range.ts';

/** The simulated vendor's orders, indexed for each search criterion. */
export interface OrderStore {
  get(id: string): Order | undefined;
  put(order: Order): void;
  remove(id: string): boolean;
  all(): readonly Order[];
  load(orders: readonly Order[]): void;
  /** Orders that meet all criteria and `accepts`, in a stable order. */
  find(criteria: OrderCriteria, accepts: (order: Order) => boolean): readonly Order[];
}

type Stamped = { readonly ms: number; readonly order: Order };

type Indexes = {
  readonly times: Readonly<Record<TimeCriterion, readonly Stamped[]>>;
  readonly byBase: ReadonlyMap<string, readonly Order[]>;
  readonly bySeat: ReadonlyMap<string, readonly Order[]>;
  readonly byReference: ReadonlyMap<string, readonly Order[]>;
};

/** Makes an empty store. Indexes are built at the first search after a change. */
export function createOrderStore(onChange: () => void): OrderStore {
  const orders = new Map<string, Order>();
  let indexes: Indexes | undefined;
  function changed<T>(result: T): T {
    indexes = undefined;
    onChange();
    return result;
  }
  return {
    get: (id) => orders.get(id),
    put: (order) => {
      changed(orders.set(order.transaction.id, order));
    },
    remove: (id) => changed(orders.delete(id)),
    all: () => [...orders.values()],
    load: (loaded) => {
      orders.clear();
      for (const order of loaded) orders.set(order.transaction.id, order);
      changed(undefined);
    },
    find: (criteria, accepts) => {
      indexes ??= buildIndexes([...orders.values()]);
      return candidates(indexes, criteria).filter((order) => meets(order, criteria) && accepts(order));
    },
  };
}

function buildIndexes(orders: readonly Order[]): Indexes {
  const byTime = (stamp: (order: Order) => string | undefined): readonly Stamped[] =>
    orders
      .flatMap((order) => {
        const iso = stamp(order);
        return iso === undefined ? [] : [{ ms: Date.parse(iso), order }];
      })
      .sort((a, b) => a.ms - b.ms || (a.order.transaction.id < b.order.transaction.id ? -1 : 1));
  return {
    times: {
      creationDateTime: byTime((order) => order.creationDateTime),
      bookingDateTime: byTime((order) => order.bookingDateTime),
      lastUpdateDateTime: byTime((order) => order.lastUpdateDateTime),
    },
    byBase: groupBy(orders, basesOf),
    bySeat: groupBy(orders, seatsOf),
    byReference: groupBy(orders, (order) => [order.billToPoReference ?? '']),
  };
}

function groupBy(orders: readonly Order[], keysOf: (order: Order) => readonly string[]) {
  const groups = new Map<string, Order[]>();
  for (const order of orders) {
    for (const key of new Set(keysOf(order))) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [order]);
      else group.push(order);
    }
  }
  return groups;
}

function basesOf(order: Order): readonly string[] {
  return order.licenseChargeConditions.flatMap((condition) =>
    condition.licenseChargeBreakdown.flatMap(({ installedBaseNumber }) => installedBaseNumber ?? []),
  );
}

function seatsOf(order: Order): readonly string[] {
  return order.licenseChargeConditions.flatMap(({ onlineInstanceSeatId }) => onlineInstanceSeatId ?? []);
}

/** The shortest list of orders that the indexes can give for one of the criteria. */
function candidates(indexes: Indexes, criteria: OrderCriteria): readonly Order[] {
  const { installedBaseNumber: base, onlineInstanceSeatId: seat, billToPoReferences: references } = criteria;
  if (base !== undefined) return indexes.byBase.get(base) ?? [];
  if (seat !== undefined) return indexes.bySeat.get(seat) ?? [];
  if (references !== undefined) return [...references].flatMap((key) => indexes.byReference.get(key) ?? []);
  const slices = [...criteria.ranges].map(([name, { fromMs, toMs }]) => {
    const stamped = indexes.times[name];
    return { stamped, start: lowerBound(stamped, fromMs), end: lowerBound(stamped, toMs + 1) };
  });
  const shortest = slices.sort((a, b) => a.end - a.start - (b.end - b.start))[0];
  return shortest?.stamped.slice(shortest.start, shortest.end).map(({ order }) => order) ?? [];
}

/** Index of the first entry at `ms` or later. */
function lowerBound(stamped: readonly Stamped[], ms: number): number {
  let [low, high] = [0, stamped.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((stamped[middle] as Stamped).ms < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

function meets(order: Order, criteria: OrderCriteria): boolean {
  const { installedBaseNumber: base, onlineInstanceSeatId: seat, billToPoReferences: references } = criteria;
  if (criteria.transactionType !== undefined && order.transaction.type !== criteria.transactionType)
    return false;
  if (base !== undefined && !basesOf(order).includes(base)) return false;
  if (seat !== undefined && !seatsOf(order).includes(seat)) return false;
  if (references !== undefined && !references.has(order.billToPoReference ?? '')) return false;
  for (const [name, { fromMs, toMs }] of criteria.ranges) {
    const iso = order[name];
    const ms = iso === undefined ? Number.NaN : Date.parse(iso);
    if (!(ms >= fromMs && ms <= toMs)) return false;
  }
  return true;
}
