import { call } from '../call.ts';
import { checkInput } from '../check-input.ts';
import type { OperationContext } from '../context.ts';
import type { Endpoint } from '../request.ts';
import type { CallOptions, Result } from '../result.ts';
import type { PortfolioItem } from './answers.ts';
import { portfolioInput } from './input.ts';
import type { SearchPortfolioItemsInput } from './inputs.ts';
import { portfolioAnswer } from './schemas.ts';

const endpoint: Endpoint = {
  operation: 'searchPortfolioItems',
  domain: 'sales',
  method: 'GET',
  template: '/sales/api4partners/v0/portfolio-items/search',
};

/**
 * Makes the function that reads a page of the portfolio (sales spec 4.5). Without `top` the vendor gives up to 9999 items. Exists as v0
 * only.
 */
export function searchPortfolioItems(context: OperationContext) {
  return async (input: SearchPortfolioItemsInput = {}, options?: CallOptions): Promise<Result<PortfolioItem[]>> => {
    checkInput(endpoint, portfolioInput, input);
    const query = { skip: input.skip, top: input.top };
    return call(context, { endpoint, query }, portfolioAnswer, options);
  };
}
