/**
 * Where a page starts. `skip`: how many rows come before it. `shared`: the key of the previous page's last row; null for the first page.
 * Each page repeats the last row of the page before it as its first row. If a page begins with another row, rows have moved between the two
 * requests, and some may have been missed.
 */
export type PageStart = { readonly skip: number; readonly shared: string | null };

/**
 * Returns where the next page of a list begins, or null after the last page. Returns `moved` if rows moved between two pages, because some
 * rows may have been missed. Each page is requested so that it begins with the last row of the page before it; if it begins with another
 * row, rows have moved. `keys`: the keys of this page's rows. `top` must be at least 2.
 */
export function pageAfter(
  { skip, shared }: PageStart,
  keys: readonly string[],
  { top, count }: { readonly top: number; readonly count: number | null },
): PageStart | 'moved' | null {
  if (shared !== null && keys[0] !== shared) return 'moved';
  const last = keys.at(-1);
  const isLastPage = keys.length < top && (count === null || skip + keys.length >= count);
  if (last === undefined || isLastPage || (shared !== null && keys.length === 1)) return null;
  // If a page ends with the row with which it began, the next page would be this page again, for ever.
  if (last === shared) return 'moved';
  return { skip: skip + keys.length - 1, shared: last };
}
