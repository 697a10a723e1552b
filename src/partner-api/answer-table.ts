import type { PartnerApiErrorKind } from './errors.ts';

/**
 * Whether it makes sense to send a request again after an error answer. `final`: no, the vendor would refuse the same content again.
 * `passing`: yes, a later attempt may succeed without a change. `unknown`: the answer is undocumented, so Lockstep repeats the request a
 * few times before it asks a person.
 */
export type AnswerClass = 'final' | 'passing' | 'unknown';

export type AnswerRow = {
  /**
   * The error that the row describes: an error code of the sales API, the part of an order API's error type after its last colon, or
   * `HTTP_<status>`.
   */
  readonly code: string;
  readonly class: AnswerClass;
  readonly kind: PartnerApiErrorKind;
  readonly source: string;
  /**
   * True if the row applies only to an answer whose body has a form that the vendor's documents show. An answer with any other body comes
   * from a gateway, not from the vendor.
   */
  readonly needsDocumentedBody?: true;
};

const [SALES, ORDER, HTTP] = ['sales spec 7', 'order spec 2.1', 'RFC 9110'] as const;

/**
 * How Lockstep treats each error of the vendor: one row for each code, type and status. An error with a status that has no row gets the
 * kind `unknown` if the status is below 500, and the kind `server` from 500 on.
 */
export const VENDOR_ANSWERS: readonly AnswerRow[] = [
  { code: 'ERR801', class: 'final', kind: 'duplicate', source: SALES },
  { code: 'ERR805', class: 'final', kind: 'bad-date', source: SALES },
  { code: 'ERR899', class: 'passing', kind: 'unavailable', source: SALES },
  { code: 'ERROR_004', class: 'final', kind: 'invalid', source: SALES },
  { code: 'ERROR_043', class: 'final', kind: 'bad-period', source: SALES },
  { code: 'ERROR_048', class: 'final', kind: 'out-of-scope', source: SALES },

  { code: 'invalidRequest', class: 'final', kind: 'invalid', source: ORDER },
  { code: 'authenticationGenericError', class: 'passing', kind: 'authentication', source: ORDER },
  { code: 'resourceNotFound', class: 'final', kind: 'not-found', source: ORDER },
  { code: 'internalServerError', class: 'passing', kind: 'server', source: ORDER },

  {
    code: 'HTTP_400',
    class: 'final',
    kind: 'invalid',
    source: `${SALES}, order spec 7`,
    needsDocumentedBody: true,
  },
  {
    code: 'HTTP_401',
    class: 'passing',
    kind: 'authentication',
    source: `${SALES}, order spec 7`,
    needsDocumentedBody: true,
  },
  {
    code: 'HTTP_403',
    class: 'passing',
    kind: 'scope',
    source: `${SALES}, order spec 7`,
    needsDocumentedBody: true,
  },
  { code: 'HTTP_404', class: 'final', kind: 'not-found', source: 'order spec 7', needsDocumentedBody: true },
  { code: 'HTTP_406', class: 'passing', kind: 'busy', source: HTTP },
  { code: 'HTTP_408', class: 'passing', kind: 'timeout', source: HTTP },
  { code: 'HTTP_409', class: 'passing', kind: 'busy', source: HTTP },
  { code: 'HTTP_423', class: 'passing', kind: 'busy', source: 'RFC 4918' },
  { code: 'HTTP_425', class: 'passing', kind: 'busy', source: 'RFC 8470' },
  { code: 'HTTP_429', class: 'passing', kind: 'throttled', source: `${SALES}, order spec 7` },
  { code: 'HTTP_502', class: 'passing', kind: 'unavailable', source: HTTP },
  { code: 'HTTP_503', class: 'passing', kind: 'unavailable', source: SALES },
  { code: 'HTTP_504', class: 'passing', kind: 'unavailable', source: HTTP },
];

type Named = 'code' | 'type' | 'status';

const ROWS: Readonly<Record<Named, ReadonlyMap<string, AnswerRow>>> = {
  code: rowsNamed(/^ERR/),
  type: rowsNamed(/^[a-z]/),
  status: rowsNamed(/^HTTP_/),
};

function rowsNamed(pattern: RegExp): ReadonlyMap<string, AnswerRow> {
  return new Map(VENDOR_ANSWERS.flatMap((row) => (pattern.test(row.code) ? [[row.code, row]] : [])));
}

/**
 * The row of `VENDOR_ANSWERS` for an error code of the sales API, an error type of the order API, or an HTTP status; undefined if there is
 * none.
 */
export function answerRow(named: Named, code: string | null | undefined): AnswerRow | undefined {
  return code === null || code === undefined ? undefined : ROWS[named].get(code);
}
