import { z } from 'zod';
import type { OrderRoute, SalesRoute } from '../operations.ts';
import { contentRequest, informationRequest, priceRequest } from '../order/catalog-requests.ts';
import { MAX_ORDER_ID_LENGTH } from '../order/order.ts';
import { ORDER_CRITERIA } from '../order/order-search.ts';
import { BODIES } from '../schemas.ts';

const dateTime = z.string().meta({ format: 'date-time' });

/** JSON Schema for "at least one of these keys". */
function oneOfThem(...names: readonly string[]): { readonly anyOf: readonly object[] } {
  return { anyOf: names.map((name) => ({ required: [name] })) };
}

/** Sales spec 4.4. The rules that JSON Schema cannot say are in the description. */
const leadSearch = z
  .object({
    data: z
      .array(
        z.object({
          modifiedDate: z.object({ fromDate: dateTime, toDate: dateTime }).optional(),
          partnerLeadOpportunityId: z.union([z.array(z.string()), z.literal('')]).optional(),
        }),
      )
      .meta({ contains: oneOfThem('modifiedDate', 'partnerLeadOpportunityId') }),
  })
  .meta({ description: 'At least one of the two kinds of criteria; several are combined with AND.' });

const range = z.object({ from: dateTime.optional(), to: dateTime.optional() });

/** Order spec 4.2. */
const orderSearch = z
  .object({
    creationDateTime: range.optional(),
    bookingDateTime: range.optional(),
    lastUpdateDateTime: range.optional(),
    installedBaseNumber: z.string().max(40).optional(),
    onlineInstanceSeatId: z.string().max(15).optional(),
    billToPoReferences: z.array(z.string().max(60)).min(1).optional(),
    transactionType: z.enum(['PO', 'RN']).optional(),
  })
  .meta({
    ...oneOfThem(...ORDER_CRITERIA),
    description:
      'At least one criterion beside transactionType; several are combined with AND. A range spans at most 7 days ' +
      '(lastUpdateDateTime: 3), begins in the past, and its missing bound is computed.',
  });

type Bounds = { readonly defaultTop: number; readonly maxTop?: number };

const PAGES: Readonly<Record<string, Bounds>> = {
  searchPortfolioItems: { defaultTop: 9999 },
  searchOrders: { defaultTop: 10, maxTop: 100 },
  searchAccreditations: { defaultTop: 100, maxTop: 100 },
  searchProductPrices: { defaultTop: 100, maxTop: 100 },
  searchProductInformation: { defaultTop: 100, maxTop: 100 },
  searchPackageContent: { defaultTop: 10, maxTop: 10 },
};

/** The body that a route wants; `undefined` when it has none. */
export function requestOf(route: SalesRoute | OrderRoute): z.ZodType | undefined {
  const bodies: Readonly<Record<string, z.ZodType>> = {
    createLeadOpportunity: BODIES[route.label].create,
    updateLeadOpportunity: BODIES[route.label].update,
    searchLeadOpportunities: leadSearch,
    searchOrders: orderSearch,
    searchProductPrices: priceRequest,
    searchProductInformation: informationRequest,
    searchPackageContent: contentRequest,
  };
  return bodies[route.operation];
}

/** The parameters of a route as OpenAPI writes them. */
export function parametersOf(route: SalesRoute | OrderRoute): readonly object[] {
  const page = PAGES[route.operation];
  const limit = route.scope === 'order' ? { maxLength: MAX_ORDER_ID_LENGTH } : {};
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string', ...limit } };
  const query = (name: string, schema: object) => ({ name, in: 'query', required: false, schema });
  return [
    ...(route.path.includes('{id}') ? [id] : []),
    ...(page === undefined
      ? []
      : [
          query('skip', { type: 'integer', minimum: 0, default: 0 }),
          query('top', {
            type: 'integer',
            minimum: 1,
            default: page.defaultTop,
            ...(page.maxTop !== undefined && { maximum: page.maxTop }),
          }),
        ]),
  ];
}
