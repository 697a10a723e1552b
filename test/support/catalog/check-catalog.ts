import { readFileSync } from 'node:fs';
import { tableRows } from '../markdown-table.ts';
import { type Json, latestOf, listsOf, type VendorCatalog } from './vendor-catalog.ts';

/**
 * Compares the vendor's catalog with what the CRM shows of it, field by field. It goes by the page for administrators, and shares
 * no code with the mirror.
 */

type Query = (soql: string) => Promise<readonly Json[]>;
/** An expected row; `where` identifies it among the rows of its object. */
type Expected = { readonly name: string; readonly where: Json; readonly fields: Json };
type Column = { readonly path: readonly string[]; readonly field: string; readonly kind: string };

const page = readFileSync(new URL('../../../docs/catalog.md', import.meta.url), 'utf8');
const columns = (heading: string): readonly Column[] =>
  tableRows(page, heading).map(([path = '', field = '', kind = '']) => ({
    path: path.split('.'),
    field: field.replaceAll('`', ''),
    kind,
  }));

/** The differences, one sentence each. `currencies`: the org's currencies. */
export async function catalogDifferences(
  vendor: VendorCatalog,
  query: Query,
  { currencies, isMulti = false }: { readonly currencies: readonly string[]; readonly isMulti?: boolean },
): Promise<readonly string[]> {
  const entries = entriesOf(vendor, currencies, isMulti);
  return (
    await Promise.all([
      differences(query, 'Product2', 'Vendor_Product_Number__c', productsOf(vendor)),
      differences(query, 'Product2', 'Vendor_Offer_Id__c', offersOf(vendor)),
      differences(query, 'Vendor_Product_Release__c', 'Release_Key__c', releasesOf(vendor)),
      differences(query, 'Pricebook2', 'Vendor_Price_List_Key__c', booksOf(vendor)),
      differences(query, 'Vendor_Price__c', 'Price_Key__c', pricesOf(vendor)),
      differences(query, 'Vendor_Package_Component__c', 'Component_Key__c', partsOf(vendor)),
      differences(query, 'Vendor_Accreditation__c', 'Accreditation_Key__c', accreditationsOf(vendor)),
      differences(
        query,
        'PricebookEntry',
        'Vendor_Entry_Key__c',
        entries,
        "AND NOT Vendor_Entry_Key__c LIKE 'offer/%'",
      ),
    ])
  ).flat();
}

async function differences(
  query: Query,
  object: string,
  key: string,
  expected: readonly Expected[],
  and = '',
): Promise<readonly string[]> {
  const active = object.endsWith('__c') ? 'Active__c' : 'IsActive';
  const names = new Set(expected.flatMap(({ where, fields }) => [...Object.keys(where), ...Object.keys(fields)]));
  const asked = [...new Set([...names, key, active])].join(', ');
  const rows = await allRows(query, `SELECT ${asked} FROM ${object} WHERE ${key} != null ${and}`, key);
  const find = finder(rows);
  const met = new Set<Json>();
  const missing = expected.flatMap(({ name, where, fields }) => {
    const found = find(where);
    const [row] = found;
    if (row === undefined || found.length > 1) return [`${object} ${name} is there ${found.length} times`];
    met.add(row);
    return Object.entries(fields).flatMap(([field, value]) =>
      isShown(value, shownIn(row, field))
        ? []
        : [`${object} ${name}: ${field} shows ${String(shownIn(row, field))} for ${String(value)}`],
    );
  });
  const stray = rows.filter((row) => row[active] === true && !met.has(row));
  return [
    ...missing,
    ...stray.map((row) => `${object} ${String(row[key])} is active, and the vendor does not show it`),
  ];
}

/** Rows in one answer of the CRM. */
const PAGE_ROWS = 2_000;

/** All rows of a query, sorted by a unique field. */
async function allRows(query: Query, soql: string, key: string): Promise<readonly Json[]> {
  const all: Json[] = [];
  for (let after = ''; ; ) {
    const page = await query(`${soql} ${after} ORDER BY ${key} LIMIT ${PAGE_ROWS}`);
    all.push(...page);
    if (page.length < PAGE_ROWS) return all;
    after = `AND ${key} > '${String(page.at(-1)?.[key]).replaceAll(/['\\]/g, '\\$&')}'`;
  }
}

/** Finds rows by the values of some fields; rows are indexed once for each set of fields. */
function finder(rows: readonly Json[]): (where: Json) => readonly Json[] {
  const indexes = new Map<string, ReadonlyMap<string, readonly Json[]>>();
  return (where) => {
    const fields = Object.keys(where);
    const place = fields.join();
    const index =
      indexes.get(place) ?? Map.groupBy(rows, (row) => JSON.stringify(fields.map((field) => shownIn(row, field))));
    indexes.set(place, index);
    return index.get(JSON.stringify(Object.values(where))) ?? [];
  };
}

function productsOf({ information }: VendorCatalog): readonly Expected[] {
  return latestOf(information).map((entry) => ({
    name: String(entry['number']),
    where: { Vendor_Product_Number__c: entry['number'] },
    fields: { ...mapped('Product field', entry), ProductCode: entry['number'], IsActive: true },
  }));
}

function releasesOf({ information }: VendorCatalog): readonly Expected[] {
  return unique(information, ({ number, release }) => `${String(number)} ${String(release)}`).map((entry) => ({
    name: `${String(entry['number'])} ${String(entry['release'])}`,
    where: {
      'Product__r.Vendor_Product_Number__c': entry['number'],
      Release__c: entry['release'],
    },
    fields: { ...mapped('Release field', entry), Active__c: true },
  }));
}

