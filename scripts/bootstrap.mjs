/**
 * Runs `npm start`, `npm test`, `npm run check` and similar verbs: first does the missing set-up, then runs the verb on Node 24. Plain
 * JavaScript without dependencies, because nothing is installed yet when it starts.
 */
import { join } from 'node:path';
import { ROOT, setupPaths } from './setup/paths.mjs';
import { sentenceFor } from './setup/problem.mjs';
import { provision } from './setup/provision.mjs';
import { childEnvironment, runChild } from './setup/run-child.mjs';
import { answer, readOptions } from './setup/script-options.mjs';
import { SCRIPTS } from './setup/scripts.mjs';

/** Exit codes above this value mean that a signal ended the program. */
const SIGNALLED = 128;
const BUILD = join('scripts', 'package', 'build.mjs');
const BUILD_SIMULATORS = join('scripts', 'package', 'build-simulators.mjs');
const BUILD_CONNECTOR = join('scripts', 'package', 'build-connector.mjs');
const CHECK_CHART = join('scripts', 'deployment', 'check-chart.ts');
const TEST_SERVER = join('scripts', 'temporal-cluster', 'test-server.ts');
const TRY_PACKAGE = join('scripts', 'package', 'try', 'try-package.ts');
const LINT_OPENAPI = join('simulators', 'openapi', 'lint-openapi.ts');
const FUZZ_SANDBOX = join('simulators', 'fuzz', 'fuzz-sandbox.ts');
const MUTATE = join('scripts', 'mutate', 'mutate.ts');
const BENCH_SANDBOX = join('simulators', 'bench', 'sandbox.ts');
const BENCH_SALESFORCE = join('simulators', 'bench', 'salesforce.ts');
/** The benchmark checks that a million rows fit into 2 GB. */
const BENCH_SCALE = ['--max-old-space-size=2048', join('simulators', 'bench', 'salesforce-scale.ts')];
const SCORECARD = join('simulators', 'scorecard', 'main.ts');
const WRITE_POINTS = join('simulators', 'scorecard', 'points', 'write-points.ts');
const WRITE_OPENAPI = join('simulators', 'openapi', 'write-openapi.ts');
const WRITE_FIELD_DOCS = join('scripts', 'field-docs', 'write-field-docs.ts');
const GENERATE = join('scripts', 'generate', 'generate.ts');
const AUDIT = join('scripts', 'dependencies', 'audit.ts');
const WRITE_LICENCES = join('scripts', 'dependencies', 'write-licences.ts');
const FUZZ_REMOTES = join('test', 'fuzz', 'main.ts');
const SOAK = join('scripts', 'soak.mjs');
const CHAOS = join('test', 'chaos', 'main.ts');
const MAIN = join('playground', 'main.ts');
const VITEST = join('node_modules', 'vitest', 'vitest.mjs');
const ATTACK_REPORTER = join('test', 'support', 'attack-reporter.ts');
const BENCH_LEDGER = join('bench', 'ledger.ts');
const BENCH_SCALE_LEDGER = join('bench', 'scale.ts');
const BENCH_WALLS = join('bench', 'walls.ts');
const BENCH_CATALOG = join('bench', 'catalog.ts');
const BENCH_IDLE = join('bench', 'idle.ts');
const BENCH_FLEET = join('bench', 'fleet.ts');
const BENCH_ORDERS = join('bench', 'orders.ts');
const BENCH_RECEIVER = join('bench', 'receiver.ts');
const BENCH_PEERS = join('bench', 'peers.ts');
const BENCH_MEMORY = join('bench', 'memory.ts');
const BENCH_SIZE = join('bench', 'size.ts');
const BENCH_ENGINE = join('bench', 'engine.ts');
const PROFILE = join('bench', 'profile.ts');
const BENCH_BACKFILL = join('bench', 'backfill.ts');
const BIOME = join('node_modules', '@biomejs', 'biome', 'bin', 'biome');
const OXLINT = join('node_modules', 'oxlint', 'bin', 'oxlint');
/** Salesforce's rules for Lightning web components. */
const ESLINT = [
  join('node_modules', 'eslint', 'bin', 'eslint.js'),
  '--config',
  join('crm-package', 'eslint.config.mjs'),
  '--max-warnings',
  '0',
  'crm-package',
];
/** Browser scripts are checked with a browser's types. */
const BROWSER = join('simulators', 'src', 'core', 'page', 'browser');
const TSC = join('node_modules', 'typescript', 'bin', 'tsc');
/** The results of the last type check. With them the next check only looks at changed files and takes a tenth of the time. */
const TYPES_SEEN = join('node_modules', '.cache', 'tsc', 'project.tsbuildinfo');

/**
 * Verbs that run a single program with the given arguments.
 * @type {Readonly<Record<string, string>>}
 */
