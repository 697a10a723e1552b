/** The table's value for a key from outside Lockstep. Undefined if the table lacks the key or only inherits it, such as `constructor`. */
export function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
