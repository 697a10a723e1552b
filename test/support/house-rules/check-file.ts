import { type AmbientUse, readAmbientUses } from './read-ambient-uses.ts';

/** The one file that reads the environment; what only developers run has its own. */
const ENVIRONMENT_READER = 'src/platform/settings.ts';
/** Folders that only developers run. */
const OF_DEVELOPERS = [
  ...['test', 'scripts', 'bench'],
  ...['test', 'scorecard', 'bench', 'fuzz', 'openapi'].map((name) => `simulators/${name}`),
];
/** Folders whose logic is told the time. */
const CLOCKLESS = ['src/domain', 'workflows'];
/** Folders whose callers print, so that a command line and a web page can share them. */
const SILENT = ['src/domain', 'src/operator'];

const MAX_LINES = 400;

const SENTENCES: Readonly<Record<AmbientUse, string>> = {
  environment: 'may not read process.env',
  clock: 'may not read the clock',
  output: 'may not print',
  'computed import': 'may not import what no reader can see',
};

/** A test whose values were drawn anew each time would judge a change by luck. */
const IS_TEST = /\.test\.ts$/;
const DRAWS = /^import .* from 'fast-check';$/m;

/**
 * What one file takes that it should be given, values without the seed of all tests, and a length above 400 lines; each as `path:line
 * what`. `path` is relative to the repository.
 */
export function checkFile(path: string, source: string): readonly string[] {
  const broken = readAmbientUses(source)
    .filter(({ use }) => isForbidden(path, use))
    .map(({ use, line }) => `${path}:${line} ${SENTENCES[use]}`);
  const lines = source.trimEnd().split('\n').length;
  return [
    ...broken,
    ...(IS_TEST.test(path) && DRAWS.test(source)
      ? [`${path}:1 draws values without a seed: import fc from support/properties.ts`]
      : []),
    ...(lines > MAX_LINES ? [`${path}:${MAX_LINES} has ${lines} lines`] : []),
  ];
}

function isForbidden(path: string, use: AmbientUse): boolean {
  const isWithin = (folders: readonly string[]) => folders.some((folder) => path.startsWith(`${folder}/`));
  if (use === 'clock') return isWithin(CLOCKLESS);
  if (use === 'output') return isWithin(SILENT);
  if (use === 'environment') return path !== ENVIRONMENT_READER && !isWithin(OF_DEVELOPERS);
  return isWithin(['src/domain', 'workflows', 'activities']);
}
