/** The error in an answer's body, whatever its HTTP status. */
export type VendorError = {
  /** The code of the error: `error.code` (sales spec 2.9) or `error[0].type` (order spec 2.1); null if it is missing or unreadable. */
  readonly code: string | null;
  readonly message: string | null;
  /** The paths of invalid fields: `error[].errors[].pointer` (order spec 2.1). */
  readonly pointers: readonly string[];
  readonly traceId: string | null;
  /**
   * The HTTP status that the body states (`info.statusCode`). It replaces the answer's own status if an answer with status 200 reports an
   * error.
   */
  readonly statusCode: number | null;
  /**
   * Whether the body has a form that the vendor's documents show: it has a `message` (order spec 7, sales spec 5), an `info` or an `error`.
   * A body of any other form comes from a gateway.
   */
  readonly isDocumented: boolean;
};

/**
 * Matches a text in the form of a code. Codes, types and trace ids go into messages and logs. A text of any other form is left out there,
 * because it may contain data.
 */
const CODE = /^[A-Za-z0-9_.:-]{1,60}$/;
const POINTER = /^[\w#./[\]$-]{1,120}$/;
/** The maximum number of paths of invalid fields in an error. It is limited because the error's message lists the paths. */
const MOST_POINTERS = 50;

/** Reads the body of an error answer. Any body is accepted, even if it has another form than documented. */
export function readVendorError(body: unknown): VendorError {
  const error = member(body, 'error');
  const first = Array.isArray(error) ? error[0] : error;
  const info = member(body, 'info');
  const statusCode = member(info, 'statusCode');
  return {
    code: matching(member(first, 'code') ?? member(first, 'type'), CODE),
    message: text(member(first, 'message') ?? member(first, 'title') ?? member(body, 'message')),
    pointers: pointersOf(error),
    traceId: matching(member(info, 'traceId'), CODE),
    statusCode: typeof statusCode === 'number' ? statusCode : null,
    isDocumented: isObject(info) || isObject(error) || typeof member(body, 'message') === 'string',
  };
}

/** Whether a body reports a failure: `info.success` is false, or `error` is not empty. */
export function reportsFailure(body: unknown): boolean {
  if (member(member(body, 'info'), 'success') === false) return true;
  const error = member(body, 'error');
  if (Array.isArray(error)) return error.length > 0;
  return Boolean(member(error, 'code')) || (typeof error === 'string' && error !== '');
}

function pointersOf(error: unknown): readonly string[] {
  const entries = Array.isArray(error) ? error : [];
  const details = entries.slice(0, MOST_POINTERS).flatMap((entry) => member(entry, 'errors') ?? []);
  return details.slice(0, MOST_POINTERS).flatMap((detail) => matching(member(detail, 'pointer'), POINTER) ?? []);
}

function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function matching(value: unknown, pattern: RegExp): string | null {
  return typeof value === 'string' && pattern.test(value) ? value : null;
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
