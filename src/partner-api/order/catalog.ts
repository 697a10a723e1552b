import { z } from 'zod';
import { call } from '../call.ts';
import { checkInput } from '../check-input.ts';
import type { OperationContext } from '../context.ts';
import type { TakesExtra } from '../extra.ts';
import type { Endpoint } from '../request.ts';
import type { CallOptions, Result } from '../result.ts';
import { listOf } from '../schema/answer.ts';
import { queryInput } from '../schema/input.ts';
import { pickVersion, type VersionedCallOptions, type VersionedOperation, versionedEndpoint } from '../versions.ts';
import type {
  Accreditation,
  PackageContent,
  PriceListCountry,
  ProductInformation,
  ProductPrice,
} from './catalog-answers.ts';
import {
  accreditation,
  packageContent,
  priceListCountry,
  productInformation,
  productPrice,
} from './catalog-schemas.ts';
import { accreditationsInput, packageContentInput, productInformationInput, productPricesInput } from './criteria.ts';
import type {
  NoInput,
  SearchAccreditationsInput,
  SearchPackageContentInput,
  SearchProductInformationInput,
  SearchProductPricesInput,
} from './inputs.ts';

const list = <T>(item: z.ZodType<T>) => z.looseObject({ data: listOf(item) }).transform(({ data }) => data);

const accreditationEndpoints = versionedEndpoint('searchAccreditations', 'order', 'GET', '/accreditations/search');
const accreditationAnswers = { v0: list(accreditation('v0')), v1: list(accreditation('v1')) };

/** Makes the function that reads the caller's price lists, by country (order spec 4.4). */
export function searchPriceLists(context: OperationContext) {
  const endpoint = orderEndpoint('searchPriceLists', 'GET', '/price-lists/search');
  return async (input: NoInput = {}, options?: CallOptions): Promise<Result<PriceListCountry[]>> => {
    checkInput(endpoint, queryInput<NoInput>({}), input);
    return call(context, { endpoint }, list(priceListCountry), options);
  };
}

/** Makes the function that reads one page of the caller's accreditations, at most 100 (order spec 4.5). */
export function searchAccreditations(
  context: OperationContext,
): VersionedOperation<SearchAccreditationsInput, Accreditation[]> {
  return async (input: SearchAccreditationsInput, options?: VersionedCallOptions) => {
    const endpoint = pickVersion(accreditationEndpoints, options, context.onDeprecated);
    checkInput(endpoint, accreditationsInput, input);
    const query = { skip: input.skip, top: input.top };
    const answer = accreditationAnswers[options?.apiVersion ?? 'v1'];
    return call<Accreditation[]>(context, { endpoint, query }, answer, options);
  };
}

/** Makes the function that reads one page of product prices by ascending product number, at most 100 (order spec 4.6). */
export function searchProductPrices(context: OperationContext) {
  const endpoint = orderEndpoint('searchProductPrices', 'POST', '/product-price-list/search');
  return (input: SearchProductPricesInput, options?: CallOptions): Promise<Result<ProductPrice[]>> =>
    post(context, endpoint, productPricesInput, input, list(productPrice), options);
}

/** Makes the function that reads one page of product information by ascending product number, at most 100 (order spec 4.7). */
export function searchProductInformation(context: OperationContext) {
  const endpoint = orderEndpoint('searchProductInformation', 'POST', '/product-information/search');
  return (input: SearchProductInformationInput, options?: CallOptions): Promise<Result<ProductInformation[]>> =>
    post(context, endpoint, productInformationInput, input, list(productInformation), options);
}

/** Makes the function that reads one page of the components of a package or offer, at most 10 (order spec 4.8). */
export function searchPackageContent(context: OperationContext) {
  const endpoint = orderEndpoint('searchPackageContent', 'POST', '/package-offer-content/search');
  return (input: SearchPackageContentInput, options?: CallOptions): Promise<Result<PackageContent[]>> =>
    post(context, endpoint, packageContentInput, input, list(packageContent), options);
}

async function post<Input extends SearchAccreditationsInput & TakesExtra, T>(
  context: OperationContext,
  endpoint: Endpoint,
  schema: z.ZodType,
  input: Input,
  answer: z.ZodType<T>,
  options: CallOptions | undefined,
): Promise<Result<T>> {
  checkInput(endpoint, schema, input);
  const { skip, top, ...body } = input;
  return call(context, { endpoint, query: { skip, top }, body }, answer, options);
}

/** The endpoint of an operation that exists in version 0 only and is not deprecated (order spec 9.4). */
function orderEndpoint(operation: string, method: Endpoint['method'], path: string): Endpoint {
  return { operation, domain: 'order', method, template: `/order/api4partners/v0${path}` };
}