const PROGRAMS = {
  soak: SOAK,
  chaos: CHAOS,
  'fuzz:remotes': FUZZ_REMOTES,
  build: BUILD,
  'build:simulators': BUILD_SIMULATORS,
  'build:connector': BUILD_CONNECTOR,
  'test:server': TEST_SERVER,
  'test:chart': CHECK_CHART,
  'test:pack': TRY_PACKAGE,
  'fuzz:sandbox': FUZZ_SANDBOX,
  'lint:openapi': LINT_OPENAPI,
  mutate: MUTATE,
  'scorecard:salesforce': SCORECARD,
  'docs:openapi': WRITE_OPENAPI,
  'docs:licences': WRITE_LICENCES,
  'audit:dependencies': AUDIT,
  'docs:fields': WRITE_FIELD_DOCS,
  generate: GENERATE,
  'bench:ledger': BENCH_LEDGER,
  'bench:scale': BENCH_SCALE_LEDGER,
  'bench:walls': BENCH_WALLS,
  'bench:catalog': BENCH_CATALOG,
  'bench:idle': BENCH_IDLE,
  'bench:fleet': BENCH_FLEET,
  'bench:orders': BENCH_ORDERS,
  'bench:receiver': BENCH_RECEIVER,
  'bench:peers': BENCH_PEERS,
  'bench:memory': BENCH_MEMORY,
  'bench:size': BENCH_SIZE,
  'bench:engine': BENCH_ENGINE,
  'bench:backfill': BENCH_BACKFILL,
  profile: PROFILE,
};

/**
 * @param {string} verb
 * @param {readonly string[]} args
 * @returns {readonly (readonly string[])[]} the programs to run, in order, each to its end
 */
function programsFor(verb, args) {
  const program = Object.hasOwn(PROGRAMS, verb) ? PROGRAMS[verb] : undefined;
  if (program !== undefined) return [[program, ...args]];
  if (verb === 'test') return [[VITEST, 'run', ...args]];
  if (verb === 'attack') return [[VITEST, 'run', '--project', 'attack', '--reporter', ATTACK_REPORTER, ...args]];
  if (verb === 'bench:sandbox') return [[BENCH_SANDBOX, ...args], [BENCH_SALESFORCE], [...BENCH_SCALE, ...args]];
  if (verb === 'docs:points')
    return [[WRITE_POINTS], [BIOME, 'format', '--write', 'simulators/docs/salesforce-points.md']];
  if (verb === 'check') {
    return [
      [BIOME, 'check', '--error-on-warnings', '.'],
      [TSC, '--noEmit', '--incremental', '--tsBuildInfoFile', TYPES_SEEN],
      [TSC, '--noEmit', '-p', BROWSER],
      [GENERATE, '--check'],
      [OXLINT, '--type-aware', '--deny-warnings'],
      ESLINT,
      [VITEST, 'run', '--project', 'unit', 'test/unit/house-rules.test.ts'],
    ];
  }
  return [[MAIN, verb, ...args]];
}

/**
 * @param {string} verb
 * @param {readonly string[]} args
 * @returns {boolean}
 */
function needsTemporal(verb, args) {
  if (args.includes('--help') || args.includes('-h')) return false;
  const real = [
    'up',
    'test',
    'attack',
    'bench:engine',
    'bench:peers',
    'bench:memory',
    'bench:backfill',
    'bench:orders',
    'profile',
    'chaos',
    'fuzz:remotes',
    'test:pack',
    'test:server',
  ];
  return real.includes(verb);
}

/**
 * @param {readonly string[]} argv
 * @returns {Promise<number>} exit code
 */
async function bootstrap(argv) {
  const [verb = 'up', ...args] = argv;
  if (Object.hasOwn(SCRIPTS, verb))
    answer(readOptions(/** @type {import('./setup/script-options.mjs').ScriptName} */ (verb), args));
  const paths = setupPaths(ROOT);
  const say = (/** @type {string} */ line) => void process.stderr.write(`[set-up] ${line}\n`);
  const ready = await provision(paths, { env: process.env, needsTemporal: needsTemporal(verb, args), say });
  const env = childEnvironment(process.env, paths, ready.temporal);
  let worst = 0;
  for (const program of programsFor(verb, args)) {
    const code = await runChild(ready.node, program, { cwd: paths.root, env, channel: program[0] === MAIN });
    worst = Math.max(worst, code);
    // A signal ended the program, so the user wants to stop.
    if (code > SIGNALLED) break;
  }
  return worst;
}

/** A signal during the set-up ends the programs that the set-up started (see run.mjs) and releases its lock. */
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.once(signal, () => {
    if (process.listenerCount(signal) === 0) process.exit(signal === 'SIGINT' ? 130 : 143);
  });
}

bootstrap(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    process.stderr.write(`${sentenceFor(error, ROOT)}\n`);
    process.exitCode = 1;
  },
);
