/**
 * Patterns of credentials, each with the text that replaces a match. Masking is the last protection of log lines: other checks should
 * already keep credentials out of them.
 */
const CREDENTIALS: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Basic)\s+[\w.~+/=!-]{6,}/gi, '$1 [secret]'],
  [/\bwhsec_[\w+/=-]+/g, '[secret]'],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, '[secret]'],
  // A Salesforce session id: the organization id, an exclamation mark, the session.
  [/\b00D\w{12,15}![\w.]+/g, '[secret]'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[^"]*/g, '[secret]'],
  [/(:\/\/)[^/\s:@"]+:[^/\s@"]+@/g, '$1[secret]@'],
  [/(\/hooks\/salesforce\/)[^\s"/?]+/g, '$1[secret]'],
];

/** The text with each credential-like part replaced by `[secret]`. */
export function maskCredentials(text: string): string {
  return CREDENTIALS.reduce((masked, [shape, replacement]) => masked.replace(shape, replacement), text);
}
