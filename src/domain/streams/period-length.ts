/**
 * How long a period may be whose rows come in pages. Pages are counted from the first row, and rows leave a period while
 * it is read: the deeper the page, the likelier one of them moved the rows behind it. So a period with many rows is
 * halved rather than paged deep; only one that cannot be shorter, such as of rows of one instant, is paged to its end.
 */

/** A page: rows before it, and the key of the row that the page before ended with, which it has to begin with. */
export type PagePosition = { readonly skip: number; readonly shared: string | null };

/** No period is shorter: stamps may be whole seconds, and a period has to end after it begins (order spec 4.2). */
export const SHORTEST_MS = 1_000;
const DEEPEST_SKIP = 400;

export function isDeep({ skip }: PagePosition): boolean {
  return skip > DEEPEST_SKIP;
}

/** Half of what a period adds to the one before, in milliseconds; null where that would be too short. */
export function halved(
  { fromDate, toDate }: { readonly fromDate: string; readonly toDate: string },
  sharedMs: number,
): number | null {
  const halfMs = Math.floor((Date.parse(toDate) - Date.parse(fromDate) - sharedMs) / 2);
  return halfMs < SHORTEST_MS ? null : halfMs;
}

/** The length after a period of one page; undefined where the longest is allowed again. */
export function grown(spanMs: number | undefined, longestMs: number): number | undefined {
  return spanMs === undefined || 2 * spanMs >= longestMs ? undefined : 2 * spanMs;
}
