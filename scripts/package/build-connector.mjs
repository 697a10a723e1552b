/**
 * `npm run pack:connector`: makes `dist-connector/`, a package of the worker, the receiver and the operators' commands that needs no
 * checkout (see docs/decisions). A folder given as argument replaces `dist-connector/`.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { ROOT } from '../setup/paths.mjs';
import { copyPackages } from './copy-packages.mjs';
import { lockedPackages } from './locked-packages.mjs';
import { importedPackages } from './package-imports.mjs';
import { publishedFrom } from './repository.mjs';

const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
const PROGRAM = 'src/cli/connector-main.js';
/** Styles, script and icon of the console's pages, which the compiler does not translate. */
const ASSETS = join('src', 'console', 'assets');
const DOCUMENTS = ['LICENSE', 'CHANGELOG.md'];
const README = join('scripts', 'package', 'connector-readme.md');
/** The workflow bundle that the worker expects beside its code. */
const BUNDLE = 'workflow-bundle.js';
/** The workflow bundle for workers with traces. */
const TRACED_BUNDLE = 'workflow-bundle-traced.js';
const RUN_TRACE = join(ROOT, 'src', 'tracing', 'run-trace.ts');
/** The packages' native part is for this system only. */
const SYSTEM = {
  os: [process.platform],
  cpu: [process.arch],
  ...(process.platform === 'linux' ? { libc: ['glibc'] } : {}),
};
/** The oldest supported Node; the connector is tested on this version. */
const OLDEST_NODE = '24';

/**
 * Writes JavaScript, the workflow bundles, documents, manifest and the dependencies as they are locked and installed here into the emptied
 * `folder`. Throws if the compiler fails.
 * @param {string} folder
 */
export async function buildConnector(folder) {
  rmSync(folder, { recursive: true, force: true });
  execFileSync(process.execPath, [TSC, '-p', join(ROOT, 'tsconfig.connector.json'), '--outDir', folder], {
    stdio: ['ignore', 2, 2],
  });
  chmodSync(join(folder, PROGRAM), 0o755);
  cpSync(join(ROOT, ASSETS), join(folder, ASSETS), {
    recursive: true,
    filter: (path) => basename(path) !== 'tsconfig.json',
  });
  const own = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const made = manifest(own, importedPackages(folder, own.dependencies));
  await bundle(join(folder, BUNDLE), []);
  await bundle(join(folder, TRACED_BUNDLE), [RUN_TRACE]);
  for (const name of DOCUMENTS) copyFileSync(join(ROOT, name), join(folder, name));
  copyFileSync(join(ROOT, README), join(folder, 'README.md'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(made, null, 2)}\n`);
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  copyPackages(ROOT, folder, lockedPackages(made.dependencies, lock));
}

/**
 * @param {string} file
 * @param {string[]} workflowInterceptorModules
 */
async function bundle(file, workflowInterceptorModules) {
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(ROOT, 'workflows', 'index.ts'),
    workflowInterceptorModules,
    logger: new DefaultLogger('WARN'),
  });
  writeFileSync(file, code);
}

/**
 * @param {any} own the checkout's manifest
 * @param {Record<string, string>} dependencies
 */
function manifest(own, dependencies) {
  const { name, version, license, type, publishConfig } = own;
  return {
    name: `${name}-connector`,
    version,
    private: true,
    type,
    description: own.description,
    license,
    ...publishedFrom(own, ROOT),
    publishConfig,
    engines: { node: `>=${OLDEST_NODE}` },
    ...SYSTEM,
    bin: { [name]: PROGRAM },
    files: ['activities', 'src', 'workflows', 'temporal.config.js', BUNDLE, TRACED_BUNDLE, 'CHANGELOG.md'],
    dependencies,
    bundleDependencies: Object.keys(dependencies),
  };
}

if (import.meta.main) await buildConnector(resolve(process.argv[2] ?? join(ROOT, 'dist-connector')));
