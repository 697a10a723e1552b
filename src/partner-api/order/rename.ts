/**
 * Makes a function that renames fields of an object from their names in version 0 to those in version 1. If an object has a field under
 * both names, the field with the newer name counts.
 */
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
