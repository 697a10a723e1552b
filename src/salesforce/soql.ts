/** The only place where a value becomes part of a SOQL text. */

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '"': '\\"',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
};

/** A quoted text literal. */
export function textLiteral(value: string): string {
  return `'${value.replace(/[\\'"\n\r\t\b\f]/g, (char) => ESCAPES[char] ?? char)}'`;
}

/** `('a','b')` for IN. At least one value: SOQL has no empty list. */
export function listLiteral(values: readonly string[]): string {
  if (values.length === 0) throw new Error('A SOQL list needs at least one value.');
  return `(${values.map(textLiteral).join(',')})`;
}

/** A date literal (unquoted). Throws on what is no `YYYY-MM-DD`. */
export function dateLiteral(value: string): string {
  const date = new Date(`${value}T00:00:00.000Z`).toISOString().slice(0, 10);
  if (date !== value) throw new Error('A SOQL date must be a calendar date.');
  return date;
}

/** A dateTime literal (unquoted) in UTC with milliseconds. Throws on what is no instant. */
export function instantLiteral(value: string): string {
  return new Date(value).toISOString();
}

/** An ISO instant in UTC for Salesforce's `2026-01-31T10:00:00.000+0000`. Throws on what is no instant. */
export function isoInstant(value: string): string {
  return new Date(value.replace(/([+-]\d{2})(\d{2})$/, '$1:$2')).toISOString();
}

/** Whether this has the form of an 18-character record id. */
export function isRecordId(value: string): boolean {
  return /^[0-9A-Za-z]{18}$/.test(value);
}
