import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { contentTypeOf } from '../../core/content-type.ts';
import type { Fault, FaultPlan } from '../../core/faults.ts';
import { publishedError } from '../published-errors.ts';
import { type ApiError, ApiFailure } from '../store/failure.ts';
import type { ApiAnswer, PlannedRow } from './route.ts';

/** Planned faults inside a call, for its parts and its rows. */
export interface PlannedFaults {
  /** The planned failure of one part of a composite request; undefined if the part may run. */
  part(operation: string, text?: string): ApiAnswer | undefined;
  /** The planned failure of rows (counted from 0) in a collection of `rows` rows. */
  row(operation: string, rows: number): PlannedRow | undefined;
}

export function plannedFaults(faults: FaultPlan): PlannedFaults {
  return {
    part: (operation, text) => {
      const fault = faults.takeForPart(operation, text);
      return fault && { status: fault.status, body: [errorOf(fault)] };
    },
    row: (operation, rows) => {
      const fault = faults.takeForRow(operation, rows);
      if (fault === undefined) return undefined;
      const failure = new ApiFailure(400, [errorOf({ ...fault, status: 400 })]);
      return { row: fault.row ?? null, failure };
    },
  };
}

/** The error code of a planned status that names none. */
const CODES: Readonly<Record<number, string>> = {
  400: 'UNABLE_TO_LOCK_ROW',
  401: 'INVALID_SESSION_ID',
  403: 'REQUEST_LIMIT_EXCEEDED',
  503: 'SERVER_UNAVAILABLE',
};
/** The page of a proxy that answers 429. No document of Salesforce's API has this status. */
const THROTTLED_PAGE = '<html><head><title>Too Many Requests</title></head><body>Too Many Requests</body></html>';

type Answering = Fault & { readonly status: number };

/** Salesforce's answer for a planned fault with a status, or the fault's own text. */
export function answerFault(c: Context, operation: string, fault: Answering): Response {
  const status = fault.status as ContentfulStatusCode;
  const retryAfter = fault.retryAfterSeconds ?? fault.resetSeconds;
  if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter));
  const body = fault.body ?? (isPage(fault) ? THROTTLED_PAGE : undefined);
  if (body !== undefined) return c.body(body, status, { 'content-type': contentTypeOf(body) });
  if (operation.startsWith('oauth.')) {
    const error = fault.errorCode ?? (fault.status === 400 ? 'invalid_grant' : 'unknown_error');
    return c.json({ error, error_description: fault.message ?? 'planned fault' }, status);
  }
  return c.json([errorOf(fault)], status);
}

function isPage({ status, errorCode, message }: Answering): boolean {
  return status === 429 && errorCode === undefined && message === undefined;
}

/**
 * The error of a planned fault. If the fault sets no error code, the error has the usual code of the fault's HTTP status. If the fault sets no
 * message, the error has the message that Salesforce documents for the code.
 */
function errorOf({ status, errorCode, message, fields }: Answering): ApiError {
  const code = errorCode ?? CODES[status] ?? 'UNKNOWN_EXCEPTION';
  return {
    errorCode: code,
    message: message ?? publishedError(code).message,
    ...(fields && { fields }),
  };
}
