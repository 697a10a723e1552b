import { call } from '../call.ts';
import { checkInput } from '../check-input.ts';
import type { OperationContext } from '../context.ts';
import { pickVersion, type VersionedCallOptions, type VersionedOperation, versionedEndpoint } from '../versions.ts';
import type { CreatedLeadOpportunity } from './answers.ts';
import { createInput } from './input.ts';
import type { CreateLeadOpportunityInput } from './inputs.ts';
import { createAnswer } from './schemas.ts';

const endpoints = versionedEndpoint('createLeadOpportunity', 'sales', 'POST', '/leads-opportunities');

/**
 * Makes the function that creates a lead-opportunity (sales spec 4.1). It rejects with kind `duplicate` if a record with this partner
 * reference exists (ERR801).
 */
export function createLeadOpportunity(
  context: OperationContext,
): VersionedOperation<CreateLeadOpportunityInput, CreatedLeadOpportunity> {
  return async (input: CreateLeadOpportunityInput, options?: VersionedCallOptions) => {
    const endpoint = pickVersion(endpoints, options, context.onDeprecated);
    checkInput(endpoint, createInput, input);
    return call(context, { endpoint, body: input }, createAnswer, options);
  };
}
