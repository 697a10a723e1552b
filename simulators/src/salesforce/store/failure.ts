/** One error as Salesforce reports it, in a REST body or in the `errors` of a row. */
export type ApiError = {
  readonly errorCode: string;
  readonly message: string;
  readonly fields?: readonly string[];
  /** What a duplicate rule found, in Salesforce's own spelling. */
  readonly duplicateResut?: unknown;
};

/** A refused call: the HTTP status of its own request, and the errors in its body or row. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly status: number;
  readonly errors: readonly ApiError[];
  /** The body to answer with instead of the list of errors, for the few answers of another shape. */
  readonly body: unknown;

  constructor(status: number, errors: readonly ApiError[], body?: unknown) {
    super(errors[0]?.errorCode ?? `HTTP ${status}`);
    this.status = status;
    this.errors = errors;
    this.body = body ?? errors;
  }
}

/** A failure with one error. Without `fields` the body has none, as for errors of the request itself. */
export function failure(status: number, errorCode: string, message: string, fields?: readonly string[]): ApiFailure {
  return new ApiFailure(status, [{ message, errorCode, ...(fields && { fields }) }]);
}

export function notFound(message = 'The requested resource does not exist'): ApiFailure {
  return failure(404, 'NOT_FOUND', message);
}