function offersOf({ items }: VendorCatalog): readonly Expected[] {
  return items.map((item) => ({
    name: String(item['salesPortfolioId']),
    where: { Vendor_Offer_Id__c: item['salesPortfolioId'] },
    fields: { ...mapped('Item field', item), IsActive: item['salesPortfolioisOrderable'] !== false },
  }));
}

function booksOf({ countries }: VendorCatalog): readonly Expected[] {
  const all = countries.flatMap((country) => listsOf(country).map((list) => ({ country, list })));
  return unique(all, ({ list }) => String(list['id'])).flatMap(({ list }) => {
    const own = all.filter((one) => one.list['id'] === list['id']).map(({ country }) => country);
    const joined = (name: string) => [...new Set(own.map((country) => country[name]))].sort().join(', ');
    const fields = {
      ...mapped('Price list field', list),
      ...mapped('Country field', { countryCode: joined('countryCode'), countryName: joined('countryName') }),
    };
    const current = {
      name: String(list['id']),
      where: { Vendor_Price_List_Key__c: String(list['id']) },
      fields: { ...fields, IsActive: true },
    };
    if (list['hasFuturePriceList'] !== true) return [current];
    const key = `${String(list['id'])}-future`;
    const future = {
      name: key,
      where: { Vendor_Price_List_Key__c: key },
      fields: { ...fields, Name: `Future: ${String(list['name'])}` },
    };
    return [current, future];
  });
}

function pricesOf({ prices }: VendorCatalog): readonly Expected[] {
  return pricedOf(prices).flatMap(({ book, currency, product }) =>
    (product['prices'] as readonly Json[]).map((price) => ({
      name: `${book} ${String(product['number'])} ${String(price['revenueType'])}`,
      where: {
        'Price_Book__r.Vendor_Price_List_Key__c': book,
        'Product__r.Vendor_Product_Number__c': product['number'],
        Revenue_Type__c: price['revenueType'],
      },
      fields: { ...mapped('Price field', { ...product, ...price }), Currency__c: currency, Active__c: true },
    })),
  );
}

function entriesOf({ prices }: VendorCatalog, currencies: readonly string[], isMulti: boolean): readonly Expected[] {
  const written = pricedOf(prices).filter(({ currency }) => currencies.includes(currency));
  const entry = (where: Json, { currency, product }: (typeof written)[number]): Expected => {
    const [first] = (product['prices'] as readonly Json[]).toSorted((a, b) =>
      String(a['revenueType']) < String(b['revenueType']) ? -1 : 1,
    );
    const inCurrency = isMulti ? { CurrencyIsoCode: currency } : {};
    return {
      name: Object.values(where).join(' '),
      where: { ...where, ...inCurrency, 'Product2.Vendor_Product_Number__c': product['number'] },
      fields: { ...mapped('Entry field', first ?? {}), IsActive: true },
    };
  };
  const current = written.filter(({ book }) => !book.endsWith('-future'));
  const standard = unique(
    current.toSorted((a, b) => Number(a.book) - Number(b.book)),
    ({ currency, product }) => `${currency} ${String(product['number'])}`,
  );
  return [
    ...written.map((shown) => entry({ 'Pricebook2.Vendor_Price_List_Key__c': shown.book }, shown)),
    ...standard.map((shown) => entry({ 'Pricebook2.IsStandard': true }, shown)),
  ];
}

function partsOf({ content, information }: VendorCatalog): readonly Expected[] {
  const numbers = new Set(information.map(({ number }) => number));
  return content.map(({ number, release, part }) => ({
    name: `${number} ${String(part['number'])}`,
    where: {
      'Package__r.Vendor_Product_Number__c': number,
      Component_Number__c: part['number'],
      Release__c: part['release'],
    },
    fields: {
      ...mapped('Part field', part),
      Package_Release__c: release,
      // A component may refer to a product that no longer exists.
      ...(numbers.has(part['number']) ? { 'Component__r.Vendor_Product_Number__c': part['number'] } : {}),
      Active__c: true,
    },
  }));
}

function accreditationsOf({ accreditations }: VendorCatalog): readonly Expected[] {
  return accreditations.map((one) => ({
    name: String(one['id']),
    where: { Accreditation_Id__c: one['id'], Accreditation_Type__c: one['accreditationType'] },
    fields: { ...mapped('Accreditation field', one), Active__c: true },
  }));
}

/** One price per product and version, because several accreditations show the same prices. */
function pricedOf(prices: VendorCatalog['prices']): VendorCatalog['prices'] {
  return unique(prices, ({ book, product }) => `${book} ${String(product['number'])}`);
}

function mapped(heading: string, source: Json): Json {
  return Object.fromEntries(
    columns(heading).map(({ path, field, kind }) => {
      const value = path.reduce<unknown>((inner, key) => (inner as Json | null | undefined)?.[key], source);
      const isUnset = value === undefined || value === null || value === '';
      const isText = kind === 'code' || kind === 'text';
      if (isUnset) return [field, null];
      if (kind === 'flag') return [field, value === true ? 'Yes' : 'No'];
      return [field, isText ? String(value).trim() : value];
    }),
  );
}

function isShown(value: unknown, shown: unknown): boolean {
  if (typeof value === 'number') return typeof shown === 'number' && Math.abs(shown - value) < 0.00501;
  return shown === value;
}

function shownIn(row: Json, field: string): unknown {
  return field.split('.').reduce<unknown>((inner, key) => (inner as Json | null | undefined)?.[key], row) ?? null;
}

function unique<T>(all: readonly T[], keyOf: (one: T) => string): readonly T[] {
  return [...new Map(all.toReversed().map((one) => [keyOf(one), one])).values()].toReversed();
}
