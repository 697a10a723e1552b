/** The content type for a text, by its first character: HTML, JSON or plain. */
export function contentTypeOf(body: string): string {
  if (/^\s*</.test(body)) return 'text/html; charset=UTF-8';
  return /^\s*[[{]/.test(body) ? 'application/json; charset=UTF-8' : 'text/plain; charset=UTF-8';
}
