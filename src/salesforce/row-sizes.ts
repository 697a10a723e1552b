/** How many rows of each object one request of a tenant may contain, so that the request stays within the org's governor limits. */
export type RowSizes = {
  readonly of: (object: string) => number;
  /** Called if a request with this many rows exceeded a governor limit of the org. */
  readonly tooMany: (object: string, rows: number) => void;
};

/** The most rows of one request with many rows that Salesforce accepts (REST guide, "Update Multiple Records with Fewer Round-Trips"). */
export const MAX_ROWS = 200;
/**
 * How long a reduced number of rows is used, in milliseconds. Then the largest number is tried again, because the org's automation may have
 * changed.
 */
const KEPT_FOR_MS = 24 * 3_600_000;

/** Remembers for each object how many rows in one request the org has accepted. `most`: the limits in the tenant file, by object. */
export function createRowSizes(now: () => number, most: Readonly<Record<string, number>> = {}): RowSizes {
  const kept = new Map<string, { readonly size: number; readonly atMs: number }>();
  return {
    of: (object) => {
      const allowed = Math.min(MAX_ROWS, Math.max(1, most[object] ?? MAX_ROWS));
      const known = kept.get(object);
      return known === undefined || now() - known.atMs > KEPT_FOR_MS ? allowed : Math.min(allowed, known.size);
    },
    tooMany: (object, rows) => {
      const known = kept.get(object)?.size ?? MAX_ROWS;
      kept.set(object, { size: Math.max(1, Math.min(known, Math.ceil(rows / 2))), atMs: now() });
    },
  };
}
