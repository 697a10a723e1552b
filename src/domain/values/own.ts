/** A table's own value for a key from outside; inherited keys such as `constructor` find nothing. */
export function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
