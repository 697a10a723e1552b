import type { CatalogKind } from './catalog-refresh.ts';

/** A change of the vendor's catalog that was announced to operators. `at`: when it was announced, ISO; `what`: the change as a sentence. */
export type VendorChange = { readonly at: string; readonly what: string };

/**
 * The changes of the vendor's catalog that a stream has announced to operators. `currencies`: the currencies of the price lists when the
 * stream last read them; null before it has read any.
 */
export type CatalogWatch = {
  readonly changes: readonly VendorChange[];
  readonly currencies: readonly string[] | null;
};

export const NOTHING_ANNOUNCED: CatalogWatch = { changes: [], currencies: null };

/**
 * The kinds of catalog rows whose changes are announced to operators, each with its noun in singular and plural. Price rows are left out,
 * because prices change routinely.
 */
const NAMES: Partial<Record<CatalogKind, readonly [one: string, several: string]>> = {
  offer: ['portfolio item', 'portfolio items'],
  product: ['product', 'products'],
  accreditation: ['accreditation', 'accreditations'],
  'price-list': ['price list', 'price lists'],
};

export const ANNOUNCED_KINDS = Object.keys(NAMES) as readonly CatalogKind[];

export const MOST_NAMED = 5;

/**
 * The sentence that announces that catalog rows of one kind appeared, changed or vanished. `rows`: the number of these rows; `ids`: the
 * first of their ids.
 */
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

/**
 * A sentence for each currency in which prices appeared or vanished. `before` and `after`: the currencies of the price lists; `before` is
 * null if no price lists were read before, and then there are no sentences.
 */
export function currencyChanges(before: readonly string[] | null, after: readonly string[]): readonly string[] {
  if (before === null) return [];
  return [
    ...after.filter((code) => !before.includes(code)).map((code) => `prices in ${code} appeared`),
    ...before.filter((code) => !after.includes(code)).map((code) => `prices in ${code} vanished`),
  ];
}

const KEPT_FOR_MS = 7 * 86_400_000;
const MOST_CHANGES = 100;

/**
 * Adds announcements (`whats`) made at `now` (ISO) to the stored announcements, newest first. A repeated call with an equal `now` adds no
 * announcement twice. Drops announcements that are older than a week, and all but the newest hundred.
 */
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
