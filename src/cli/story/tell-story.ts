import type { Endpoints } from '../endpoints.ts';
import type { Outcome } from './outcome.ts';

export async function tellStory(
  endpoints: Endpoints,
  _options: { readonly print: (line: string) => void; readonly signal: AbortSignal },
): Promise<Outcome | null> {
  if (endpoints.vendor === null || endpoints.salesforce === null) return null;
  return null;
}
