/**
 * Who may import whom. A folder may import itself and what stands here; `npm run check` refuses the rest, and every
 * circle of imports, types included. Read by dependency-cruiser.
 */

/**
 * @typedef {object} Layer
 * @property {string} folder
 * @property {readonly string[]} ours what of this repository it may import: folders, or single files
 * @property {readonly string[]} [types] what of this repository besides, in `import type` alone
 * @property {readonly string[]} [packages] npm packages by name or scope (`@temporalio/`), and `node:` for what comes
 *   with Node; absent: any
 */

/** Names and types of messages only: clients need them, and it holds no workflow. */
const MESSAGES = 'workflows/messages.ts';
const CONFIG = 'temporal.config.ts';
/** What the simulators' package offers to programs, and what it offers to tests besides. */
const SIMULATORS = 'simulators/src/index.ts';
const SIMULATOR_ENTRIES = [
  SIMULATORS,
  'simulators/test/support/index.ts',
  'simulators/src/vendor-fields/index.ts',
  'simulators/generated-pages.ts',
];
/** A port is its types and its errors: who adapts one has to tell its failures apart (decision 0013). */
export const PORT_ERRORS = ['src/partner-api/index.ts', 'src/salesforce/errors.ts', 'src/ledger/ledger-error.ts'];

/**
 * CONTRIBUTING.md draws them.
 * @type {readonly Layer[]}
 */
export const LAYERS = [
  { folder: 'src/domain', ours: [], packages: ['decimal.js'] },
  { folder: CONFIG, ours: [], packages: ['@temporalio/common'] },
  { folder: 'src/mirror', ours: ['src/domain'], types: ['src/partner-api'], packages: ['decimal.js'] },
  {
    folder: 'workflows',
    ours: ['src/domain', CONFIG],
    types: ['activities'],
    packages: ['@temporalio/workflow', '@temporalio/common'],
  },
  {
    folder: 'activities',
    ours: ['src/domain', 'src/mirror', 'src/observe', CONFIG, ...PORT_ERRORS],
    types: ['src'],
    packages: ['@temporalio/activity', '@temporalio/common', 'node:'],
  },
  { folder: 'src/partner-api', ours: [] },
  { folder: 'src/platform', ours: ['src/domain', CONFIG] },
  { folder: 'src/salesforce', ours: ['src/domain', 'src/platform', 'src/partner-api/json-bounds.ts'] },
  { folder: 'src/ledger', ours: ['src/domain', 'src/platform'] },
  {
    folder: 'src/tracing',
    ours: ['src/platform'],
    packages: ['@opentelemetry/', '@temporalio/', 'prom-client', 'node:'],
  },
  { folder: 'src/observe', ours: ['src/domain', ...PORT_ERRORS], types: ['src'], packages: [] },
  {
    folder: 'src/intake',
    ours: ['src/domain', 'src/platform', CONFIG, MESSAGES],
    types: ['src/ledger', 'src/tracing'],
  },
  { folder: 'src/notices', ours: ['src/domain', 'src/platform'], types: ['src/ledger'] },
  {
    folder: 'src/operator',
    ours: ['src/domain', 'src/mirror', 'src/observe', 'src/platform', 'src/ledger', 'src/intake', CONFIG, MESSAGES],
    types: ['src/partner-api', 'src/salesforce', 'src/notices'],
  },
  {
    folder: 'src/console',
    ours: ['src/domain', 'src/operator', 'src/platform', 'src/ledger', 'src/intake'],
    types: ['src/salesforce', 'src/notices'],
  },
  {
    folder: 'src/webhooks',
    ours: ['src/domain', 'src/platform', 'src/ledger', 'src/intake', CONFIG, MESSAGES],
    types: ['src/tracing'],
  },
  {
    folder: 'src/worker',
    ours: [
      'activities',
      'src/domain',
      'src/platform',
      'src/partner-api',
      'src/salesforce',
      'src/ledger',
      'src/intake',
      'src/tracing',
      CONFIG,
    ],
  },
  // A simulator must not share the mistakes of what is tested against it.
  { folder: 'simulators/src', ours: [] },
  { folder: 'simulators/src/vendor-fields', ours: [] },
  { folder: 'simulators/src/core', ours: [] },
  { folder: 'simulators/src/vendor', ours: ['simulators/src/core', 'simulators/src/vendor-fields'] },
  { folder: 'simulators/src/salesforce', ours: ['simulators/src/core'] },
  { folder: 'simulators', ours: ['scripts'] },
  { folder: 'simulators/test', ours: ['simulators'] },
  { folder: 'src/cli', ours: ['src', CONFIG, MESSAGES] },
  {
    folder: 'playground',
    ours: ['src/domain', 'src/platform', 'src/ledger', 'src/cli', SIMULATORS, CONFIG],
  },
];

