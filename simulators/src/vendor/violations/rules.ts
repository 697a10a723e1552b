/**
 * Rules on requests that the vendor's documents do not allow although this sandbox can process them. A real gateway may refuse them, or
 * ignore the offending part.
 */
export const VIOLATION_RULES = {
  'unknown-field': 'A body or a query has a field that the documents do not show (sales spec 4, order spec 4).',
  'null-value': 'A body has null where the documents show null in answers only (sales spec 2.1, 2.5, 2.7, 2.8).',
  'content-type': 'A body is not said to be application/json, or is sent where none is wanted (order spec 2, 4.1).',
  'foreign-partner': "partnerId is not the partner of the key: records belong to the key's (sales spec 4.1).",
  'deprecated-version': 'A v0 operation that a v1 path replaces (sales spec 9, order spec 9).',
  'ignored-header':
    'A header that the interface does not know: conditions, idempotency keys and tokens have no effect here.',
} as const;

export type ViolationRule = keyof typeof VIOLATION_RULES;

/** One breach in one request. Names only, never a value that was sent. */
export type Breach = {
  readonly rule: ViolationRule;
  /** A JSON pointer into the body, `?name` of the query, or the name of a header; empty for the request as a whole. */
  readonly place: string;
  /** The breach in a sentence. */
  readonly detail: string;
};
