import { answerRow } from './answer-table.ts';
import type { PartnerApiErrorKind, Sent } from './errors.ts';
import type { VendorError } from './vendor-error.ts';

/** Statuses that tell less than an order error type does. */
const VAGUE_STATUSES: ReadonlySet<number> = new Set([400, 500]);

type Classified = { readonly kind: PartnerApiErrorKind; readonly sent: Sent };

/**
 * What a failed answer means and whether its request may have been applied. By `error.code` first, at whatever HTTP
 * status it comes; then by the status, or for the order domain by `error[].type` where the status is vague; a 200
 * that tells of a failure without a known code goes by `info.statusCode`, and breaks the contract without one.
 *
 * `sent` is `no` for what the vendor says it refused: a known code (ERR899 too: it answers `action: null`), and
 * every 4xx but 408 with a body that the documents show, or 429. It is `unknown` for 5xx without a code and for any other body, which
 * may come from a gateway that lost the answer, and for a success status with an unknown failure.
 */
export function classify(status: number, error: VendorError): Classified {
  const byCode = answerRow('code', error.code);
  if (byCode !== undefined) return { kind: byCode.kind, sent: 'no' };
  const isRefusal = status >= 400 && status < 500 && status !== 408;
  const isSaid = error.isDocumented || status === 429;
  return { kind: kindOf(status, error), sent: isRefusal && isSaid ? 'no' : 'unknown' };
}

function kindOf(status: number, error: VendorError): PartnerApiErrorKind {
  const byType = answerRow('type', error.code?.split(':').at(-1));
  const telling = status >= 400 ? status : (error.statusCode ?? status);
  if (byType !== undefined && (telling < 400 || VAGUE_STATUSES.has(telling))) return byType.kind;
  if (telling < 400) return 'protocol';
  const byStatus = answerRow('status', `HTTP_${telling}`);
  if (byStatus !== undefined && (byStatus.needsDocumentedBody !== true || error.isDocumented))
    return byStatus.kind;
  return telling >= 500 ? 'server' : 'unknown';
}
