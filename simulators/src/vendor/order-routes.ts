import type { Context, Hono } from 'hono';
import type { Clock } from '../core/clock.ts';
import type { GatewayEnv } from './gateway.ts';
import type { KeyRing } from './keys.ts';
import { ORDER_ROUTES, type OrderOperation, type OrderRoute } from './operations.ts';
import type { Catalog, Product } from './order/catalog.ts';
import { contentRequest, informationRequest, priceRequest, readBody } from './order/catalog-requests.ts';
import { findPriceList, toAccreditation, toInformation, toPrices } from './order/catalog-shapes.ts';
import { MAX_ORDER_ID_LENGTH } from './order/order.ts';
import { readOrderCriteria } from './order/order-search.ts';
import { toDetail, toSummary } from './order/order-shapes.ts';
import type { OrderStore } from './order/order-store.ts';
import { type OrderPageBounds, readOrderPage } from './order/page.ts';
import { type Answer, found, invalid, notFound, type OrderRefusal, orderBody, refusalBody } from './order/refusals.ts';
import { isLegacy } from './order/time-groups.ts';
import { PAGE_BOUNDS } from './page-bounds.ts';
import type { Page } from './portfolio.ts';

/**
 * The data of the order operations. Orders and catalog belong to one partner; others see none. v0 does not show orders in the legacy
 * status, because it has no name for this status.
 */
export type OrderContext = {
  readonly orders: Pick<OrderStore, 'get' | 'find'>;
  readonly catalog: () => Catalog;
  readonly clock: Clock;
  readonly keys: KeyRing;
  readonly partnerId: string;
};

type Handler = (order: OrderContext, c: Context<GatewayEnv>, route: OrderRoute) => Promise<Response> | Response;

const HANDLERS: Readonly<Record<OrderOperation, Handler>> = {
  generateApiKey: async ({ keys }, c) => {
    const { apiKey, hashedKey } = await keys.generate(c.get('key'));
    return c.json({ hashed_key: hashedKey, api_key: apiKey });
  },
  searchOrders,
  readOrder,
  searchPriceLists: (order, c) => {
    const data = catalogOf(order, c).priceLists;
    return c.json(orderBody(data, data.length));
  },
  searchAccreditations: (order, c, { label }) => {
    const all = catalogOf(order, c).accreditations.map((item) => toAccreditation(item, label));
    return answerPage(
      c,
      readOrderPage((name) => c.req.query(name), PAGE_BOUNDS.searchAccreditations),
      found(all),
    );
  },
  searchProductPrices: (order, c) => searchCatalog(order, c, PAGE_BOUNDS.searchProductPrices, findPrices),
  searchProductInformation: (order, c) =>
    searchCatalog(order, c, PAGE_BOUNDS.searchProductInformation, findInformation),
  searchPackageContent: (order, c) => searchCatalog(order, c, PAGE_BOUNDS.searchPackageContent, findContent),
};

/** Adds the eleven routes of the order domain (order spec 4) to the app. */
export function addOrderRoutes(app: Hono<GatewayEnv>, order: OrderContext): void {
  for (const route of ORDER_ROUTES) {
    const handler = HANDLERS[route.operation];
    app.on(route.method, route.path.replace('{id}', ':id'), (c) => handler(order, c, route));
  }
}

async function searchOrders(order: OrderContext, c: Context<GatewayEnv>, route: OrderRoute): Promise<Response> {
  const page = readOrderPage((name) => c.req.query(name), PAGE_BOUNDS.searchOrders);
  const json = await readJson(c);
  const criteria = json.ok ? readOrderCriteria(json.value, order.clock.now()) : json;
  if (!criteria.ok) return refuse(c, criteria.refusal);
  if (!page.ok) return refuse(c, page.refusal);
  if (!isOwner(order, c)) return c.json(orderBody([], 0));
  const withLegacy = route.label === 'v1';
  const { heads, total } = order.orders.find(criteria.value, { ...page.value, withLegacy });
  const data = heads.map((match) => toSummary(match.summary(), route.label));
  return c.json(orderBody(data, total));
}

