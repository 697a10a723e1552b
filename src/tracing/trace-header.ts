import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { readTraceparent } from './traceparent.ts';

/** As Temporal's own interceptors call it, in every SDK. */
const HEADER = '_tracer-data';

/** The span above, as a `traceparent`; null where none is told. */
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
