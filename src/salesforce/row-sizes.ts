/**
 * How many rows of each object one request of a tenant may contain. The numbers are limited so that a request stays within the governor
 * limits of the org.
 */
export type RowSizes = {
  readonly of: (object: string) => number;
  /** Called if a request with this many rows exceeded a governor limit of the org. */
  readonly tooMany: (object: string, rows: number) => void;
};

/** The maximum number of rows that Salesforce accepts in one request (REST guide, "Update Multiple Records with Fewer Round-Trips"). */
export const MAX_ROWS = 200;
/**
 * How long a reduced number of rows per request is used, in milliseconds. After that, the full number is tried again, because the org's
 * automation may have changed.
 */
const KEPT_FOR_MS = 24 * 3_600_000;

/**
 * Creates the row limits for requests, by object. A limit starts at the value in the tenant file (`most`) and is halved if a request
 * exceeds a governor limit of the org.
 */
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
