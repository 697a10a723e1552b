import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Matches an import or a look-up of a package's file in built code; captures the package's name. */
const PACKAGE = /(?:\bfrom|\bimport|import\(|import\.meta\.resolve\()\s*['"]((?:@[\w-]+\/)?[a-z][\w.-]*)(?=['"/])/g;

/** Installed packages, and the components of the CRM package, which run in Salesforce. */
const NOT_OURS = /^(node_modules|crm-package)\//;

/**
 * The packages that built code imports, in the versions that are tested.
 * @param {string} folder
 * @param {Readonly<Record<string, string>>} dependencies of the checkout
 * @param {string} [self] the package's own name, by which its parts import each other
 * @returns {Record<string, string>}
 */
export function importedPackages(folder, dependencies, self) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const names = files
    .filter((file) => file.endsWith('.js') && !NOT_OURS.test(file))
    .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(PACKAGE)])
    .map(([, name = '']) => name);
  const wanted = [...new Set(names)].filter((name) => name !== self).toSorted();
  const unknown = wanted.filter((name) => !(name in dependencies));
  if (unknown.length > 0) throw new Error(`No dependency of package.json: ${unknown.join(', ')}`);
  return Object.fromEntries(wanted.map((name) => [name, String(dependencies[name])]));
}
