import { PartnerApiError, type PartnerApiErrorKind } from './errors.ts';
import type { Endpoint } from './request.ts';

/** Matches error codes of Node and undici for an answer that is not valid HTTP. */
const PROTOCOL_CODES = /^(HPE_|UND_ERR_HEADERS_OVERFLOW)/;

/**
 * The error for a request that got no usable answer. `sent` is `no` only if certainly no byte was sent, for example because the connection
 * was refused or the host is unknown. The original error is dropped, because it may quote the answer or the request.
 */
export function transportFailure(
  endpoint: Endpoint,
  error: unknown,
  ended: 'timeout' | 'aborted' | null,
  started: boolean,
  abortReason: unknown,
): PartnerApiError {
  if (error instanceof PartnerApiError) return error;
  const code = codeOf(error);
  const kind = ended ?? kindOf(code ?? '');
  const sent = started ? 'unknown' : 'no';
  const cause = kind === 'aborted' ? { cause: abortReason } : {};
  return new PartnerApiError({ ...endpoint, kind, sent, code: ended === null ? code : null, ...cause });
}

function kindOf(code: string): PartnerApiErrorKind {
  if (PROTOCOL_CODES.test(code)) return 'protocol';
  return code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT' ? 'timeout' : 'network';
}

function codeOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : null;
}
