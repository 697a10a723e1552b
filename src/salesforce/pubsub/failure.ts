import { type ServiceError, status } from '@grpc/grpc-js';
import { crmError } from '../classify.ts';
import type { CrmError, CrmErrorKind } from '../errors.ts';

/** The code of a refused replay id: the org has no event with it, or keeps it no longer. */
export const REPLAY_EXPIRED = 'REPLAY_EXPIRED';
/** The code of a refused token. */
export const SESSION_REFUSED = 'INVALID_SESSION_ID';
/** The codes of a stream without any answer for longer than its keep-alives take, and of one that the org ended. */
export const [SILENT, STREAM_ENDED] = ['SILENT', 'STREAM_ENDED'];

const PREFIX = 'sfdc.platform.eventbus.grpc.';

/** Refusals by the end of their error code (Pub/Sub API guide: Handle Errors). A code ends here where its beginning is known. */
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

/** The error of a refused call or a broken stream. `details` may quote values, so that only codes survive. */
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
