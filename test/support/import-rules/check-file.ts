import { posix } from 'node:path';
import { readAmbientUses, readImports } from './read-imports.ts';
import { CLOCKLESS_FOLDERS, ENVIRONMENT_READER, FOLDER_RULES, type FolderRule, MAX_LINES } from './rules.ts';

/** The layering rules that one file breaks, each as `path:line what`. `path` is relative to the repository. */
export function checkFile(path: string, source: string): readonly string[] {
  const rules = FOLDER_RULES.filter((rule) => isWithin(path, rule.folder));
  const broken = readImports(source).flatMap(({ specifier, typeOnly, line }) => {
    const target = targetOf(path, specifier);
    const isForbidden = rules.some((rule) => !allows(rule, target, typeOnly));
    return isForbidden ? [`${path}:${line} may not import ${specifier}`] : [];
  });
  const ambient = readAmbientUses(source);
  if (path !== ENVIRONMENT_READER && !isWithin(path, 'test')) {
    broken.push(...ambient.environment.map((line) => `${path}:${line} may not read process.env`));
  }
  if (CLOCKLESS_FOLDERS.some((folder) => isWithin(path, folder))) {
    broken.push(...ambient.clock.map((line) => `${path}:${line} may not read the clock`));
  }
  const lines = source.trimEnd().split('\n').length;
  if (lines > MAX_LINES) broken.push(`${path}:${MAX_LINES} has ${lines} lines, more than ${MAX_LINES}`);
  return broken;
}

/** The folder or file of this repository that an import leads to, or the package's own specifier. */
function targetOf(path: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier;
  return posix.normalize(posix.join(posix.dirname(path), specifier));
}

function allows(rule: FolderRule, target: string, typeOnly: boolean): boolean {
  const listed = (names: readonly string[] = []) => names.some((name) => isWithin(target, name));
  if (isWithin(target, rule.folder)) return true;
  if (listed(rule.never) && !listed(rule.except)) return false;
  if (rule.only === undefined) return true;
  return listed(rule.only) || (typeOnly && listed(rule.typesOnly));
}

function isWithin(target: string, name: string): boolean {
  if (name.endsWith(':') || name.endsWith('/')) return target.startsWith(name);
  return target === name || target.startsWith(`${name}/`);
}