/** The folders of `src/domain`: each imports only itself and those before it. */
export const DOMAIN_ORDER = [
  'record',
  'values',
  'lines',
  'mapping',
  'merge',
  'base',
  'decide',
  'evolve',
  'loop',
  'streams',
  'audit',
  'backfill',
  'notices',
];

/**
 * The rooms of `src/ledger`, and which others each imports: `core` is shared, the rest knows as few as it can. `open.ts` spreads them.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const LEDGER_ROOMS = {
  core: [],
  links: ['core'],
  plans: ['core', 'links'],
  streams: ['core'],
  queue: ['core', 'links', 'streams'],
  mirror: ['core', 'streams'],
  quota: ['core'],
  tenants: ['core'],
  backfill: ['core', 'links', 'streams', 'queue'],
  undo: ['core', 'links', 'streams', 'queue'],
  upkeep: ['core', 'links'],
  stats: ['core', 'links', 'streams', 'queue', 'mirror', 'quota', 'upkeep'],
  migrations: ['core'],
  actions: ['core'],
  console: ['core'],
  notices: ['core'],
  roles: ['core'],
};

const OUR_FILES = '^(activities|bench|playground|scripts|simulators|src|test|workflows)/|^temporal\\.config\\.ts$';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circles',
      comment: 'Move what both need to a file of its own, so that imports lead one way.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    ...LAYERS.flatMap(rulesOf),
    ...['bench', 'scripts', 'test'].map(entryRule),
    ...DOMAIN_ORDER.map(orderRule),
    ...Object.entries(LEDGER_ROOMS).map(roomRule),
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    // The simulators are imported by the name of their package, which leads to its folder.
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};

/**
 * @param {Layer} layer
 * @returns {import('dependency-cruiser').IForbiddenRuleType[]}
 */
function rulesOf({ folder, ours, types = [], packages }) {
  const own = [folder, ...ours].map(patternOf);
  const typed = types.map(patternOf);
  const rules = [ruleOf(`${folder}: folders`, folder, { path: OUR_FILES, pathNot: [...own, ...typed] })];
  if (typed.length > 0) {
    const to = { path: typed, pathNot: own, dependencyTypesNot: ['type-only'] };
    rules.push(ruleOf(`${folder}: types only`, folder, to));
  }
  if (packages !== undefined) {
    const builtIn = packages.includes('node:') ? ['core'] : [];
    const to = { pathNot: [OUR_FILES, ...packages.map(packagePattern)], dependencyTypesNot: builtIn };
    rules.push(ruleOf(`${folder}: packages`, folder, to));
  }
  return rules;
}

/**
 * @param {string} folder
 * @param {number} index
 * @returns {import('dependency-cruiser').IForbiddenRuleType}
 */
function orderRule(folder, index) {
  const earlier = DOMAIN_ORDER.slice(0, index + 1).map((name) => patternOf(`src/domain/${name}`));
  const to = { path: '^src/domain/', pathNot: earlier };
  return ruleOf(`src/domain: what ${folder} comes after`, `src/domain/${folder}`, to);
}

/**
 * @param {[room: string, others: readonly string[]]} entry
 * @returns {import('dependency-cruiser').IForbiddenRuleType}
 */
function roomRule([room, others]) {
  const allowed = [room, ...others].map((name) => patternOf(`src/ledger/${name}`));
  const to = { path: '^src/ledger/', pathNot: [...allowed, patternOf('src/ledger/ledger-error.ts')] };
  return ruleOf(`src/ledger: what ${room} may know`, `src/ledger/${room}`, to);
}

/**
 * Of the simulators, what is no part of them takes what their package exports.
 * @param {string} folder
 * @returns {import('dependency-cruiser').IForbiddenRuleType}
 */
function entryRule(folder) {
  const to = { path: '^simulators/', pathNot: SIMULATOR_ENTRIES.map(patternOf) };
  return ruleOf(`${folder}: entries of the simulators`, folder, to);
}

/**
 * @param {string} name
 * @param {string} folder
 * @param {object} to
 * @returns {import('dependency-cruiser').IForbiddenRuleType}
 */
function ruleOf(name, folder, to) {
  return { name, severity: 'error', from: { path: patternOf(folder) }, to };
}

/** @param {string} path a folder, or a file by its ending */
function patternOf(path) {
  const escaped = path.replaceAll('.', '\\.');
  return path.endsWith('.ts') ? `^${escaped}$` : `^${escaped}/`;
}

/** @param {string} name */
function packagePattern(name) {
  return `(^|/)node_modules/${name.replaceAll('.', '\\.')}${name.endsWith('/') ? '' : '/'}`;
}
