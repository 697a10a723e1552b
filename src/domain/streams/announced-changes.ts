import type { CatalogKind } from './catalog-refresh.ts';

/** Something at the vendor's that is not as it was; `at`: when it was seen, ISO. */
export type VendorChange = { readonly at: string; readonly what: string };

/** What a catalog stream keeps of what it has told; `currencies`: those of the price lists, null before any was seen. */
export type CatalogWatch = {
  readonly changes: readonly VendorChange[];
  readonly currencies: readonly string[] | null;
};

export const NOTHING_ANNOUNCED: CatalogWatch = { changes: [], currencies: null };

/** Kinds of which people are told; prices change as a matter of course. */
const NAMES: Partial<Record<CatalogKind, readonly [one: string, several: string]>> = {
  offer: ['portfolio item', 'portfolio items'],
  product: ['product', 'products'],
  accreditation: ['accreditation', 'accreditations'],
  'price-list': ['price list', 'price lists'],
};

export const ANNOUNCED_KINDS = Object.keys(NAMES) as readonly CatalogKind[];

/** Ids that a sentence names. */
export const MOST_NAMED = 5;

/** A sentence for rows of a kind that appeared, changed or vanished; `ids` are the first of them. */
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

/** Currencies of price lists that came or went. */
export function currencyChanges(
  before: readonly string[] | null,
  after: readonly string[],
): readonly string[] {
  if (before === null) return [];
  return [
    ...after.filter((code) => !before.includes(code)).map((code) => `prices in ${code} appeared`),
    ...before.filter((code) => !after.includes(code)).map((code) => `prices in ${code} vanished`),
  ];
}

const KEPT_FOR_MS = 7 * 86_400_000;
const MOST_CHANGES = 100;

/** What is kept once more was told at `now` (ISO), the newest first, for a week; what is told twice at once is told once. */
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
