/** How many rows of each object one request of a tenant holds. */
export type RowSizes = {
  readonly of: (object: string) => number;
  /** The org's automation met a limit with so many rows of the object. */
  readonly tooMany: (object: string, rows: number) => void;
};

/** Rows that one collection may hold (REST guide, "Update Multiple Records with Fewer Round-Trips"). */
export const MAX_ROWS = 200;
/** An org's automation changes: what went is trusted for so long, and the most is tried again then. */
const KEPT_FOR_MS = 24 * 3_600_000;

/** Remembers what went of each object. `most`: what the tenant file allows, by object. */
export function createRowSizes(now: () => number, most: Readonly<Record<string, number>> = {}): RowSizes {
  const kept = new Map<string, { readonly size: number; readonly atMs: number }>();
  return {
    of: (object) => {
      const allowed = Math.min(MAX_ROWS, Math.max(1, most[object] ?? MAX_ROWS));
      const known = kept.get(object);
      return known === undefined || now() - known.atMs > KEPT_FOR_MS
        ? allowed
        : Math.min(allowed, known.size);
    },
    tooMany: (object, rows) => {
      const known = kept.get(object)?.size ?? MAX_ROWS;
      kept.set(object, { size: Math.max(1, Math.min(known, Math.ceil(rows / 2))), atMs: now() });
    },
  };
}
