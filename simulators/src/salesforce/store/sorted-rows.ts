import type { Row } from './row.ts';

/** The rows of a table in the order of one text field and then of their ids, in blocks that are cheap to change. */
export interface SortedRows {
  add(row: Row): void;
  remove(row: Row): void;
  /** The rows from this value of the field on. */
  from(value: string): Iterable<Row>;
}

/** Number of rows of a block. A block with twice as many is split. */
const BLOCK = 512;

export function createSortedRows(field: string, rows: Iterable<Row>): SortedRows {
  const compare = (a: Row, b: Row) => order(a[field], b[field]) || order(a['Id'], b['Id']);
  const sorted = Array.from(rows).sort(compare);
  const blocks: Row[][] = [];
  for (let at = 0; at < sorted.length; at += BLOCK) blocks.push(sorted.slice(at, at + BLOCK));

  /** The position of the first row for which `isBefore` is false. */
  function place(isBefore: (row: Row) => boolean): { block: number; at: number } {
    const block = first(blocks.length, (i) => !isBefore(blocks[i]?.at(-1) as Row));
    const within = blocks[block] ?? [];
    return { block, at: first(within.length, (i) => !isBefore(within[i] as Row)) };
  }

  return {
    add: (row) => {
      const { block, at } = place((each) => compare(each, row) < 0);
      // A row after all others goes to the end of the last block.
      const last = blocks.length - 1;
      const into = blocks[block] ?? blocks[last];
      if (into === undefined) {
        blocks.push([row]);
        return;
      }
      into.splice(block > last ? into.length : at, 0, row);
      if (into.length >= 2 * BLOCK) blocks.splice(Math.min(block, last) + 1, 0, into.splice(BLOCK));
    },
    remove: (row) => {
      const { block, at } = place((each) => compare(each, row) < 0);
      const from = blocks[block];
      if (from === undefined || from[at]?.['Id'] !== row['Id']) return;
      from.splice(at, 1);
      if (from.length === 0) blocks.splice(block, 1);
    },
    *from(value) {
      const { block, at } = place((each) => order(each[field], value) < 0);
      yield* (blocks[block] ?? []).slice(at);
      for (let i = block + 1; i < blocks.length; i += 1) yield* blocks[i] ?? [];
    },
  };
}

function order(a: unknown, b: unknown): number {
  const [left, right] = [String(a ?? ''), String(b ?? '')];
  return left < right ? -1 : Number(left > right);
}

/** The least number below `count` for which `holds` is true, by binary search; `count` if there is none. */
function first(count: number, holds: (at: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
