import { call } from '../call.ts';
import { checkInput } from '../check-input.ts';
import type { OperationContext } from '../context.ts';
import { pickVersion, type VersionedCallOptions, type VersionedOperation, versionedEndpoint } from '../versions.ts';
import type { UpdatedLeadOpportunity } from './answers.ts';
import { updateInput } from './input.ts';
import type { UpdateLeadOpportunityInput } from './inputs.ts';
import { updateAnswer } from './schemas.ts';

const endpoints = versionedEndpoint('updateLeadOpportunity', 'sales', 'PATCH', '/leads-opportunities/{id}');

/**
 * Makes the function that updates some fields of the record with the vendor's `id` (sales spec 4.2). Fields that are left out keep their
 * values. Send each array complete, because the documents do not say whether the vendor keeps items that an array leaves out.
 */
export function updateLeadOpportunity(
  context: OperationContext,
): VersionedOperation<UpdateLeadOpportunityInput, UpdatedLeadOpportunity> {
  return async (input: UpdateLeadOpportunityInput, options?: VersionedCallOptions) => {
    const endpoint = pickVersion(endpoints, options, context.onDeprecated);
    checkInput(endpoint, updateInput, input);
    const { id, ...body } = input;
    return call(context, { endpoint, path: { id }, body }, updateAnswer, options);
  };
}
