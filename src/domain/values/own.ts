/** A table's own value for a key that comes from outside. For inherited keys such as `constructor`, undefined. */
export function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
