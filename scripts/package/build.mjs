/**
 * `npm run build`: makes `dist/`, a package of the partner API client (see docs/decisions). A folder given as argument replaces `dist/`.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ROOT } from '../setup/paths.mjs';
import { publishedFrom } from './repository.mjs';

const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
const SOURCE = join(ROOT, 'src', 'partner-api');
const DOCUMENTS = ['README.md', 'CHANGELOG.md', 'LICENSE'];

/** Packages that the client imports; a test compares the list with the built files. */
const DEPENDENCIES = ['decimal.js', 'leven', 'undici', 'zod'];

/** The oldest Node that undici 8 supports; the package is tested on it. */
export const OLDEST_NODE = '22.19.0';

/**
 * The file that `require` loads. It loads the ES module, so that both ways of loading share one instance and its error classes; every
 * supported Node can do that.
 */
const REQUIRED = `'use strict';
const problem = require('./node-problem.cjs');
if (problem !== null) throw new Error(problem);
module.exports = require('./index.js');
`;

/**
 * Writes JavaScript, declarations, documents and manifest into the emptied `folder`. Throws if the compiler fails.
 * @param {string} folder
 */
export function buildPackage(folder) {
  rmSync(folder, { recursive: true, force: true });
  // The compiler's output goes to stderr, because `npm pack` prints the tarball's name on stdout.
  execFileSync(process.execPath, [TSC, '-p', join(ROOT, 'tsconfig.build.json'), '--outDir', folder], {
    stdio: ['ignore', 2, 2],
  });
  writeCommonJs(join(folder, 'partner-api'));
  for (const name of DOCUMENTS) copyFileSync(join(SOURCE, name), join(folder, name));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
}

/**
 * Writes the entry for `require` and a copy of the declarations for it, because TypeScript before 5.8 refuses an ES module's declarations
 * in a CommonJS file. Omits declarations that users cannot reach.
 * @param {string} folder
 */
function writeCommonJs(folder) {
  writeFileSync(join(folder, 'index.cjs'), REQUIRED);
  const reachable = reachableFrom(join(folder, 'index.d.ts'));
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue;
    const file = join(folder, name);
    const declarations = reachable.get(file);
    rmSync(file);
    if (declarations === undefined) continue;
    writeFileSync(file, declarations.replaceAll(SPECIFIER, '$1.js$2'));
    writeFileSync(file.replace(/\.d\.ts$/, '.d.cts'), declarations.replaceAll(SPECIFIER, '$1.cjs$2'));
  }
}

/** A relative import in a declaration, as the compiler writes it. */
const SPECIFIER = /((?:from |import\(|import )(['"])\.{1,2}\/[^'"]+)\.ts\2/g;

/**
 * @param {string} entry
 * @returns {Map<string, string>} the declarations that an entry leads to, by file
 */
function reachableFrom(entry) {
  const found = new Map();
  const open = [entry];
  for (const file of open) {
    if (found.has(file)) continue;
    const declarations = readFileSync(file, 'utf8');
    found.set(file, declarations);
    for (const [, path = ''] of declarations.matchAll(/['"](\.[^'"]+)\.ts['"]/g)) {
      open.push(join(dirname(file), `${path}.d.ts`));
    }
  }
  return found;
}

/**
 * The checkout's manifest without the connector's dependencies, scripts and program.
 * @returns {object}
 */
function manifest() {
  const own = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const { name, version, license, type, exports, dependencies } = own;
  return {
    name,
    version,
    private: true,
    type,
    description: "Typed client of the vendor's partner API.",
    license,
    ...publishedFrom(own, ROOT),
    publishConfig: own.publishConfig,
    engines: { node: `>=${OLDEST_NODE}` },
    sideEffects: ['./partner-api/check-node.js', './partner-api/index.cjs'],
    exports: JSON.parse(JSON.stringify(exports).replaceAll('./dist/', './')),
    dependencies: Object.fromEntries(DEPENDENCIES.map((wanted) => [wanted, `^${dependencies[wanted]}`])),
  };
}

if (import.meta.main) buildPackage(resolve(process.argv[2] ?? join(ROOT, 'dist')));
