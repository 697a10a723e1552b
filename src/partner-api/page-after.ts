/** Where a page begins: rows to skip, and the key of the row that the page before ended with, which is read again. */
export type PageStart = { readonly skip: number; readonly shared: string | null };

/**
 * Where the page after this one begins, for a list that pages with `skip` and `top`, at least 2; null when this was the
 * last. `moved` when rows moved between two pages, so that some may have been skipped: the row that neighbouring pages
 * share is not the same. That tells more than `count`, which is an estimate and stays when one row goes and another comes.
 * `keys` tell this page's rows apart.
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
  // A page that ends with the row that it began with leads nowhere.
  if (last === shared) return 'moved';
  return { skip: skip + keys.length - 1, shared: last };
}
