/**
 * `npm run test:pack`: packs the partner API client, installs the tarball into an empty folder as a user would, and
 * runs the first example of its README against the vendor simulator, on the oldest and the newest Node it is made for.
 * Needs the npm registry. Prints one line per Node.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startVendorSimulator } from '../../src/simulators/vendor/start.ts';
import { npmCommand } from '../setup/dependencies.mjs';
import { buildPackage, OLDEST_NODE } from './build.mjs';
import { firstExample } from './examples.mjs';

const exec = promisify(execFile);
const INSTALL_LIMIT_MS = 5 * 60_000;
const RUN_LIMIT_MS = 30_000;
/** The floor that undici 8 sets, and so the package's own. */
const OLD_NODE = `node@${OLDEST_NODE}`;

/**
 * @param {string} cwd
 * @param {readonly string[]} args
 * @returns {Promise<string>} what npm printed
 */
async function npm(cwd, args) {
  const { command, args: before } = npmCommand(process.env);
  const { stdout } = await exec(command, [...before, ...args], { cwd, timeout: INSTALL_LIMIT_MS });
  return stdout;
}

/**
 * An empty folder with its own manifest, so that npm looks for no project further up.
 * @param {string} folder
 */
function emptyProject(folder) {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
}

/**
 * @param {string} folder
 * @returns {Promise<string>} the program of the oldest Node; the package's own script fetches it, whether or not this npm
 *   runs install scripts
 */
async function installOldNode(folder) {
  emptyProject(folder);
  await npm(folder, ['install', '--ignore-scripts', '--no-audit', '--no-fund', OLD_NODE]);
  const home = join(folder, 'node_modules', 'node');
  await exec(process.execPath, ['installArchSpecificPackage.js'], { cwd: home, timeout: INSTALL_LIMIT_MS });
  return join(home, 'bin', 'node');
}

/**
 * @param {string} work an empty folder
 * @returns {Promise<string>} a user's project, with the tarball installed and the example as `first.js`
 */
async function installTarball(work) {
  const built = join(work, 'built');
  const project = join(work, 'project');
  buildPackage(built);
  const [{ filename }] = JSON.parse(await npm(work, ['pack', '--json', built]));
  emptyProject(project);
  await npm(project, ['install', '--no-audit', '--no-fund', join(work, filename)]);
  writeFileSync(join(project, 'first.js'), firstExample(readFileSync(join(built, 'README.md'), 'utf8')));
  return project;
}

/**
 * @param {string} work
 * @returns {Promise<boolean>} whether the example printed what the simulator sells, on every Node
 */
async function tryPackage(work) {
  const project = await installTarball(work);
  const nodes = [await installOldNode(join(work, 'old-node')), process.execPath];
  const simulator = await startVendorSimulator();
  const env = { ...process.env, VENDOR_URL: simulator.url, VENDOR_API_KEY: simulator.apiKey };
  let isGood = true;
  try {
    for (const node of nodes) {
      const { stdout: version } = await exec(node, ['--version']);
      const outcome = await exec(node, ['first.js'], { cwd: project, env, timeout: RUN_LIMIT_MS }).catch(
        (/** @type {Error & { stderr?: string }} */ error) => ({ stdout: '', stderr: error.stderr }),
      );
      const works = outcome.stdout.startsWith('[') && outcome.stdout.length > 5;
      isGood &&= works;
      process.stdout.write(
        `Node ${version.trim()}: ${works ? outcome.stdout.replaceAll(/\s+/g, ' ') : `failed ${outcome.stderr}`}\n`,
      );
    }
  } finally {
    await simulator.close();
  }
  return isGood;
}

const work = mkdtempSync(join(tmpdir(), 'lockstep-pack-'));
try {
  process.exitCode = (await tryPackage(work)) ? 0 : 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}
