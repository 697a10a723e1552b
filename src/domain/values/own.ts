/** The table's value for a key that comes from outside. Undefined for keys that the table only inherits, such as `constructor`. */
export function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