function readOrder(order: OrderContext, c: Context<GatewayEnv>, route: OrderRoute): Response {
  const id = c.req.param('id') ?? '';
  if ([...id].length > MAX_ORDER_ID_LENGTH) {
    const detail = `An order id has at most ${MAX_ORDER_ID_LENGTH} characters.`;
    return refuse(c, { status: 400, faults: [{ detail, pointer: '/id' }] });
  }
  const match = order.orders.get(id);
  const isShown = match !== undefined && (route.label === 'v1' || !isLegacy(match));
  if (!isShown || !isOwner(order, c)) {
    return refuse(c, { status: 404, detail: 'There is no such order.' });
  }
  return c.json(orderBody([toDetail(match.order(), route.label)], 1));
}

/** Whether the caller is the partner that orders and catalog belong to. */
function isOwner(order: OrderContext, c: Context<GatewayEnv>): boolean {
  return c.get('key').partnerId === order.partnerId;
}

const NOTHING: Catalog = { priceLists: [], accreditations: [], products: [] };

function catalogOf(order: OrderContext, c: Context<GatewayEnv>): Catalog {
  return isOwner(order, c) ? order.catalog() : NOTHING;
}

type Finder = (catalog: Catalog, body: unknown) => Answer<readonly object[]>;

async function searchCatalog(
  order: OrderContext,
  c: Context<GatewayEnv>,
  bounds: OrderPageBounds,
  find: Finder,
): Promise<Response> {
  const page = readOrderPage((name) => c.req.query(name), bounds);
  const json = await readJson(c);
  return answerPage(c, page, json.ok ? find(catalogOf(order, c), json.value) : json);
}

function answerPage(c: Context<GatewayEnv>, page: Answer<Page>, items: Answer<readonly object[]>): Response {
  if (!page.ok) return refuse(c, page.refusal);
  if (!items.ok) return refuse(c, items.refusal);
  const { skip, top } = page.value;
  return c.json(orderBody(items.value.slice(skip, skip + top), items.value.length));
}

/** Finds the prices of order spec 4.6. The accreditation, the price list and, for status F, its future version must exist. */
function findPrices(catalog: Catalog, body: unknown): Answer<readonly object[]> {
  const request = readBody(priceRequest, body);
  if (!request.ok) return request;
  const products = accreditedProducts(catalog, request.value);
  if (!products.ok) return products;
  const list = findPriceList(catalog, request.value.priceListId);
  const status = request.value.priceListStatus ?? 'C';
  const isFuture = status === 'F' && list?.hasFuturePriceList === true;
  if (list === undefined || (status !== 'C' && !isFuture)) return notFound('There is no such price list.');
  return found(products.value.map((product) => toPrices(product, list.currency, isFuture)));
}

function findInformation(catalog: Catalog, body: unknown): Answer<readonly object[]> {
  const request = readBody(informationRequest, body);
  if (!request.ok) return request;
  const products = accreditedProducts(catalog, request.value);
  return products.ok ? found(products.value.flatMap(toInformation)) : products;
}

function findContent(catalog: Catalog, body: unknown): Answer<readonly object[]> {
  const request = readBody(contentRequest, body);
  if (!request.ok) return request;
  const { number, release } = request.value;
  const content = catalog.products.find((product) => product.number === number)?.content;
  const items = content !== undefined && Object.hasOwn(content, release) ? content[release] : undefined;
  return items === undefined ? notFound('There is no such package or offer in this release.') : found(items);
}

function accreditedProducts(
  catalog: Catalog,
  wanted: { readonly accreditationType: string; readonly accreditationId: string },
): Answer<readonly Product[]> {
  const isHeld = catalog.accreditations.some(
    ({ id, accreditationType }) => id === wanted.accreditationId && accreditationType === wanted.accreditationType,
  );
  if (!isHeld) return notFound('There is no such accreditation.');
  return found(catalog.products.filter(({ accreditationIds }) => accreditationIds.includes(wanted.accreditationId)));
}

function refuse(c: Context, refusal: OrderRefusal): Response {
  return c.json(refusalBody(refusal), refusal.status);
}

async function readJson(c: Context): Promise<Answer<unknown>> {
  try {
    return found(JSON.parse(await c.req.text()));
  } catch {
    return invalid([{ detail: 'The body is not JSON.', pointer: '' }]);
  }
}
