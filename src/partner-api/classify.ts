import { answerRow } from './answer-table.ts';
import type { PartnerApiErrorKind, Sent } from './errors.ts';
import type { VendorError } from './vendor-error.ts';

/**
 * HTTP statuses that the vendor's order API uses for many different errors. For these, the error type in the body decides the kind of the
 * error.
 */
const VAGUE_STATUSES: ReadonlySet<number> = new Set([400, 500]);

type Classified = { readonly kind: PartnerApiErrorKind; readonly sent: Sent };

/**
 * Returns the kind of a failed answer, and whether the vendor may have applied the request (`sent`). The first of these rules that applies
 * decides the kind: a known `error.code`; a known `error[].type`, if the status is vague (400, 500) or no error status; the status. The
 * status is the HTTP status, or the one in the body (`info.statusCode`) if the HTTP status is below 400. If neither is an error status, and
 * no code or type is known, the kind is `protocol`. `sent` is `no` if the vendor itself surely refused the request: the answer has a known
 * code, or HTTP status 429, or a documented body and another 4xx status than 408. Otherwise `sent` is `unknown`, because a gateway may have
 * lost the vendor's answer.
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
  const effective = status >= 400 ? status : (error.statusCode ?? status);
  if (byType !== undefined && (effective < 400 || VAGUE_STATUSES.has(effective))) return byType.kind;
  if (effective < 400) return 'protocol';
  const byStatus = answerRow('status', `HTTP_${effective}`);
  if (byStatus !== undefined && (byStatus.needsDocumentedBody !== true || error.isDocumented)) return byStatus.kind;
  return effective >= 500 ? 'server' : 'unknown';
}
