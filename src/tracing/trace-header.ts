import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { readTraceparent } from './traceparent.ts';

/**
 * The name of the Temporal header that contains the trace. Temporal's own interceptors use the same name, so their traces and Lockstep's
 * connect.
 */
const HEADER = '_tracer-data';

/** Reads the parent span from Temporal's headers, as a `traceparent`; null if they have none. */
export function traceparentOf(headers: Headers): string | null {
  const payload = headers[HEADER];
  if (payload === undefined) return null;
  const carrier: unknown = defaultPayloadConverter.fromPayload(payload);
  const { traceparent } = (carrier ?? {}) as { readonly traceparent?: unknown };
  return typeof traceparent === 'string' && readTraceparent(traceparent) !== null ? traceparent : null;
}

export function withTraceparent(headers: Headers, traceparent: string | null): Headers {
  if (traceparent === null) return headers;
  return { ...headers, [HEADER]: defaultPayloadConverter.toPayload({ traceparent }) };
}
