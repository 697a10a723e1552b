import { type CallOptions, call, type Result } from '../call.ts';
import type { OperationContext } from '../context.ts';
import type { Endpoint } from '../request.ts';
import { type GeneratedApiKey, generatedApiKey } from './catalog-schemas.ts';

const endpoint: Endpoint = {
  operation: 'generateApiKey',
  domain: 'order',
  method: 'POST',
  template: '/order/api4partners/v0/apikeys',
};

/**
 * Order spec 4.1: a new key and its hash, shown this once. The new key works after the vendor has registered the
 * hash. The answer has no envelope, so `info` is empty.
 */
export function generateApiKey({ transport }: OperationContext) {
  return async (
    _input: Record<string, never> = {},
    options?: CallOptions,
  ): Promise<Result<GeneratedApiKey>> => call(transport, { endpoint }, generatedApiKey, options);
}
