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
 * Makes the function that searches for lead-opportunities that meet all criteria, and returns their vendor ids (sales spec 4.4). Exists in
 * version 0 only, which is not deprecated for this operation.
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
