/** Renames members of an object to their newer names. If an object has both names, the newer one wins. */
export function rename(names: Readonly<Record<string, string>>) {
  return (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const members = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
      const newer = Object.hasOwn(names, key) ? names[key] : undefined;
      if (newer === undefined) return [[key, member]];
      return Object.hasOwn(value, newer) ? [] : [[newer, member]];
    });
    return Object.fromEntries(members);
  };
}
