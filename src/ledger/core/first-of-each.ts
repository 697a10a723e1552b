/** Removes items with the same key as an earlier item. Needed because a statement about many rows must not contain a row twice. */
export function firstOfEach<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const first = new Map<string, T>();
  for (const item of items) if (!first.has(keyOf(item))) first.set(keyOf(item), item);
  return [...first.values()];
}
