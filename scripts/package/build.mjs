/**
 * `npm run build`: makes `dist/`, the partner API client as a package of its own (see docs/decisions). A folder given
 * as argument takes the place of `dist/`.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT } from '../setup/paths.mjs';

const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
const README = join(ROOT, 'src', 'partner-api', 'README.md');

/** What the client imports; a test holds the list against the built files. */
const DEPENDENCIES = ['decimal.js', 'leven', 'undici', 'zod'];

/** undici 8 asks for this one; it is the oldest Node on which the package is tried. */
export const OLDEST_NODE = '22.19.0';

/**
 * Writes JavaScript, declarations, README and manifest into `folder`, from nothing. Throws when the compiler refuses.
 * @param {string} folder
 */
export function buildPackage(folder) {
  rmSync(folder, { recursive: true, force: true });
  // The compiler's own words go to stderr: stdout is where `npm pack` prints the name of the tarball.
  execFileSync(process.execPath, [TSC, '-p', join(ROOT, 'tsconfig.build.json'), '--outDir', folder], {
    stdio: ['ignore', 2, 2],
  });
  copyFileSync(README, join(folder, 'README.md'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
}

/**
 * The checkout's manifest without what the client does not need: the service's dependencies, scripts and program.
 * @returns {object}
 */
function manifest() {
  const { name, version, license, type, dependencies } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  );
  return {
    name,
    version,
    private: true,
    type,
    description: "Typed client of the vendor's partner API.",
    license,
    engines: { node: `>=${OLDEST_NODE}` },
    exports: {
      './partner-api': { types: './partner-api/index.d.ts', default: './partner-api/index.js' },
      './package.json': './package.json',
    },
    dependencies: Object.fromEntries(DEPENDENCIES.map((wanted) => [wanted, `^${dependencies[wanted]}`])),
  };
}

if (import.meta.main) buildPackage(resolve(process.argv[2] ?? join(ROOT, 'dist')));
