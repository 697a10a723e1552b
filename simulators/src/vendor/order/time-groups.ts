import { V1_ONLY_STATUS } from './codes.ts';
import type { OrderHead } from './order-head.ts';
import { createTimeIndex, type TimeIndex } from './order-index.ts';
import type { TimeRange } from './time-range.ts';

/** True for orders in the status that only v1 shows. */
export function isLegacy(head: OrderHead): boolean {
  return head.status === V1_ONLY_STATUS;
}

/** The orders whose time is in a range: their number, and a page of them in the order of that time. */
export type Selection = {
  readonly total: number;
  readonly page: (skip: number, top: number) => readonly OrderHead[];
};

/** Orders sorted by one of their times and grouped by the other search criteria, so that counting needs no access to the orders. */
export interface TimeGroups {
  load(heads: readonly OrderHead[]): void;
  add(head: OrderHead): void;
  remove(head: OrderHead): void;
  select(range: TimeRange, wanted: { readonly type: string | undefined; readonly withLegacy: boolean }): Selection;
  /** The order at a position, counted group after group. */
  at(position: number): OrderHead | undefined;
}

type Group = { readonly type: string; readonly legacy: boolean; readonly index: TimeIndex };
type Span = { readonly index: TimeIndex; readonly start: number; readonly end: number };

/** Makes empty groups over the time that `msOf` gives. */
export function createTimeGroups(msOf: (head: OrderHead) => number): TimeGroups {
  const groups: readonly Group[] = ['PO', 'RN'].flatMap((type) =>
    [false, true].map((legacy) => ({ type, legacy, index: createTimeIndex(msOf) })),
  );
  const isOf = (group: Group, head: OrderHead): boolean => group.type === head.type && group.legacy === isLegacy(head);
  const groupOf = (head: OrderHead): TimeIndex | undefined => groups.find((group) => isOf(group, head))?.index;

  return {
    load: (heads) => {
      for (const group of groups) group.index.load(heads.filter((head) => isOf(group, head)));
    },
    add: (head) => groupOf(head)?.add(head),
    remove: (head) => groupOf(head)?.remove(head),
    select: ({ fromMs, toMs }, { type, withLegacy }) => {
      const spans = groups
        .filter((group) => (type === undefined || group.type === type) && (withLegacy || !group.legacy))
        .map(({ index }) => ({ index, ...index.span(fromMs, toMs) }));
      const total = spans.reduce((sum, { start, end }) => sum + end - start, 0);
      return { total, page: (skip, top) => merge(spans, skip, Math.min(skip + top, total), msOf) };
    },
    at: (position) => {
      let left = position;
      for (const { index } of groups) {
        if (left < index.size()) return index.get(left);
        left -= index.size();
      }
      return undefined;
    },
  };
}

/** Positions `from` up to, not with, `to` of the spans merged by time and id. */
function merge(
  spans: readonly Span[],
  from: number,
  to: number,
  msOf: (head: OrderHead) => number,
): readonly OrderHead[] {
  const cursors = spans.map(({ start }) => start);
  const heads: OrderHead[] = [];
  for (let position = 0; position < to; position += 1) {
    let first: OrderHead | undefined;
    let holder = 0;
    spans.forEach(({ index, end }, at) => {
      const cursor = cursors[at] ?? end;
      const head = cursor < end ? index.get(cursor) : undefined;
      if (head === undefined || (first !== undefined && !isBefore(head, first, msOf))) return;
      first = head;
      holder = at;
    });
    if (first === undefined) break;
    cursors[holder] = (cursors[holder] ?? 0) + 1;
    if (position >= from) heads.push(first);
  }
  return heads;
}

function isBefore(a: OrderHead, b: OrderHead, msOf: (head: OrderHead) => number): boolean {
  const [first, second] = [msOf(a), msOf(b)];
  return first < second || (first === second && a.id < b.id);
}
