/**
 * `npm run pack:simulators`: makes `dist-simulators/`, a package of the two simulators and their program (see docs/decisions). A folder
 * given as argument replaces `dist-simulators/`.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { ROOT } from '../setup/paths.mjs';
import { OLDEST_NODE } from './build.mjs';
import { importedPackages } from './package-imports.mjs';
import { publishedFrom } from './repository.mjs';

const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
const PROGRAM = 'playground/simulators-main.js';
/** The module that the package exports under its own name. */
const ENTRY = './simulators/src/index.js';
const README = join('simulators', 'docs', 'simulators.md');
const LICENSE = join('src', 'partner-api', 'LICENSE');

/**
 * Writes JavaScript, run-time files, README, licence and manifest into the emptied `folder`. Throws if the compiler fails.
 * @param {string} folder
 */
export function buildSimulators(folder) {
  rmSync(folder, { recursive: true, force: true });
  execFileSync(process.execPath, [TSC, '-p', join(ROOT, 'tsconfig.simulators.json'), '--outDir', folder], {
    stdio: ['ignore', 2, 2],
  });
  chmodSync(join(folder, PROGRAM), 0o755);
  // Copies styles, browser scripts and data: all files that the compiler does not translate.
  cpSync(join(ROOT, 'simulators', 'src'), join(folder, 'simulators', 'src'), {
    recursive: true,
    filter: (path) => extname(path) !== '.ts' && basename(path) !== 'tsconfig.json',
  });
  cpSync(join(ROOT, 'crm-package'), join(folder, 'crm-package'), {
    recursive: true,
    filter: (path) => !/__tests__|test-stubs|jest\.config/.test(path),
  });
  copyFileSync(join(ROOT, README), join(folder, 'README.md'));
  copyFileSync(join(ROOT, LICENSE), join(folder, 'LICENSE'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(folder), null, 2)}\n`);
}

/**
 * The package's manifest. Its dependencies are the packages that the code imports, in the tested versions.
 * @param {string} folder
 * @returns {object}
 */
function manifest(folder) {
  const own = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const simulators = JSON.parse(readFileSync(join(ROOT, 'simulators', 'package.json'), 'utf8'));
  const { name, version, license, type, description } = simulators;
  return {
    name,
    version,
    private: true,
    type,
    description,
    license,
    ...publishedFrom(own, ROOT),
    publishConfig: own.publishConfig,
    engines: { node: `>=${OLDEST_NODE}` },
    bin: { [own.name]: PROGRAM },
    exports: { '.': ENTRY, './package.json': './package.json' },
    dependencies: importedPackages(folder, { ...own.dependencies, ...simulators.dependencies }, name),
  };
}

if (import.meta.main) buildSimulators(resolve(process.argv[2] ?? join(ROOT, 'dist-simulators')));
