import type { CatalogKind } from './catalog-refresh.ts';

/** What a stream of the catalog has announced so far. `currencies`: the currencies of the price lists; null before any was seen. */
export type VendorChange = { readonly at: string; readonly what: string };

/** The changes that a catalog stream has announced. `currencies`: the currencies of the price lists; null before any was seen. */
export type CatalogWatch = {
  readonly changes: readonly VendorChange[];
  readonly currencies: readonly string[] | null;
};

export const NOTHING_ANNOUNCED: CatalogWatch = { changes: [], currencies: null };

/**
 * The kinds of catalog rows whose changes operators are informed of, with their names. Price rows are left out, because prices change
 * routinely.
 */
const NAMES: Partial<Record<CatalogKind, readonly [one: string, several: string]>> = {
  offer: ['portfolio item', 'portfolio items'],
  product: ['product', 'products'],
  accreditation: ['accreditation', 'accreditations'],
  'price-list': ['price list', 'price lists'],
};

export const ANNOUNCED_KINDS = Object.keys(NAMES) as readonly CatalogKind[];

export const MOST_NAMED = 5;

/** A sentence that catalog rows of one kind appeared, changed or disappeared. `rows`: how many; `ids`: the first of them. */
export function announcedChange({
  kind,
  change,
  rows,
  ids,
}: {
  readonly kind: CatalogKind;
  readonly change: 'appeared' | 'changed' | 'vanished';
  readonly rows: number;
  readonly ids: readonly string[];
}): string {
  const [one, several] = NAMES[kind] ?? [kind, kind];
  if (rows === 1) return `the ${one} ${ids[0] ?? ''} ${change}`;
  const named = ids.slice(0, MOST_NAMED);
  const more = rows - named.length;
  return `${rows} ${several} ${change}: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** A sentence for each currency whose price lists appeared or vanished. */
export function currencyChanges(before: readonly string[] | null, after: readonly string[]): readonly string[] {
  if (before === null) return [];
  return [
    ...after.filter((code) => !before.includes(code)).map((code) => `prices in ${code} appeared`),
    ...before.filter((code) => !after.includes(code)).map((code) => `prices in ${code} vanished`),
  ];
}

const KEPT_FOR_MS = 7 * 86_400_000;
const MOST_CHANGES = 100;

/** The list of announced catalog changes after new ones at `now` (ISO) were added: newest first, each once, from the last week. */
export function afterAnnouncing(
  { changes, currencies }: CatalogWatch,
  whats: readonly string[],
  now: string,
): CatalogWatch {
  const young = changes.filter(({ at }) => Date.parse(now) - Date.parse(at) < KEPT_FOR_MS);
  const fresh = whats.filter((what) => !young.some((each) => each.at === now && each.what === what));
  return {
    currencies,
    changes: [...fresh.map((what) => ({ at: now, what })), ...young].slice(0, MOST_CHANGES),
  };
}
