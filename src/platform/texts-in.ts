type Found = { readonly path: readonly string[]; readonly text: string };

/** Returns every text in the data, with the path of its key. */
export function textsIn(value: unknown, path: readonly string[] = []): readonly Found[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => textsIn(each, [...path, key]));
}
