/**
 * `npm run test:pack`: packs the vendor's client and tests it in empty projects of each kind, with all supported compilers and Nodes; packs
 * the connector and runs it as an installation. Needs the npm registry. Prints one line per check and the verdict last. `npm run test:pack
 * -- --connector` tests only the connector.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningVendorSimulator, startVendorSimulator } from 'lockstep-simulators';
import { scriptOptions } from '../../setup/script-options.mjs';
import { buildPackage, OLDEST_NODE } from '../build.mjs';
import { tryClone } from './clone.ts';
import { tryConnector } from './connector.ts';
import { exec, installNode, npm, projectWith } from './npm.ts';
import { compareWithOpenApi } from './openapi-types.ts';
import { layOut, PROGRAM, PROJECT_KINDS, type ProjectKind } from './projects.ts';

const COMPILERS = ['5.4.5', '5.9.3', '6.0.3', '7.0.2'];
const PUBLINT = 'publint@0.3.25';
const ATTW = '@arethetypeswrong/cli@0.18.5';
/** A Node that undici does not support, with an unhelpful error of its own. */
const TOO_OLD_NODE = '20.18.3';
const RUN_LIMIT_MS = 60_000;

type Check = { readonly name: string; readonly run: () => Promise<string> };

async function run(checks: readonly Check[]): Promise<boolean> {
  let isGood = true;
  for (const { name, run: check } of checks) {
    const problem = await check().then(
      () => null,
      (error: Error & { stdout?: string; stderr?: string }) => error.stdout || error.stderr || error.message,
    );
    isGood &&= problem === null;
    process.stdout.write(`${name}: ${problem === null ? 'ok' : `failed\n${problem}`}\n`);
  }
  return isGood;
}

/** Runs package linters on the tarball. */
async function linters(work: string, tarball: string): Promise<readonly Check[]> {
  const bin = join(await projectWith(join(work, 'linters'), [PUBLINT, ATTW]), 'node_modules', '.bin');
  const lint = (name: string, args: readonly string[]): Check => ({
    name,
    run: async () => (await exec(join(bin, name), [...args], { cwd: work })).stdout,
  });
  return [lint('publint', ['run', tarball, '--strict']), lint('attw', [tarball])];
}

/** Compiles each kind of project with each compiler, and runs the result on each Node. */
async function projects(
  work: string,
  home: string,
  nodes: Readonly<Record<string, string>>,
  simulator: RunningVendorSimulator,
): Promise<readonly Check[]> {
  const checks: Check[] = [];
  for (const version of COMPILERS) {
    const folder = await projectWith(join(work, `typescript-${version}`), [`typescript@${version}`]);
    const tsc = join(folder, 'node_modules', 'typescript', 'bin', 'tsc');
    for (const kind of PROJECT_KINDS) checks.push(...tryKind(home, kind, version, tsc, nodes, simulator));
  }
  return checks;
}

function tryKind(
  home: string,
  kind: ProjectKind,
  version: string,
  tsc: string,
  nodes: Readonly<Record<string, string>>,
  { url, apiKey }: RunningVendorSimulator,
): readonly Check[] {
  const name = `${kind.name}, TypeScript ${version}`;
  const cwd = layOut(home, kind);
  const env = { ...process.env, VENDOR_URL: url, VENDOR_API_KEY: apiKey };
  const compile: Check = {
    name: `${name}, strict`,
    run: async () => {
      rmSync(join(cwd, 'out'), { recursive: true, force: true });
      return (await exec(process.execPath, [tsc, '-p', cwd], { cwd })).stdout;
    },
  };
  const runs = Object.entries(nodes).map(([on, node]) => ({
    name: `${name}, on ${on}`,
    run: () => says(node, [PROGRAM], { cwd, env }, '19 operations answered\n'),
  }));
  return [compile, ...runs];
}

/** Loads the package in both ways on a Node that is too old for it. */
function tooOld(node: string, cwd: string): readonly Check[] {
  const word = `lockstep/partner-api needs Node 22.19 or newer; this is Node ${TOO_OLD_NODE}\n`;
  const load = {
    import: "import('lockstep/partner-api').catch((error) => console.log(error.message))",
    require: "try { require('lockstep/partner-api') } catch (error) { console.log(error.message) }",
  };
  return Object.entries(load).map(([way, code]) => ({
    name: `${way} on Node ${TOO_OLD_NODE} says what it lacks`,
    run: () => says(node, ['-e', code], { cwd, env: process.env }, word),
  }));
}

/**
 * Checks the simulator's violations after all operations were sent in both versions: only the use of v0, which the program calls on
 * purpose.
 */
async function sentNothingElse({ adminUrl }: RunningVendorSimulator): Promise<string> {
  const answer = await fetch(`${adminUrl}/violations`);
  const { violations } = (await answer.json()) as { violations: readonly { rule: string; path: string }[] };
  const others = violations.filter(({ rule }) => rule !== 'deprecated-version');
  if (others.length > 0) throw new Error(JSON.stringify(others, null, 2));
  if (violations.length === 0) throw new Error('The sandbox has noted nothing, not even the use of v0.');
  return '';
}

async function says(
  node: string,
  args: readonly string[],
  at: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  expected: string,
): Promise<string> {
  const { stdout } = await exec(node, [...args], { ...at, timeout: RUN_LIMIT_MS });
  if (stdout !== expected) throw new Error(`printed ${JSON.stringify(stdout)}`);
  return stdout;
}

async function tryPackage(work: string): Promise<boolean> {
  const built = join(work, 'built');
  buildPackage(built);
  const [{ filename }] = JSON.parse(await npm(work, ['pack', '--json', built]));
  const tarball = join(work, filename);
  const home = await projectWith(join(work, 'home'), [tarball, '@types/node@22']);
  const nodes = {
    [`Node ${OLDEST_NODE}`]: await installNode(join(work, 'oldest-node'), OLDEST_NODE),
    [`Node ${process.versions.node}`]: process.execPath,
  };
  const oldNode = await installNode(join(work, 'too-old-node'), TOO_OLD_NODE);
  const simulator = await startVendorSimulator({ orders: 20 });
  try {
    return await run([
      ...(await linters(work, tarball)),
      {
        name: 'the types that another generator makes of the OpenAPI document are the same',
        run: () => compareWithOpenApi(join(work, 'openapi-types'), tarball),
      },
      ...tooOld(oldNode, home),
      ...(await projects(work, home, nodes, simulator)),
      {
        name: 'the sandbox has no violation to list, beside the use of v0',
        run: () => sentNothingElse(simulator),
      },
      {
        name: 'all packages of a clone name its origin',
        run: () => tryClone(join(work, 'clone')),
      },
    ]);
  } finally {
    await simulator.close();
  }
}

const work = mkdtempSync(join(tmpdir(), 'lockstep-pack-'));
try {
  const isClientGood = scriptOptions('test:pack').connector || (await tryPackage(work));
  const isGood = (await run(await tryConnector(work))) && isClientGood;
  process.stdout.write(isGood ? 'The packages work everywhere.\n' : 'A package does not work everywhere.\n');
  process.exitCode = isGood ? 0 : 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}
