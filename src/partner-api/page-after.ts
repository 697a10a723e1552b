/** Where a page starts: how many rows come before it, and the key of the previous page's last row, with which this page begins again. */
export type PageStart = { readonly skip: number; readonly shared: string | null };

/**
 * Returns where the next page of a list begins, null after the last page, or `moved` if rows moved between two pages, so that some may have
 * been missed. Each page repeats the last row of the page before it; if it does not, rows have moved. `keys` are the keys of this page's
 * rows, and `top` is at least 2.
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
  // A page that ends with its first row would repeat for ever.
  if (last === shared) return 'moved';
  return { skip: skip + keys.length - 1, shared: last };
}
