import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { readTraceparent } from './traceparent.ts';

/** The header name that Temporal's own interceptors use in every SDK. */
const HEADER = '_tracer-data';

/** The parent span as a `traceparent`; null without one. */
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
