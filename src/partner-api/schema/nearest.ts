import { closestMatch } from 'leven';
import { fieldsAt } from './input.ts';

/** The documented name that an unknown one most likely stands for, as a path within its object; null for none. */
export function nearestName(schema: unknown, path: readonly PropertyKey[], name: string): string | null {
  const names = Object.keys(fieldsAt(schema, path) ?? {});
  return similarTo(name, names) ?? elsewhere(schema, name);
}

/** In another case, cut short or too long, or a few letters off. */
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

/** A field in the wrong object: the same name further in. */
function elsewhere(schema: unknown, name: string): string | null {
  const fields = fieldsAt(schema, []) ?? {};
  for (const [field, inner] of Object.entries(fields)) {
    const list = fieldsAt(inner, [0]);
    const within = fieldsAt(inner, []) ?? list ?? {};
    if (Object.hasOwn(within, name) && name !== 'extra')
      return `${field}${list === null ? '' : '[]'}.${name}`;
  }
  return null;
}
