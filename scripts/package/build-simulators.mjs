/**
 * `npm run pack:simulators`: makes `dist-simulators/`, the two simulators with their program as a package of their own
 * (see docs/decisions). A folder given as argument takes the place of `dist-simulators/`.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { ROOT } from '../setup/paths.mjs';
import { OLDEST_NODE } from './build.mjs';
import { publishedFrom } from './repository.mjs';

const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
const PROGRAM = 'src/cli/simulators-main.js';
const README = join('docs', 'simulators.md');
const LICENSE = join('src', 'partner-api', 'LICENSE');

/** An import, or a look-up of a package's file, in built code: the name of the package. */
const PACKAGE =
  /(?:\bfrom|\bimport|import\(|import\.meta\.resolve\()\s*['"]((?:@[\w-]+\/)?[a-z][\w.-]*)(?=['"/])/g;

/**
 * Writes JavaScript, what it reads at run time, README, licence and manifest into `folder`, from nothing. Throws when the
 * compiler refuses.
 * @param {string} folder
 */
export function buildSimulators(folder) {
  rmSync(folder, { recursive: true, force: true });
  execFileSync(process.execPath, [TSC, '-p', join(ROOT, 'tsconfig.simulators.json'), '--outDir', folder], {
    stdio: ['ignore', 2, 2],
  });
  chmodSync(join(folder, PROGRAM), 0o755);
  // Styles, browser scripts and data: whatever is no source that the compiler has made into something else.
  cpSync(join(ROOT, 'src', 'simulators'), join(folder, 'src', 'simulators'), {
    recursive: true,
    filter: (path) => extname(path) !== '.ts' && basename(path) !== 'tsconfig.json',
  });
  cpSync(join(ROOT, 'crm-package'), join(folder, 'crm-package'), { recursive: true });
  copyFileSync(join(ROOT, README), join(folder, 'README.md'));
  copyFileSync(join(ROOT, LICENSE), join(folder, 'LICENSE'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(folder), null, 2)}\n`);
}

/**
 * @param {string} folder
 * @returns {readonly string[]} the packages that the built code imports
 */
function importedPackages(folder) {
  const files = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' });
  const names = files
    .filter((file) => file.endsWith('.js'))
    .flatMap((file) => [...readFileSync(join(folder, 'src', file), 'utf8').matchAll(PACKAGE)])
    .map(([, name = '']) => name);
  return [...new Set(names)].toSorted();
}

/**
 * The package's manifest: its dependencies are what the code imports, in the versions that are tested.
 * @param {string} folder
 * @returns {object}
 */
function manifest(folder) {
  const own = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const { name, version, license, type, dependencies } = own;
  const unknown = importedPackages(folder).filter((wanted) => !(wanted in dependencies));
  if (unknown.length > 0) throw new Error(`No dependency of package.json: ${unknown.join(', ')}`);
  return {
    name: `${name}-simulators`,
    version,
    private: true,
    type,
    description: "Simulators of the vendor's partner API and of Salesforce, over real HTTP.",
    license,
    ...publishedFrom(own, ROOT),
    engines: { node: `>=${OLDEST_NODE}` },
    bin: { [name]: PROGRAM },
    dependencies: Object.fromEntries(
      importedPackages(folder).map((wanted) => [wanted, dependencies[wanted]]),
    ),
  };
}

if (import.meta.main) buildSimulators(resolve(process.argv[2] ?? join(ROOT, 'dist-simulators')));
