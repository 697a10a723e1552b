/**
 * @typedef {{ name?: string, version?: string, dev?: boolean, devOptional?: boolean, dependencies?: Record<string, string>,
 *   optionalDependencies?: Record<string, string>, peerDependencies?: Record<string, string> }} Locked
 */

/**
 * The folders of the packages that these dependencies need, and of those that they need in turn, as a lock file has them: as
 * `node_modules/a/node_modules/b`. Throws if the lock file lacks one.
 * @param {Readonly<Record<string, string>>} dependencies
 * @param {{ readonly packages: Readonly<Record<string, Locked>> }} lock the checkout's
 * @returns {readonly string[]} sorted
 */
export function lockedPackages(dependencies, { packages }) {
  /** @type {Set<string>} */
  const kept = new Set();
  const open = Object.keys(dependencies).map((wanted) => found(packages, '', wanted, true));
  for (const path of open) {
    if (path === null || kept.has(path)) continue;
    kept.add(path);
    const locked = /** @type {Locked} */ (packages[path]);
    for (const wanted of Object.keys(locked.dependencies ?? {})) open.push(found(packages, path, wanted, true));
    for (const wanted of [
      ...Object.keys(locked.optionalDependencies ?? {}),
      ...Object.keys(locked.peerDependencies ?? {}),
    ])
      open.push(found(packages, path, wanted, false));
  }
  return [...kept].toSorted();
}

/**
 * Where Node finds a package that one at `path` asks for: beside it, or in a folder above.
 * @param {Readonly<Record<string, Locked>>} packages
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
