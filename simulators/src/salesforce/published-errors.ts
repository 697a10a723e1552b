import { ApiFailure } from './store/failure.ts';

/** The status of the whole request and the words with which clients have published an error code. */
type PublishedError = { readonly status: number; readonly message: string };

const OTHERS: PublishedError = { status: 400, message: 'planned fault' };

/**
 * Error codes whose status and words are published or documented (REST guide: "Status Codes and Error Responses"; SOAP guide: "Core Data
 * Types Used in API Calls"). Every other code answers with 400.
 */
const PUBLISHED: Readonly<Record<string, PublishedError>> = {
  API_CURRENTLY_DISABLED: { status: 403, message: 'API is currently disabled for this user' },
  API_DISABLED_FOR_ORG: { status: 403, message: 'API is not enabled for this Organization or Partner' },
  ENTITY_IS_DELETED: { status: 404, message: 'entity is deleted' },
  ENTITY_IS_LOCKED: { status: 400, message: 'the entity is locked for editing' },
  INSERT_UPDATE_DELETE_NOT_ALLOWED_DURING_MAINTENANCE: {
    status: 400,
    message: 'Insert, update and delete are not allowed while the organization is in read-only mode',
  },
  INSUFFICIENT_ACCESS_OR_READONLY: { status: 403, message: 'insufficient access rights on object id' },
  INVALID_CROSS_REFERENCE_KEY: { status: 404, message: 'invalid cross reference id' },
  INVALID_QUERY_LOCATOR: { status: 400, message: 'invalid query locator' },
  INVALID_SESSION_ID: { status: 401, message: 'Session expired or invalid' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'HTTP Method not allowed' },
  NOT_FOUND: { status: 404, message: 'The requested resource does not exist' },
  QUERY_TIMEOUT: { status: 400, message: 'Your query request was running for too long.' },
  REQUEST_LIMIT_EXCEEDED: { status: 403, message: 'TotalRequests Limit exceeded.' },
  REQUEST_RUNNING_TOO_LONG: {
    status: 400,
    message: 'Your request was running for too long, and has been stopped.',
  },
  SERVER_UNAVAILABLE: { status: 503, message: 'The server is temporarily unavailable.' },
  STORAGE_LIMIT_EXCEEDED: { status: 400, message: 'storage limit exceeded' },
  UNABLE_TO_LOCK_ROW: { status: 400, message: 'unable to obtain exclusive access to this record' },
  UNKNOWN_EXCEPTION: { status: 500, message: 'An unexpected error occurred.' },
};

/** The published status and words of an error code; 400 for a code that is not in the table. */
export function publishedError(errorCode: string): PublishedError {
  return PUBLISHED[errorCode] ?? OTHERS;
}

/** The refusal of one row or call by a published code. */
export function publishedFailure(errorCode: string): ApiFailure {
  const { status, message } = publishedError(errorCode);
  return new ApiFailure(status, [{ errorCode, message, fields: [] }]);
}

/** The refusal of a request beyond the requests that may run at the same time: 403, as clients have published it. */
export const CONCURRENT_REQUESTS = {
  status: 403,
  error: {
    errorCode: 'REQUEST_LIMIT_EXCEEDED',
    message: 'ConcurrentRequests (Concurrent API Requests) Limit exceeded.',
  },
} as const;
