import { closestMatch } from 'leven';
import { fieldsAt } from './input.ts';

/**
 * For a field that the documents do not show: the documented field that the caller probably meant, as a path within the object; null if no
 * documented field is similar.
 */
export function nearestName(schema: unknown, path: readonly PropertyKey[], name: string): string | null {
  const names = Object.keys(fieldsAt(schema, path) ?? {});
  return similarTo(name, names) ?? elsewhere(schema, name);
}

/**
 * The name in a list that is most similar to a given name; null if none is similar. A similar name differs only in letter case, begins with
 * the given name or is its beginning, or has at most a third of its letters different.
 */
function similarTo(name: string, names: readonly string[]): string | null {
  const wanted = name.toLowerCase();
  const same = names.find((candidate) => candidate.toLowerCase() === wanted);
  if (same !== undefined) return same;
  const begun = names.find((candidate) => isBeginning(wanted, candidate.toLowerCase()));
  const maxDistance = Math.max(1, Math.floor(name.length / 3));
  return begun ?? closestMatch(name, names, { maxDistance }) ?? null;
}

function isBeginning(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one);
}

/** If a nested object has a documented field of this name, the path to it; otherwise null. */
function elsewhere(schema: unknown, name: string): string | null {
  const fields = fieldsAt(schema, []) ?? {};
  for (const [field, inner] of Object.entries(fields)) {
    const list = fieldsAt(inner, [0]);
    const within = fieldsAt(inner, []) ?? list ?? {};
    if (Object.hasOwn(within, name) && name !== 'extra') return `${field}${list === null ? '' : '[]'}.${name}`;
  }
  return null;
}
