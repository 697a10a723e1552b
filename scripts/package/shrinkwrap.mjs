/**
 * @typedef {{ name?: string, version?: string, dependencies?: Record<string, string>, optionalDependencies?: Record<string, string>,
 *   peerDependencies?: Record<string, string>, dev?: boolean, devOptional?: boolean, peer?: boolean }} Locked
 * @typedef {{ name: string, version: string, dependencies: Record<string, string> }} Manifest
 */

/**
 * The lock file of a package that needs a part of what the checkout has locked: the same versions, and nothing that nobody of
 * its dependencies asks for. Throws where the checkout has not locked what is asked for.
 * @param {Manifest & Record<string, any>} manifest
 * @param {{ packages: Record<string, Locked> } & Record<string, any>} lock the checkout's
 */
export function lockFor(manifest, { packages, ...rest }) {
  const { name, version, license, engines, bin, dependencies } = manifest;
  /** @type {Record<string, any>} */
  const kept = { '': { name, version, license, dependencies, bin, engines } };
  const open = Object.keys(dependencies).map((wanted) => found(packages, '', wanted, true));
  for (const path of open) {
    if (path === null || path in kept) continue;
    const { dev: _, devOptional: __, peer: ___, ...locked } = /** @type {Locked} */ (packages[path]);
    kept[path] = locked;
    for (const wanted of Object.keys(locked.dependencies ?? {})) open.push(found(packages, path, wanted, true));
    for (const wanted of [
      ...Object.keys(locked.optionalDependencies ?? {}),
      ...Object.keys(locked.peerDependencies ?? {}),
    ])
      open.push(found(packages, path, wanted, false));
  }
  const sorted = Object.fromEntries(Object.entries(kept).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return { ...rest, name, version, packages: sorted };
}

/**
 * Where Node finds a package that one at `path` asks for: beside it, or in a folder above.
 * @param {Record<string, Locked>} packages
 * @param {string} path
 * @param {string} wanted
 * @param {boolean} isNeeded
 * @returns {string | null}
 */
function found(packages, path, wanted, isNeeded) {
  for (let at = path; ; at = above(at)) {
    const candidate = `${at === '' ? '' : `${at}/`}node_modules/${wanted}`;
    if (candidate in packages) return candidate;
    if (at === '') break;
  }
  if (isNeeded) throw new Error(`package-lock.json has no ${wanted}, which ${path || 'the package'} asks for`);
  return null;
}

/**
 * @param {string} path
 * @returns {string} the package in whose node_modules this one is
 */
function above(path) {
  return path.slice(0, Math.max(0, path.lastIndexOf('node_modules/') - 1));
}
