import { call } from '../call.ts';
import { checkInput } from '../check-input.ts';
import type { OperationContext } from '../context.ts';
import type { Endpoint } from '../request.ts';
import type { CallOptions, Result } from '../result.ts';
import { queryInput } from '../schema/input.ts';
import type { GeneratedApiKey } from './catalog-answers.ts';
import { generatedApiKey } from './catalog-schemas.ts';
import type { NoInput } from './inputs.ts';

const endpoint: Endpoint = {
  operation: 'generateApiKey',
  domain: 'order',
  method: 'POST',
  template: '/order/api4partners/v0/apikeys',
};

/**
 * Makes the function that generates an API key and its hash (order spec 4.1). The vendor shows the key only this once. The new key works
 * only after the vendor has registered the hash. The answer has no envelope, so every field of `info` is null.
 */
export function generateApiKey(context: OperationContext) {
  return async (input: NoInput = {}, options?: CallOptions): Promise<Result<GeneratedApiKey>> => {
    checkInput(endpoint, queryInput<NoInput>({}), input);
    return call(context, { endpoint }, generatedApiKey, options);
  };
}
