/**
 * Rules for how long a period may be that is read in several pages. Pages are counted from the first row. Rows can leave the period while
 * it is read, which shifts later pages, and more so on deep pages. So a long period is halved, and only the shortest one is paged to its
 * end.
 */

/** A page's position: `skip` rows precede it. `shared`: the key of the previous page's last row, which must begin this page. */
export type PagePosition = { readonly skip: number; readonly shared: string | null };

/** The shortest period, in ms: stamps may be whole seconds, and a period must end after it begins (order spec 4.2). */
export const SHORTEST_MS = 1_000;
const DEEPEST_SKIP = 400;

export function isDeep({ skip }: PagePosition): boolean {
  return skip > DEEPEST_SKIP;
}

/** Half the length of a period, without the time that it shares with the previous period, in milliseconds; null if too short to search. */
export function halved(
  { fromDate, toDate }: { readonly fromDate: string; readonly toDate: string },
  sharedMs: number,
): number | null {
  const halfMs = Math.floor((Date.parse(toDate) - Date.parse(fromDate) - sharedMs) / 2);
  return halfMs < SHORTEST_MS ? null : halfMs;
}

/** The next period's length after a search with one page; undefined if the longest period is allowed again. */
export function grown(spanMs: number | undefined, longestMs: number): number | undefined {
  return spanMs === undefined || 2 * spanMs >= longestMs ? undefined : 2 * spanMs;
}
