import { type ServiceError, status } from '@grpc/grpc-js';
import { crmError } from '../classify.ts';
import type { CrmError, CrmErrorKind } from '../errors.ts';

/** The code of a refused replay id (position in the stream): the org has no event with this id, or stores it no longer. */
export const REPLAY_EXPIRED = 'REPLAY_EXPIRED';
/** The code of a refused access token. */
export const SESSION_REFUSED = 'INVALID_SESSION_ID';
/**
 * Codes of broken streams. `SILENT`: no answer came for longer than the time between keep-alives. `STREAM_ENDED`: the org ended the stream.
 */
export const [SILENT, STREAM_ENDED] = ['SILENT', 'STREAM_ENDED'];
/**
 * Codes of streams that broke a limit. `UNREQUESTED`: the org sent more events than were requested. `OVERFLOWING`: it sent too many bytes
 * at once.
 */
export const [UNREQUESTED, OVERFLOWING] = ['UNREQUESTED_EVENTS', 'TOO_MANY_BYTES'];

const PREFIX = 'sfdc.platform.eventbus.grpc.';

/**
 * For each refusal of the API: the beginning of its error code, and the kind and code of the `CrmError` (Pub/Sub API guide: Handle Errors).
 */
const BY_CODE: readonly (readonly [begins: string, kind: CrmErrorKind, code: string | null])[] = [
  ['service.auth.error', 'systemic', SESSION_REFUSED],
  ['subscription.fetch.replayid.', 'permanent', REPLAY_EXPIRED],
  ['schema.', 'schema-mismatch', null],
  ['topic.not.found', 'schema-mismatch', null],
  ['topic.permission', 'schema-mismatch', null],
  ['subscription.topic.cannot.subscribe', 'schema-mismatch', null],
  ['subscription.limit', 'throttled', null],
];

const BY_STATUS: Readonly<Partial<Record<status, readonly [kind: CrmErrorKind, code: string | null]>>> = {
  [status.UNAUTHENTICATED]: ['systemic', SESSION_REFUSED],
  [status.NOT_FOUND]: ['schema-mismatch', null],
  [status.PERMISSION_DENIED]: ['schema-mismatch', null],
  [status.RESOURCE_EXHAUSTED]: ['throttled', null],
};

/**
 * Converts the error of a refused Pub/Sub call or a broken stream to a `CrmError`. The `CrmError` contains only codes, because the API's
 * `details` may quote values.
 */
export function pubSubError(error: Pick<ServiceError, 'code' | 'metadata'>): CrmError {
  const given = String(error.metadata?.get('error-code')[0] ?? '');
  const shown = given.startsWith(PREFIX)
    ? given
        .slice(PREFIX.length)
        .replace(/[^\w.]/g, '')
        .slice(0, 100)
    : null;
  const known = BY_CODE.find(([begins]) => shown?.startsWith(begins));
  const [kind, code] = known === undefined ? (BY_STATUS[error.code] ?? ['transient', null]) : known.slice(1);
  return crmError(kind as CrmErrorKind, (code as string | null) ?? shown ?? `GRPC_${status[error.code] ?? 'UNKNOWN'}`);
}
