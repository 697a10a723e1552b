/** Looks up a key from outside in a table. Undefined for keys that are not the table's own, such as the inherited `constructor`. */
export function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
