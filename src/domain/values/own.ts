/** The value that a table itself has for a key from outside. Undefined for keys that every object inherits, such as `constructor`. */
export function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
