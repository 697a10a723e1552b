import type { Answer } from 'lockstep-simulators/testing';

/** The whole catalog as the vendor's API answers it, asked by bare HTTP: it shares no code with the mirror or its client. */

export type Json = Readonly<Record<string, unknown>>;
type Ask = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** A price of a price list version. */
export type ShownPrices = { readonly book: string; readonly currency: string; readonly product: Json };
export type VendorCatalog = {
  readonly countries: readonly Json[];
  readonly accreditations: readonly Json[];
  readonly information: readonly Json[];
  readonly prices: readonly ShownPrices[];
  readonly content: readonly { readonly number: string; readonly release: string; readonly part: Json }[];
  readonly items: readonly Json[];
};

/** Compares names with numbers so that the later release is greater. */
export const byRelease = new Intl.Collator('en', { numeric: true }).compare;

export async function askCatalog(order: Ask, sales: Ask): Promise<VendorCatalog> {
  const countries = await rows(order, 'GET', 'v0/price-lists/search');
  const accreditations = await paged(order, 'GET', 'v1/accreditations/search', 100);
  const information: Json[] = [];
  const prices: ShownPrices[] = [];
  for (const { id: accreditationId, accreditationType } of accreditations) {
    const by = { accreditationId, accreditationType };
    information.push(...(await paged(order, 'POST', 'v0/product-information/search', 100, by)));
    for (const { id, currency, hasFuturePriceList } of countries.flatMap(listsOf)) {
      for (const status of hasFuturePriceList === true ? ['C', 'F'] : ['C']) {
        const of = { ...by, priceListId: id, priceListStatus: status };
        const shown = await paged(order, 'POST', 'v0/product-price-list/search', 100, of);
        const book = status === 'C' ? String(id) : `${String(id)}-future`;
        prices.push(...shown.map((product) => ({ book, currency: String(currency), product })));
      }
    }
  }
  const packages = latestOf(information).filter(({ type }) => type === 'P' || type === 'O');
  const content = [];
  for (const { number, release } of packages) {
    const of = { number: String(number), release: String(release) };
    const parts = await paged(order, 'POST', 'v0/package-offer-content/search', 10, of);
    content.push(...parts.map((part) => ({ ...of, part })));
  }
  const items = await rows(sales, 'GET', 'v0/portfolio-items/search');
  return { countries, accreditations, information, prices, content, items };
}

export function listsOf({ priceLists }: Json): readonly Json[] {
  return priceLists as readonly Json[];
}

/** The latest release of each product. */
export function latestOf(information: readonly Json[]): readonly Json[] {
  const latest = new Map<unknown, Json>();
  for (const entry of information) {
    const known = latest.get(entry['number']);
    if (known === undefined || byRelease(String(known['release']), String(entry['release'])) < 0)
      latest.set(entry['number'], entry);
  }
  return [...latest.values()];
}

async function paged(ask: Ask, method: string, path: string, top: number, body?: object): Promise<readonly Json[]> {
  const all: Json[] = [];
  for (let skip = 0; ; skip += top) {
    const page = await rows(ask, method, `${path}?skip=${skip}&top=${top}`, body);
    all.push(...page);
    if (page.length < top) return all;
  }
}

async function rows(ask: Ask, method: string, path: string, body?: object): Promise<readonly Json[]> {
  const answer = await ask(method, path, body);
  if (answer.status !== 200) throw new Error(`${method} ${path} answered ${answer.status}`);
  return (answer.body as { readonly data: readonly Json[] }).data;
}
