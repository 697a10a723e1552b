import type { z } from 'zod';

type Issues = z.core.$ZodIssue[];

/** The paths of the fields a validation blames, as `offerLines[0].amount`, without doubles. Never any values. */
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

/** The branch of a union that got deeper into the value than all others is the one that was meant. */
function nearestBranch(branches: readonly Issues[]): Issues | null {
  const depthOf = (branch: Issues): number => Math.max(0, ...branch.map((issue) => issue.path.length));
  const [first, second] = branches.toSorted((one, other) => depthOf(other) - depthOf(one));
  if (first === undefined || depthOf(first) === 0) return null;
  return second === undefined || depthOf(first) > depthOf(second) ? first : null;
}

/** A path as callers write it. A name that no field would have may hold data, so it is not repeated. */
export function formatPath(path: readonly PropertyKey[]): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${nameOf(part)}`)).join('');
  return text === '' ? '(body)' : text.replace(/^\./, '');
}

function nameOf(part: PropertyKey): string {
  const name = String(part);
  return /^[\w$.[\]-]{1,80}$/.test(name) ? name : '(unknown)';
}
