import type { z } from 'zod';
import { classify } from './classify.ts';
import type { OperationContext } from './context.ts';
import { envelope, normalizeInfo } from './envelope.ts';
import { PartnerApiError } from './errors.ts';
import { fieldPaths } from './field-paths.ts';
import { readDate, readRateLimit, readRetryAfter } from './rate-limit.ts';
import type { ApiRequest, Endpoint } from './request.ts';
import type { CallOptions, Result } from './result.ts';
import type { Reply } from './transport.ts';
import { readVendorError, reportsFailure, type VendorError } from './vendor-error.ts';

/**
 * Sends a request, and parses the whole body of the answer with the schema `answer`, whose result is the call's data. Rejects with a
 * PartnerApiError: for a transport failure, for the vendor's error, or of kind `protocol` if the body does not match the schema.
 */
export async function call<T>(
  { transport, repeat }: Pick<OperationContext, 'transport' | 'repeat'>,
  request: ApiRequest,
  answer: z.ZodType<T>,
  options: CallOptions | undefined,
): Promise<Result<T>> {
  const signal = options?.signal;
  return repeat(request.endpoint, signal, async () => {
    return readReply(request.endpoint, await transport(request, signal), answer);
  });
}

function readReply<T>(endpoint: Endpoint, reply: Reply, answer: z.ZodType<T>): Result<T> {
  if (reply.status >= 400 || reportsFailure(reply.body)) throw vendorFailure(endpoint, reply);
  const wrapped = envelope.safeParse(reply.body);
  if (!wrapped.success) throw contractFailure(endpoint, reply, wrapped.error);
  const data = answer.safeParse(reply.body);
  if (!data.success) throw contractFailure(endpoint, reply, data.error);
  const info = normalizeInfo(wrapped.data.info);
  return {
    data: data.data,
    info,
    rateLimit: readRateLimit(reply.headers),
    traceId: info.traceId,
    status: reply.status,
    date: readDate(reply.headers),
  };
}

function vendorFailure(endpoint: Endpoint, reply: Reply): PartnerApiError {
  const error = readVendorError(reply.body);
  const { kind, sent } = classify(reply.status, error);
  const rateLimit = readRateLimit(reply.headers);
  const retryAfterSeconds = readRetryAfter(reply.headers);
  return new PartnerApiError({
    ...endpoint,
    ...factsOf(reply, error),
    kind,
    sent,
    rateLimit,
    resetSeconds: kind === 'throttled' ? laterOf(rateLimit.resetSeconds, retryAfterSeconds) : retryAfterSeconds,
    fields: error.pointers,
    vendorMessage: error.message === null ? null : reply.redact(error.message),
  });
}

/**
 * How many seconds to wait after a 429 before a retry, at least 1. If the answer has both headers `X-RateLimit-Reset` and `Retry-After`,
 * the longer wait counts, because a second rate limiter may be in front of the documented one. Null if it has neither header.
 */
function laterOf(resetSeconds: number | null, retryAfterSeconds: number | null): number | null {
  if (resetSeconds === null && retryAfterSeconds === null) return null;
  return Math.max(LEAST_SECONDS, resetSeconds ?? 0, retryAfterSeconds ?? 0);
}

const LEAST_SECONDS = 1;

function contractFailure(endpoint: Endpoint, reply: Reply, error: z.ZodError): PartnerApiError {
  const { code: _none, ...facts } = factsOf(reply, readVendorError(reply.body));
  return new PartnerApiError({
    ...endpoint,
    ...facts,
    kind: 'protocol',
    sent: 'unknown',
    code: 'CONTRACT',
    rateLimit: readRateLimit(reply.headers),
    fields: fieldPaths(error.issues),
  });
}

/**
 * The HTTP status, the vendor's error code and its trace id (id of the request), for an error. If a text repeats the API key, the key is
 * replaced by `***`.
 */
function factsOf(reply: Reply, { code, traceId }: VendorError) {
  return {
    status: reply.status,
    code: code === null ? null : reply.redact(code),
    traceId: traceId === null ? null : reply.redact(traceId),
  };
}
