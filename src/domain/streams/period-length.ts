/**
 * Rules for the length of a period that is read in several pages. A page is found by its distance from the first row. If rows leave the
 * period while it is read, all later pages shift. The more pages a period has, the likelier this is. So a long period is halved, and only
 * the shortest one is read to its last page.
 */

/** The position of a page: after `skip` rows. `shared`: the key of the previous page's last row, with which this page must begin. */
export type PagePosition = { readonly skip: number; readonly shared: string | null };

/** The shortest period of a search, in ms: timestamps may have whole seconds, and a period must end after it begins (order spec 4.2). */
export const SHORTEST_MS = 1_000;
const DEEPEST_SKIP = 400;

export function isDeep({ skip }: PagePosition): boolean {
  return skip > DEEPEST_SKIP;
}

/**
 * The length of half a period in ms, without the time that it shares with the previous period; null if half of it is too short to search.
 */
export function halved(
  { fromDate, toDate }: { readonly fromDate: string; readonly toDate: string },
  sharedMs: number,
): number | null {
  const halfMs = Math.floor((Date.parse(toDate) - Date.parse(fromDate) - sharedMs) / 2);
  return halfMs < SHORTEST_MS ? null : halfMs;
}

/** How long the next period may be after a period that fitted into one page; undefined if the longest one is allowed again. */
export function grown(spanMs: number | undefined, longestMs: number): number | undefined {
  return spanMs === undefined || 2 * spanMs >= longestMs ? undefined : 2 * spanMs;
}
