import type { MirroredBook } from '../../domain/streams/catalog-refresh.ts';
import type { Price, PriceListCountry, ProductPrice } from '../../partner-api/index.ts';
import { mirrored } from '../mirror.ts';
import { KINDS } from '../value.ts';
import { type CatalogRow, CURRENCY, isKey, keyOf, type Need } from './catalog-mirror.ts';
import { COUNTRY_FIELDS, ENTRY_FIELDS, PRICE_FIELDS, PRICE_LIST_FIELDS, PRICED_FIELDS } from './price-mirrors.ts';

/** Stands for the id of the org's standard price book in rows, because that price book has no external id. */
export const STANDARD_BOOK = 'standard';

/** A version of a price list whose prices can be searched (order spec 4.6): `C` current, `F` future. */
export type PriceListVersion = {
  readonly id: number;
  readonly status: 'C' | 'F';
  /** The list's currency; null if the vendor's text is no valid currency code. */
  readonly currency: string | null;
};

export type ShownPriceLists = {
  readonly rows: readonly CatalogRow[];
  /** The versions of price lists whose prices can be searched: current ones before future ones, each sorted by id. */
  readonly versions: readonly PriceListVersion[];
  /** Future days (`YYYY-MM-DD`) on which a version of a price list takes effect. Lockstep reads the catalog again on each of these days. */
  readonly awaited: readonly string[];
  /** Ids of price lists that Lockstep cannot store, because they are malformed. */
  readonly unusable: readonly string[];
};

/** The external id of the CRM's price book for one version (current or future) of a price list. */
export function bookOf({ id, status }: Pick<PriceListVersion, 'id' | 'status'>): string {
  return status === 'C' ? String(id) : `${id}-future`;
}

/**
 * The price books in which each offer gets an entry: the price books of all price lists whose currency the tenant wants (`wanted`; null for
 * all).
 */
export function mirroredBooks(
  versions: readonly PriceListVersion[],
  wanted: PriceRules['wanted'],
): readonly MirroredBook[] {
  return versions.flatMap((version) => {
    const { currency } = version;
    return currency === null || wanted?.includes(currency) === false ? [] : [{ id: bookOf(version), currency }];
  });
}

type Listed = PriceListCountry['priceLists'][number];

/**
 * The price books for the partner's price lists: one for each list, and a second one for a list's future version, which is inactive until
 * that version takes effect. A list that is valid in several countries has one price book. `today` is `YYYY-MM-DD`. Pure.
 */
export function priceListRows(countries: readonly PriceListCountry[], today: string): ShownPriceLists {
  const all = countries.flatMap((country) => country.priceLists.map((list) => ({ country, list })));
  const ids = [...new Set(all.map(({ list }) => list.id))].sort((a, b) => a - b);
  const usable = ids.filter((id) => Number.isSafeInteger(id) && id >= 0 && id <= 99);
  const lists = usable.flatMap((id) => {
    const own = all.filter(({ list }) => list.id === id);
    const [first] = own;
    return first === undefined ? [] : [{ list: first.list, countries: own.map(({ country }) => country) }];
  });
  const futures = lists.filter(({ list }) => list.hasFuturePriceList === true);
  const effective = (list: Listed): string | null => KINDS.date(list.effectiveDate);
  return {
    rows: [
      ...lists.map(({ list, countries: of }) => bookRow(list, of, { status: 'C', isActive: true })),
      ...futures.map(({ list, countries: of }) => {
        const day = effective(list);
        return bookRow(list, of, { status: 'F', isActive: day !== null && day <= today });
      }),
    ],
    versions: [...lists.map(({ list }) => versionOf(list, 'C')), ...futures.map(({ list }) => versionOf(list, 'F'))],
    awaited: futures.flatMap(({ list }) => effective(list) ?? []).filter((day) => day > today),
    unusable: ids.filter((id) => !usable.includes(id)).map(String),
  };
}

function versionOf({ id, currency }: Listed, status: 'C' | 'F'): PriceListVersion {
  return { id, status, currency: /^[A-Z]{3}$/.test(currency ?? '') ? (currency ?? null) : null };
}

