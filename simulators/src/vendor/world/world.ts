import type { Catalog } from '../order/catalog.ts';
import type { Order } from '../order/order.ts';
import { createOrderStore, type OrderStore } from '../order/order-store.ts';
import { generateCatalog } from './catalog.ts';
import { generateHeads, generateOrder } from './orders.ts';
import type { WantedOrder } from './sketch.ts';

/** The input of a generated world. The seed `empty` gives no data at all. `anchor` is the instant of generation. */
export type WorldSeed = {
  readonly seed: number | string;
  readonly count: number;
  readonly anchor: string;
  /** Number of products in the catalog; if absent, the default number. */
  readonly products?: number;
};

/** A world as JSON: its seed and its changes, not the orders themselves. */
export type WorldSnapshot = {
  readonly from: WorldSeed;
  readonly added: number;
  readonly changed: readonly Order[];
  readonly removed: readonly string[];
  /** The catalog, if it was changed. */
  readonly catalog?: Catalog;
};

/** The order domain's data of one partner. */
export interface World {
  readonly orders: Pick<OrderStore, 'get' | 'all' | 'size' | 'find' | 'pick'>;
  catalog(): Catalog;
  putCatalog(catalog: Catalog): void;
  generate(from: WorldSeed): void;
  /** A further plausible order, created now and not yet in the world. Type and status are random unless `wanted` sets them. */
  draft(now: Date, wanted?: WantedOrder): Order;
  putOrder(order: Order): void;
  removeOrder(id: string): boolean;
  snapshot(): WorldSnapshot;
  load(snapshot: WorldSnapshot): void;
}

const NOTHING: Catalog = { priceLists: [], accreditations: [], products: [] };

/** Makes a world without data. */
export function createWorld(onChange: () => void): World {
  const orders = createOrderStore(onChange);
  let changes = createChanges();
  let catalog = NOTHING;
  let edited: Catalog | null = null;
  let from: WorldSeed = { seed: 'empty', count: 0, anchor: new Date(0).toISOString() };

  function generate(next: WorldSeed): void {
    from = next;
    changes = createChanges();
    const made = generateAll(next);
    catalog = made.catalog;
    edited = null;
    orders.load(made.orders);
  }

  const putOrder = (order: Order): void => orders.put(changes.put(order));
  const putCatalog = (next: Catalog): void => {
    [catalog, edited] = [next, next];
    onChange();
  };
  const removeOrder = (id: string): boolean => orders.remove(changes.remove(id));

  return {
    orders,
    catalog: () => catalog,
    putCatalog,
    generate,
    draft: (now, wanted = {}) => {
      changes.added += 1;
      const products = catalog.products.length > 0 ? catalog : generateCatalog(from.seed, now);
      return generateOrder(
        from.count + changes.added - 1,
        { seed: from.seed, now, catalog: products },
        { ...wanted, createdMs: now.getTime() },
      );
    },
    putOrder,
    removeOrder,
    snapshot: () => ({ from, ...changes.snapshot(), ...(edited === null ? {} : { catalog: edited }) }),
    load: (snapshot) => {
      generate(snapshot.from);
      snapshot.changed.forEach(putOrder);
      snapshot.removed.forEach(removeOrder);
      changes.added = snapshot.added;
      if (snapshot.catalog !== undefined) putCatalog(snapshot.catalog);
    },
  };
}

function generateAll({ seed, count, anchor, products }: WorldSeed) {
  if (seed === 'empty') return { catalog: NOTHING, orders: [] };
  const now = new Date(anchor);
  const catalog = generateCatalog(seed, now, products);
  return { catalog, orders: generateHeads(count, { seed, now, catalog }) };
}

/** The changes since the world was generated. */
function createChanges() {
  const changed = new Map<string, Order>();
  const removed = new Set<string>();
  const changes = {
    added: 0,
    put: (order: Order): Order => {
      changed.set(order.transaction.id, order);
      removed.delete(order.transaction.id);
      return order;
    },
    remove: (id: string): string => {
      changed.delete(id);
      removed.add(id);
      return id;
    },
    snapshot: () => ({ added: changes.added, changed: [...changed.values()], removed: [...removed] }),
  };
  return changes;
}
