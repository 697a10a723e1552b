import type { Accreditation, Catalog, Product } from './catalog.ts';
import { ACCREDITATION_TYPES, DEPLOYMENT_TYPES, displayName } from './codes.ts';
import type { OrderVersion } from './order-shapes.ts';

/** Exchange rates of the currencies in the sandbox's price lists: units for one unit of the reference currency. */
const RATES: Readonly<Record<string, number>> = { EUR: 1, USD: 1.1, GBP: 0.85, JPY: 160 };
/** The price factor of a future price list. */
const FUTURE_FACTOR = 1.03;

/** An accreditation: display names in v0, codes in v1 (order spec 2.14). */
export function toAccreditation(accreditation: Accreditation, version: OrderVersion): object {
  if (version === 'v1') return accreditation;
  const { accreditationType, deploymentType } = accreditation;
  return {
    ...accreditation,
    accreditationType: displayName(ACCREDITATION_TYPES, accreditationType),
    ...(deploymentType !== undefined && { deploymentType: displayName(DEPLOYMENT_TYPES, deploymentType) }),
  };
}

/** The prices of a product in a price list (order spec 2.15); discounts in percent, prices with two decimals. */
export function toPrices(product: Product, currency: string, isFuture: boolean): object {
  const factor = (RATES[currency] ?? 1) * (isFuture ? FUTURE_FACTOR : 1);
  const prices = product.prices.map((price) => {
    const listCents = Math.round(price.listCents * factor);
    const first = price.firstYearDiscountPercentage;
    return {
      revenueType: price.revenueType,
      dsListPrice: listCents / 100,
      distributorDiscountPercentage: price.discountPercentage,
      distributorPrice: discounted(listCents, price.discountPercentage),
      ...(first !== undefined && {
        firstYearDiscountPercentage: first,
        firstYearDiscountPrice: discounted(listCents, first),
      }),
    };
  });
  return { number: product.number, prices };
}

function discounted(listCents: number, percentage: number): number {
  return Math.round(listCents * (1 - percentage / 100)) / 100;
}

/** The information of a product, one entry a release (order spec 2.16). */
export function toInformation(product: Product): readonly object[] {
  const { releases, accreditationIds: _hidden, prices: _prices, content: _content, ...rest } = product;
  return releases.map((release) => ({
    ...rest,
    release: release.name,
    prerequisite: release.prerequisite,
    availabilityStatus: release.availabilityStatus,
  }));
}

/** The price list of the partner with this id, whatever its country. */
export function findPriceList(catalog: Catalog, id: number) {
  return catalog.priceLists.flatMap((country) => country.priceLists).find((list) => list.id === id);
}
