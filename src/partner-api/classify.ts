import type { PartnerApiErrorKind, Sent } from './errors.ts';
import type { VendorError } from './vendor-error.ts';

/** Error codes of the sales API (sales spec 7); the documented list is incomplete. */
const KIND_BY_CODE: Readonly<Record<string, PartnerApiErrorKind>> = {
  ERR801: 'duplicate',
  ERR805: 'bad-date',
  ERR899: 'unavailable',
  ERROR_004: 'invalid',
  ERROR_043: 'bad-period',
  ERROR_048: 'out-of-scope',
};

/** Error kinds by the last word of the order API's error types (order spec 2.1); the word before it names the platform. */
const KIND_BY_TYPE: Readonly<Record<string, PartnerApiErrorKind>> = {
  invalidRequest: 'invalid',
  authenticationGenericError: 'authentication',
  resourceNotFound: 'not-found',
  internalServerError: 'server',
};

const KIND_BY_STATUS: Readonly<Record<number, PartnerApiErrorKind>> = {
  401: 'authentication',
  403: 'scope',
  404: 'not-found',
  408: 'timeout',
  429: 'throttled',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
};

/** HTTP statuses that are less precise than the order API's error type. */
const VAGUE_STATUSES: ReadonlySet<number> = new Set([400, 500]);

/**
 * The kind of a failed answer, and whether the vendor may have applied its request. `error.code` decides first, at any HTTP status.
 * Without a known code the status decides, or for the order domain `error[].type` if the status is vague. A 200 that reports a failure
 * without a known code is classified by `info.statusCode`; without one it is `protocol`.
 *
 * `sent` is `no` if the vendor says that it refused the request: a known code (ERR899, too, because it answers `action: null`) or any
 * 4xx but 408. It is `unknown` for 5xx without a code, which may come from a gateway that lost the answer, and for a success status with
 * an unknown failure.
 */
export function classify(status: number, error: VendorError): { kind: PartnerApiErrorKind; sent: Sent } {
  const byCode = lookup(KIND_BY_CODE, error.code);
  if (byCode !== undefined) return { kind: byCode, sent: 'no' };
  const refused = status >= 400 && status < 500 && status !== 408;
  return { kind: kindOf(status, error), sent: refused ? 'no' : 'unknown' };
}

function kindOf(status: number, error: VendorError): PartnerApiErrorKind {
  const byType = lookup(KIND_BY_TYPE, error.code?.split(':').at(-1) ?? null);
  const telling = status >= 400 ? status : (error.statusCode ?? status);
  if (byType !== undefined && (telling < 400 || VAGUE_STATUSES.has(telling))) return byType;
  const byStatus = KIND_BY_STATUS[telling];
  if (byStatus !== undefined) return byStatus;
  if (telling >= 500) return 'server';
  return telling >= 400 ? 'invalid' : 'protocol';
}

function lookup(table: Readonly<Record<string, PartnerApiErrorKind>>, key: string | null) {
  return key !== null && Object.hasOwn(table, key) ? table[key] : undefined;
}
