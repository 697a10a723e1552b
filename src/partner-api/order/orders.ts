import { z } from 'zod';
import { call } from '../call.ts';
import { checkInput } from '../check-input.ts';
import type { OperationContext } from '../context.ts';
import { listOf } from '../schema/answer.ts';
import { pickVersion, type VersionedCallOptions, type VersionedOperation, versionedEndpoint } from '../versions.ts';
import { orderSearchInput, readOrderInput } from './criteria.ts';
import type { ReadOrderInput, SearchOrdersInput } from './inputs.ts';
import type { OrderDetail, OrderSummary } from './order-answers.ts';
import { orderDetail, orderSummary } from './order-schemas.ts';

const searchEndpoints = versionedEndpoint('searchOrders', 'order', 'POST', '/orders/search');
const readEndpoints = versionedEndpoint('readOrder', 'order', 'GET', '/orders/{id}');

const found = <T>(item: z.ZodType<T>) => z.looseObject({ data: listOf(item) }).transform(({ data }) => data);
const one = <T>(item: z.ZodType<T>) => z.looseObject({ data: listOf(item, 1) }).transform(({ data }) => data[0] as T);

const searchAnswers = { v0: found(orderSummary('v0')), v1: found(orderSummary('v1')) };
const readAnswers = { v0: one(orderDetail('v0')), v1: one(orderDetail('v1')) };

/**
 * Makes the function that searches for orders and returns one page of summaries (order spec 4.2). A page has `top` orders: 10 by default,
 * 100 at most.
 */
export function searchOrders(context: OperationContext): VersionedOperation<SearchOrdersInput, OrderSummary[]> {
  let inputs: ReturnType<typeof orderSearchInput> | undefined;
  return async (input: SearchOrdersInput, options?: VersionedCallOptions) => {
    // Building the schema takes as long as a request, so the schema is built only once.
    inputs ??= orderSearchInput(context.now);
    const endpoint = pickVersion(searchEndpoints, options, context.onDeprecated);
    checkInput(endpoint, inputs, input);
    const { skip, top, ...body } = input;
    const answer = searchAnswers[options?.apiVersion ?? 'v1'];
    return call<OrderSummary[]>(context, { endpoint, query: { skip, top }, body }, answer, options);
  };
}

/**
 * Makes the function that reads one order (order spec 4.3). The result has the same form for both API versions. For an unknown id, the
 * function rejects with kind `not-found`.
 */
export function readOrder(context: OperationContext): VersionedOperation<ReadOrderInput, OrderDetail> {
  return async (input: ReadOrderInput, options?: VersionedCallOptions) => {
    const endpoint = pickVersion(readEndpoints, options, context.onDeprecated);
    checkInput(endpoint, readOrderInput, input);
    const answer = readAnswers[options?.apiVersion ?? 'v1'];
    return call<OrderDetail>(context, { endpoint, path: { id: input.id } }, answer, options);
  };
}
