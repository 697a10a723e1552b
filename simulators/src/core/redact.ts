const SECRET_KEY = /secret|password|passwd|token|assertion|api[-_]?key|hashed[-_]?key|authorization|private[-_]?key/i;
const SECRET_FORM_VALUE = /((?:^|[&?])[^=&?]*(?:secret|password|token|assertion|api[-_]?key)[^=&?]*=)[^&]*/gi;
const SECRET_JSON_VALUE = /("[^"]*(?:secret|password|token|assertion|api[-_]?key)[^"]*"\s*:\s*)("[^"]*"?|[^,}\s]+)/gi;
const MAX_TEXT_LENGTH = 20_000;
/** JSON longer than this is logged as shortened text, so that a full log stays small. */
const MAX_JSON_LENGTH = 200_000;

export const HIDDEN = '[hidden]';

/**
 * A request body in the form for the log: parsed JSON if possible, otherwise text. Values of keys that name secrets are replaced, in JSON
 * at any depth and in form bodies. Long text is shortened. `null` for an empty body.
 */
export function loggableBody(text: string): unknown {
  if (text === '') return null;
  try {
    if (text.length <= MAX_JSON_LENGTH) return redact(JSON.parse(text));
  } catch {
    // The text is no JSON, or too deeply nested to examine, so it is kept as text.
  }
  return redactQuery(text.slice(0, MAX_TEXT_LENGTH).replace(SECRET_JSON_VALUE, `$1"${HIDDEN}"`));
}

/** A query string or form body with the values of secret-named parameters replaced. */
export function redactQuery(text: string): string {
  return text.replace(SECRET_FORM_VALUE, `$1${HIDDEN}`);
}

function redact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redact);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, SECRET_KEY.test(key) ? HIDDEN : redact(inner)]),
  );
}
