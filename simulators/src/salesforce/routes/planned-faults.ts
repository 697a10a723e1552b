import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { contentTypeOf } from '../../core/content-type.ts';
import type { Fault, FaultPlan } from '../../core/faults.ts';
import { type ApiError, ApiFailure } from '../store/failure.ts';
import type { ApiAnswer, PlannedRow } from './route.ts';

/** Planned faults inside a call, for its parts and its rows. */
export interface PlannedFaults {
  /** The failure of one part of a composite request; undefined when it may go on. */
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

const ERRORS: Readonly<Record<number, ApiError>> = {
  400: { errorCode: 'UNABLE_TO_LOCK_ROW', message: 'unable to obtain exclusive access to this record' },
  401: { errorCode: 'INVALID_SESSION_ID', message: 'Session expired or invalid' },
  403: { errorCode: 'REQUEST_LIMIT_EXCEEDED', message: 'TotalRequests Limit exceeded.' },
  429: {
    errorCode: 'REQUEST_LIMIT_EXCEEDED',
    message: 'ConcurrentRequests (Concurrent API Requests) Limit exceeded.',
  },
  500: { errorCode: 'UNKNOWN_EXCEPTION', message: 'An unexpected error occurred.' },
  503: { errorCode: 'SERVER_UNAVAILABLE', message: 'The server is temporarily unavailable.' },
};
const UNKNOWN: ApiError = { errorCode: 'UNKNOWN_EXCEPTION', message: 'An unexpected error occurred.' };

type Answering = Fault & { readonly status: number };

/** Salesforce's answer for a planned fault with a status, or the fault's own text. */
export function answerFault(c: Context, operation: string, fault: Answering): Response {
  const status = fault.status as ContentfulStatusCode;
  const retryAfter = fault.retryAfterSeconds ?? fault.resetSeconds;
  if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter));
  if (fault.body !== undefined)
    return c.body(fault.body, status, { 'content-type': contentTypeOf(fault.body) });
  if (operation.startsWith('oauth.')) {
    const error = fault.errorCode ?? (fault.status === 400 ? 'invalid_grant' : 'unknown_error');
    return c.json({ error, error_description: fault.message ?? 'planned fault' }, status);
  }
  return c.json([errorOf(fault)], status);
}

/** The error of a fault: its own parts, and the status's default for the others. */
function errorOf({ status, errorCode, message, fields }: Answering): ApiError {
  const usual = ERRORS[status] ?? UNKNOWN;
  return {
    errorCode: errorCode ?? usual.errorCode,
    message: message ?? usual.message,
    ...(fields && { fields }),
  };
}
