import type { OperationRoute } from '../operations.ts';

const BY_CREATE = { id: '$response.body#/dsLeadOpportunityId' };
const BY_ORDER_SEARCH = { id: '$response.body#/data/0/transaction/id' };

/** OpenAPI links from the ids in a successful answer to the operations that take them. */
export function linksOf({ operation, label }: OperationRoute): Readonly<Record<string, object>> {
  const to = (name: string, parameters: object) => ({
    [name]: { operationId: `${name}_${label}`, parameters },
  });
  if (operation === 'createLeadOpportunity') {
    return { ...to('readLeadOpportunity', BY_CREATE), ...to('updateLeadOpportunity', BY_CREATE) };
  }
  return operation === 'searchOrders' ? to('readOrder', BY_ORDER_SEARCH) : {};
}
