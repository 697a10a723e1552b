import type { z } from 'zod';

type Issues = z.core.$ZodIssue[];

/** The paths of invalid fields, such as `offerLines[0].amount`, without duplicates. Contains no values. */
export function fieldPaths(issues: Issues): readonly string[] {
  return [...new Set(issues.flatMap((issue) => pathsOf(issue, [])))];
}

function pathsOf(issue: z.core.$ZodIssue, prefix: readonly PropertyKey[]): string[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === 'unrecognized_keys') return issue.keys.map((name) => formatPath([...path, name]));
  if (issue.code !== 'invalid_union') return [formatPath(path)];
  const branch = nearestBranch(issue.errors);
  return branch === null ? [formatPath(path)] : branch.flatMap((inner) => pathsOf(inner, path));
}

/**
 * The branch of a union type that the value was probably meant for: the branch whose validation failed at the deepest place. Null if two
 * branches failed equally deep.
 */
function nearestBranch(branches: readonly Issues[]): Issues | null {
  const depthOf = (branch: Issues): number => Math.max(0, ...branch.map((issue) => issue.path.length));
  const [first, second] = branches.toSorted((one, other) => depthOf(other) - depthOf(one));
  if (first === undefined || depthOf(first) === 0) return null;
  return second === undefined || depthOf(first) > depthOf(second) ? first : null;
}

/**
 * A path of fields as callers write it, such as `offerLines[0].amount`. A name that does not look like a field's name is replaced by
 * `(unknown)`, because it may contain data.
 */
export function formatPath(path: readonly PropertyKey[]): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${nameOf(part)}`)).join('');
  return text === '' ? '(body)' : text.replace(/^\./, '');
}

function nameOf(part: PropertyKey): string {
  const name = String(part);
  return /^[\w$.[\]-]{1,80}$/.test(name) ? name : '(unknown)';
}
