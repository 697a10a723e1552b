import { cpSync, existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { isSpare } from '../setup/spare-parts.mjs';

/** What only those read who write or compile code against a package. Licences stay. */
const FOR_DEVELOPERS = /\.[cm]?ts$|^(?!.*licen[cs]e).*\.md$/i;
/** The compiler with which the Temporal SDK bundles workflows; the connector's workflows are bundled already. */
const COMPILER = /^@swc\/core-/;

/**
 * Copies installed packages from one folder to another, without what is not needed to run them. Leaves out packages that are not installed,
 * because they are for another system.
 * @param {string} from
 * @param {string} to
 * @param {readonly string[]} paths of the packages in both folders, such as `node_modules/a/node_modules/b`
 */
export function copyPackages(from, to, paths) {
  for (const path of paths) {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const folder = join(from, path);
    if (COMPILER.test(name) || !existsSync(folder)) continue;
    cpSync(folder, join(to, path), {
      recursive: true,
      filter: (file) => isWanted(name, relative(folder, file).split(sep).join('/')),
    });
  }
}

/**
 * @param {string} name the package's
 * @param {string} path of a file or folder in the package
 * @returns {boolean}
 */
function isWanted(name, path) {
  // Packages in a package are copied as packages of their own.
  if (path === 'node_modules') return false;
  return !isSpare(name, path) && !isSpare(name, `${path}/`) && !FOR_DEVELOPERS.test(path);
}