function bookRow(
  list: Listed,
  countries: readonly PriceListCountry[],
  { status, isActive }: { readonly status: 'C' | 'F'; readonly isActive: boolean },
): CatalogRow {
  const id = bookOf({ id: list.id, status });
  const own = mirrored(PRICE_LIST_FIELDS, list);
  const name = own['Name'] ?? `Price list ${list.id}`;
  const each = (from: 'countryCode' | 'countryName'): string =>
    [...new Set(countries.flatMap((country) => KINDS.text(country[from]) ?? []))].sort().join(', ');
  const fields = {
    ...own,
    Name: status === 'C' ? name : KINDS.text(`Future: ${name}`),
    Vendor_Price_List_Key__c: id,
    ...Object.fromEntries(COUNTRY_FIELDS.map(({ from, to, kind }) => [to, KINDS[kind](each(from))])),
    IsActive: isActive,
  };
  return { kind: 'price-list', id, fields };
}

/** The tenant's rules for which prices of a product become price book entries. */
export type PriceRules = {
  /**
   * Revenue types by preference. A price book has one entry for a product, with the price of the first of these types for which the product
   * has a price. Types that are not listed come last, in the order of their codes.
   */
  readonly preferred: readonly string[];
  /** Currencies whose prices become price book entries; null for all. */
  readonly wanted: readonly string[] | null;
};

/**
 * The CRM rows for a product's prices in one version of a price list: the prices themselves, an entry in the list's price book and, because
 * Salesforce requires this first, an entry in the standard price book. Pure.
 */
export function priceRows(
  { number, prices }: ProductPrice,
  version: PriceListVersion,
  rules: PriceRules,
): readonly CatalogRow[] {
  if (!isKey(number)) return [];
  const rows = prices.map((price) => priceRow(number, price, version));
  const [shown] = [...prices].filter(hasPrice).sort((a, b) => order(a, rules) - order(b, rules) || byCode(a, b));
  const { currency } = version;
  if (shown === undefined || currency === null || rules.wanted?.includes(currency) === false) return rows;
  return [...rows, ...entryRows(number, shown, version, currency)];
}

function priceRow(number: string, price: Price, version: PriceListVersion): CatalogRow {
  const book = bookOf(version);
  const type = codeOf(price);
  const id = keyOf(book, number, type);
  return {
    kind: 'price',
    id,
    master: book,
    needs: [productNeed(number), bookNeed(book)],
    fields: {
      Name: KINDS.name(`${number} ${type}`),
      Price_Key__c: id,
      Product__c: number,
      Price_Book__c: book,
      Currency__c: version.currency,
      Active__c: true,
      ...mirrored(PRICED_FIELDS, { number }),
      ...mirrored(PRICE_FIELDS, price),
    },
  };
}

function entryRows(number: string, price: Price, version: PriceListVersion, currency: string): readonly CatalogRow[] {
  const book = bookOf(version);
  const standard = keyOf(STANDARD_BOOK, number, currency);
  const id = keyOf(book, number);
  const fields = {
    ...mirrored(ENTRY_FIELDS, price),
    Product2Id: number,
    CurrencyIsoCode: currency,
    IsActive: true,
  };
  const inCurrency: Need = { kind: CURRENCY, id: currency };
  return [
    {
      kind: 'standard-entry',
      id: standard,
      needs: [productNeed(number), inCurrency],
      fields: { ...fields, Vendor_Entry_Key__c: standard, Pricebook2Id: STANDARD_BOOK },
    },
    {
      kind: 'entry',
      id,
      master: book,
      needs: [bookNeed(book), { kind: 'standard-entry', id: standard }, inCurrency],
      fields: { ...fields, Vendor_Entry_Key__c: id, Pricebook2Id: book },
    },
  ];
}

const productNeed = (id: string): Need => ({ kind: 'product', id });
const bookNeed = (id: string): Need => ({ kind: 'price-list', id });

function codeOf({ revenueType }: Price): string {
  return revenueType?.code ?? revenueType?.name ?? '';
}

function hasPrice({ dsListPrice }: Price): boolean {
  return KINDS.number(dsListPrice) !== null;
}

function order(price: Price, { preferred }: PriceRules): number {
  const place = preferred.indexOf(codeOf(price));
  return place === -1 ? preferred.length : place;
}

function byCode(a: Price, b: Price): number {
  return codeOf(a) < codeOf(b) ? -1 : 1;
}
