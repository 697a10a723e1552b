import type { QueryRecord } from '../soql/project.ts';
import { failure } from '../store/failure.ts';

/** Results of queries that are fetched in pages. A result is kept for two days. The number of results is Salesforce's limit for a user. */
export interface Cursors {
  open(records: readonly QueryRecord[], pageSize: number): string;
  /** The page of a locator `<id>-<position>`. Throws INVALID_QUERY_LOCATOR. */
  read(locator: string): QueryPage;
}

export type QueryPage = {
  readonly totalSize: number;
  readonly records: readonly QueryRecord[];
  /** Locator of the next page, null on the last. */
  readonly next: string | null;
};

const MAX_OPEN = 50;
/** How long a query's pages can be read, in ms: two days (Help: "INVALID_QUERY_LOCATOR"). */
const KEPT_MS = 2 * 86_400_000;

type Cursor = {
  readonly records: readonly QueryRecord[];
  readonly pageSize: number;
  readonly openedMs: number;
};

export function createCursors(nextId: () => string, now: () => Date): Cursors {
  const open = new Map<string, Cursor>();
  return {
    open: (records, pageSize) => {
      const id = nextId();
      open.set(id, { records, pageSize, openedMs: now().getTime() });
      const oldest = open.keys().next().value;
      if (open.size > MAX_OPEN && oldest !== undefined) open.delete(oldest);
      return `${id}-0`;
    },
    read: (locator) => {
      const [id = '', position = ''] = locator.split('-');
      const cursor = open.get(id);
      const isKept = cursor !== undefined && now().getTime() - cursor.openedMs <= KEPT_MS;
      if (!isKept || !/^\d+$/.test(position)) {
        throw failure(400, 'INVALID_QUERY_LOCATOR', 'invalid query locator');
      }
      const from = Number(position);
      const to = from + fitting(cursor.records.slice(from), cursor.pageSize);
      return {
        totalSize: cursor.records.length,
        records: cursor.records.slice(from, to),
        next: to < cursor.records.length ? `${id}-${to}` : null,
      };
    },
  };
}

/**
 * How many of the records fit in a page of `size` rows, at least one. Child rows count too (REST API Developer Guide, "Query Options
 * Header").
 */
export function fitting(records: readonly QueryRecord[], size: number): number {
  let rows = 0;
  const end = records.findIndex((record) => {
    rows += 1 + childRows(record);
    return rows > size;
  });
  return end === -1 ? records.length : Math.max(1, end);
}

/** How many child rows a record shows in the lists of its sub-queries. */
function childRows(record: QueryRecord): number {
  const lists: readonly unknown[] = Object.values(record);
  return lists.reduce<number>((sum, list) => {
    const rows = (list as { readonly records?: unknown } | null)?.records;
    return sum + (Array.isArray(rows) ? rows.length : 0);
  }, 0);
}
