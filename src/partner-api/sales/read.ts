import { call } from '../call.ts';
import { checkInput } from '../check-input.ts';
import type { OperationContext } from '../context.ts';
import { pickVersion, type VersionedCallOptions, type VersionedOperation, versionedEndpoint } from '../versions.ts';
import type { ReadLeadOpportunity } from './answers.ts';
import { readInput } from './input.ts';
import type { ReadLeadOpportunityInput } from './inputs.ts';
import { readAnswer } from './schemas.ts';

const endpoints = versionedEndpoint('readLeadOpportunity', 'sales', 'GET', '/leads-opportunities/{id}');

/**
 * Makes the function that reads one lead-opportunity (sales spec 4.3). It rejects with kind `out-of-scope` (ERROR_048) for an id that does
 * not exist or belongs to another partner.
 */
export function readLeadOpportunity(
  context: OperationContext,
): VersionedOperation<ReadLeadOpportunityInput, ReadLeadOpportunity> {
  return async (input: ReadLeadOpportunityInput, options?: VersionedCallOptions) => {
    const endpoint = pickVersion(endpoints, options, context.onDeprecated);
    checkInput(endpoint, readInput, input);
    return call(context, { endpoint, path: { id: input.id } }, readAnswer(input.id), options);
  };
}
