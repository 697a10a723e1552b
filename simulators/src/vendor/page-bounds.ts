/** Bounds and default of `top`; `skip` is a whole number from 0 everywhere, 0 by default. */
export type PageBounds = { readonly defaultTop: number; readonly maxTop?: number };

/** The page bounds of operations (sales spec 8, order spec 8), for routes and for the OpenAPI document. */
export const PAGE_BOUNDS = {
  searchPortfolioItems: { defaultTop: 9999 },
  searchOrders: { defaultTop: 10, maxTop: 100 },
  searchAccreditations: { defaultTop: 100, maxTop: 100 },
  searchProductPrices: { defaultTop: 100, maxTop: 100 },
  searchProductInformation: { defaultTop: 100, maxTop: 100 },
  searchPackageContent: { defaultTop: 10, maxTop: 10 },
} as const satisfies Readonly<Record<string, PageBounds>>;

/** The bounds of an operation; `undefined` if it does not page. */
export function pageBoundsOf(operation: string): PageBounds | undefined {
  const all: Readonly<Record<string, PageBounds>> = PAGE_BOUNDS;
  return Object.hasOwn(all, operation) ? all[operation] : undefined;
}
