import type { z } from 'zod';
import { FIELD_GROUPS, type FieldGroupName, fieldText } from '../../vendor-fields/index.ts';
import type { OrderRoute, SalesRoute } from '../operations.ts';
import { contentRequest, informationRequest, priceRequest } from '../order/catalog-requests.ts';
import { MAX_ORDER_ID_LENGTH } from '../order/order.ts';
import { orderSearchRequest } from '../order/order-search.ts';
import { pageBoundsOf } from '../page-bounds.ts';
import { BODIES } from '../schemas.ts';
import { leadSearchRequest } from '../search.ts';
import { exampleOf } from './examples.ts';

/** The request body of a route; `undefined` if it has none. */
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

const ID_GROUPS = { sales: 'recordPath', order: 'orderPath' } as const satisfies Record<string, FieldGroupName>;

const PAGE_GROUPS: Readonly<Record<string, FieldGroupName>> = {
  searchPortfolioItems: 'portfolioQuery',
  searchOrders: 'orderSearchQuery',
  searchPackageContent: 'contentQuery',
};

/** The parameters of a route as OpenAPI writes them. */
export function parametersOf(route: SalesRoute | OrderRoute): readonly object[] {
  const page = pageBoundsOf(route.operation);
  const limit = route.scope === 'order' ? { maxLength: MAX_ORDER_ID_LENGTH } : {};
  const schema = { type: 'string', minLength: 1, ...limit };
  const examples = { typical: { value: exampleOf(route).id } };
  const idText = fieldText(FIELD_GROUPS[ID_GROUPS[route.scope]], 'id');
  const id = { name: 'id', in: 'path', required: true, description: idText, schema, examples };
  const pageFields = FIELD_GROUPS[PAGE_GROUPS[route.operation] ?? 'catalogQuery'];
  const query = (name: string, schema: object) => ({
    name,
    in: 'query',
    required: false,
    description: fieldText(pageFields, name),
    schema,
  });
  return [
    ...(route.path.includes('{id}') ? [id] : []),
    ...(page === undefined
      ? []
      : [
          query('skip', {
            type: 'integer',
            minimum: 0,
            default: 0,
          }),
          query('top', {
            type: 'integer',
            minimum: 1,
            default: page.defaultTop,
            ...(page.maxTop !== undefined && { maximum: page.maxTop }),
          }),
        ]),
  ];
}
