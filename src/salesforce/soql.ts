/**
 * For each character with a special meaning, its escaped form in a SOQL text. Values enter SOQL only through the functions of this file,
 * except record ids that `idOf` has checked.
 */

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

export function textLiteral(value: string): string {
  return `'${value.replace(/[\\'"\n\r\t\b\f]/g, (char) => ESCAPES[char] ?? char)}'`;
}

/** A list for SOQL's operator IN, such as `('a','b')`. Throws for an empty list, which SOQL does not allow. */
export function listLiteral(values: readonly string[]): string {
  if (values.length === 0) throw new Error('A SOQL list needs at least one value.');
  return `(${values.map(textLiteral).join(',')})`;
}

/** A date in SOQL, which has no quotes. Throws if the value is no `YYYY-MM-DD`. */
export function dateLiteral(value: string): string {
  const date = new Date(`${value}T00:00:00.000Z`).toISOString().slice(0, 10);
  if (date !== value) throw new Error('A SOQL date must be a calendar date.');
  return date;
}

/** An instant in SOQL, without quotes, in UTC with milliseconds. Throws if the value is no instant. */
export function instantLiteral(value: string): string {
  return new Date(value).toISOString();
}

/** Converts Salesforce's form `2026-01-31T10:00:00.000+0000` to an ISO instant in UTC. Throws if the value is no instant. */
export function isoInstant(value: string): string {
  return new Date(value.replace(/([+-]\d{2})(\d{2})$/, '$1:$2')).toISOString();
}

/** Whether a text has the form of an 18-character record id. */
export function isRecordId(value: string): boolean {
  return /^[0-9A-Za-z]{18}$/.test(value);
}
