import type { OrderHead } from './order-head.ts';

/** Orders in the order of one of their times; those without it are left out. */
export interface TimeIndex {
  load(heads: Iterable<OrderHead>): void;
  add(head: OrderHead): void;
  remove(head: OrderHead): void;
  /** Positions of the orders in a range, both bounds inclusive: from `start` up to, not with, `end`. */
  span(fromMs: number, toMs: number): { readonly start: number; readonly end: number };
  get(position: number): OrderHead | undefined;
  size(): number;
}

/** Makes an index over the time that `msOf` gives. */
export function createTimeIndex(msOf: (head: OrderHead) => number): TimeIndex {
  let sorted: OrderHead[] = [];

  /** First position whose (time, id) is not before the given pair. */
  function position(ms: number, id: string): number {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const head = sorted[middle] as OrderHead;
      const isBefore = msOf(head) < ms || (msOf(head) === ms && head.id < id);
      if (isBefore) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    load: (heads) => {
      sorted = [...heads].filter((head) => !Number.isNaN(msOf(head)));
      sorted.sort((a, b) => msOf(a) - msOf(b) || (a.id < b.id ? -1 : 1));
    },
    add: (head) => {
      if (!Number.isNaN(msOf(head))) sorted.splice(position(msOf(head), head.id), 0, head);
    },
    remove: (head) => {
      if (!Number.isNaN(msOf(head))) sorted.splice(position(msOf(head), head.id), 1);
    },
    span: (fromMs, toMs) => ({ start: position(fromMs, ''), end: position(toMs + 1, '') }),
    get: (position) => sorted[position],
    size: () => sorted.length,
  };
}

/** Orders by a key, such as an installed base; one order may have several. */
export interface KeyIndex {
  clear(): void;
  add(head: OrderHead): void;
  remove(head: OrderHead): void;
  get(key: string): readonly OrderHead[];
}

/** Makes an index over the keys that `keysOf` gives. */
export function createKeyIndex(keysOf: (head: OrderHead) => readonly string[]): KeyIndex {
  const groups = new Map<string, OrderHead[]>();
  return {
    clear: () => groups.clear(),
    add: (head) => {
      for (const key of keysOf(head)) {
        const group = groups.get(key);
        if (group === undefined) groups.set(key, [head]);
        else if (!group.includes(head)) group.push(head);
      }
    },
    remove: (head) => {
      for (const key of keysOf(head)) {
        const left = groups.get(key)?.filter((known) => known !== head) ?? [];
        if (left.length === 0) groups.delete(key);
        else groups.set(key, left);
      }
    },
    get: (key) => groups.get(key) ?? [],
  };
}
