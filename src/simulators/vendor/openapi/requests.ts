import type { z } from 'zod';
import type { OrderRoute, SalesRoute } from '../operations.ts';
import { contentRequest, informationRequest, priceRequest } from '../order/catalog-requests.ts';
import { MAX_ORDER_ID_LENGTH } from '../order/order.ts';
import { orderSearchRequest } from '../order/order-search.ts';
import { pageBoundsOf } from '../page-bounds.ts';
import { BODIES } from '../schemas.ts';
import { leadSearchRequest } from '../search.ts';
import { exampleOf } from './examples.ts';

/** The body that a route wants; `undefined` when it has none. */
export function requestOf(route: SalesRoute | OrderRoute): z.ZodType | undefined {
  const bodies: Readonly<Record<string, z.ZodType>> = {
    createLeadOpportunity: BODIES[route.label].create,
    updateLeadOpportunity: BODIES[route.label].update,
    searchLeadOpportunities: leadSearchRequest,
    searchOrders: orderSearchRequest,
    searchProductPrices: priceRequest,
    searchProductInformation: informationRequest,
    searchPackageContent: contentRequest,
  };
  return bodies[route.operation];
}

const ID_TEXTS = {
  sales: 'The vendor id of the lead-opportunity.',
  order: "The vendor's order reference: the id of a purchase order or renewal notification.",
} as const;

/** The parameters of a route as OpenAPI writes them. */
export function parametersOf(route: SalesRoute | OrderRoute): readonly object[] {
  const page = pageBoundsOf(route.operation);
  const limit = route.scope === 'order' ? { maxLength: MAX_ORDER_ID_LENGTH } : {};
  const schema = { type: 'string', minLength: 1, ...limit };
  const examples = { typical: { value: exampleOf(route).id } };
  const id = { name: 'id', in: 'path', required: true, description: ID_TEXTS[route.scope], schema, examples };
  const query = (name: string, description: string, schema: object) => ({
    name,
    in: 'query',
    required: false,
    description,
    schema,
  });
  return [
    ...(route.path.includes('{id}') ? [id] : []),
    ...(page === undefined
      ? []
      : [
          query('skip', 'How many items to leave out from the beginning.', {
            type: 'integer',
            minimum: 0,
            default: 0,
          }),
          query('top', 'How many items to answer at most.', {
            type: 'integer',
            minimum: 1,
            default: page.defaultTop,
            ...(page.maxTop !== undefined && { maximum: page.maxTop }),
          }),
        ]),
  ];
}
