import { PartnerApiError } from '../partner-api/index.ts';
import { CrmError } from '../salesforce/errors.ts';
import { QuotaUsedUp } from './quota-gate.ts';

/**
 * Why a remote system could not be read, as codes without any text of that system. Null if the error does not come from a remote system.
 */
export function remoteFailure(error: unknown): string | null {
  if (error instanceof QuotaUsedUp) return `vendor: the quota is used up until ${error.until}`;
  if (error instanceof PartnerApiError) return `vendor: ${[error.kind, error.code].filter(Boolean).join(' ')}`;
  if (error instanceof CrmError) return `CRM: ${error.kind} ${error.code}`;
  return null;
}

const TELLS_NOTHING: ReadonlySet<string> = new Set([
  'authentication',
  'scope',
  'throttled',
  'unavailable',
  'busy',
  'unknown',
  'timeout',
  'network',
  'aborted',
]);

/**
 * Whether the vendor's error is an answer about the requested record, such as "no such record", which proves that the API key may read
 * records.
 */
export function isAnswerAboutNoRecord(error: unknown): boolean {
  return error instanceof PartnerApiError && !TELLS_NOTHING.has(error.kind);
}
