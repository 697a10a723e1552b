import { call } from '../call.ts';
import { checkInput } from '../check-input.ts';
import type { OperationContext } from '../context.ts';
import type { Endpoint } from '../request.ts';
import type { CallOptions, Result } from '../result.ts';
import type { FoundLeadOpportunities } from './answers.ts';
import { searchInput } from './input.ts';
import type { SearchLeadOpportunitiesInput } from './inputs.ts';
import { searchAnswer } from './schemas.ts';

const endpoint: Endpoint = {
  operation: 'searchLeadOpportunities',
  domain: 'sales',
  method: 'POST',
  template: '/sales/api4partners/v0/leads-opportunities/search',
};

/**
 * Makes the function that searches the vendor ids of lead-opportunities that meet all criteria (sales spec 4.4). Exists as v0 only, and is
 * not deprecated.
 */
export function searchLeadOpportunities(context: OperationContext) {
  return async (
    input: SearchLeadOpportunitiesInput,
    options?: CallOptions,
  ): Promise<Result<FoundLeadOpportunities>> => {
    checkInput(endpoint, searchInput, input);
    return call(context, { endpoint, body: input }, searchAnswer, options);
  };
}
