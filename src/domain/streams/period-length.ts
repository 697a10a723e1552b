/**
 * Rules for the length of a period that is searched in several pages. A page is requested by an offset: the number of rows before the page.
 * If rows leave the period between two pages, all later pages shift, and rows may be missed. The more pages a period has, the likelier this
 * is. A search therefore halves a period if rows have moved, or if the next offset is above 400. A period that is too short to be halved is
 * read to its last page, whatever the offsets are.
 */

/**
 * The position of a page. `skip`: its offset, the number of rows before it. `shared`: the key of the previous page's last row, null for the
 * first page. This page must begin with that row again. If it does not, rows moved between the two requests.
 */
export type PagePosition = { readonly skip: number; readonly shared: string | null };

/** The shortest period of a search, in ms. Timestamps may have whole seconds, and a period must end after it begins (order spec 4.2). */
export const SHORTEST_MS = 1_000;
const DEEPEST_SKIP = 400;

export function isDeep({ skip }: PagePosition): boolean {
  return skip > DEEPEST_SKIP;
}

/**
 * The length of half a period in ms, without the time that the period shares with the previous one. Null if half the period is too short to
 * search.
 */
export function halved(
  { fromDate, toDate }: { readonly fromDate: string; readonly toDate: string },
  sharedMs: number,
): number | null {
  const halfMs = Math.floor((Date.parse(toDate) - Date.parse(fromDate) - sharedMs) / 2);
  return halfMs < SHORTEST_MS ? null : halfMs;
}

/**
 * The maximum length of the next period, in ms, after a period that fitted into one page: twice the present maximum. Undefined if this
 * reaches the longest allowed length. Then only the longest allowed length (`longestMs`) limits the next period.
 */
export function grown(spanMs: number | undefined, longestMs: number): number | undefined {
  return spanMs === undefined || 2 * spanMs >= longestMs ? undefined : 2 * spanMs;
}
