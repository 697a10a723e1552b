import { type AmbientUse, readAmbientUses } from './read-ambient-uses.ts';

/** The only file that may read the environment; developers' programs have their own. */
const ENVIRONMENT_READER = 'src/platform/settings.ts';
/** Folders that only developers run. */
const OF_DEVELOPERS = [
  ...['test', 'scripts', 'bench'],
  ...['test', 'scorecard', 'bench', 'fuzz', 'openapi'].map((name) => `simulators/${name}`),
];
/** Folders whose code gets the time as a parameter. */
const CLOCKLESS = ['src/domain', 'workflows'];
/** Folders that never print, so that the command line and a web page can share them. */
const SILENT = ['src/domain', 'src/operator'];

const MAX_LINES = 400;

const SENTENCES: Readonly<Record<AmbientUse, string>> = {
  environment: 'may not read process.env',
  clock: 'may not read the clock',
  output: 'may not print',
  'computed import': 'may not import what no reader can see',
};

/** Test files. Their random values need a fixed seed, or chance would decide the result. */
const IS_TEST = /\.test\.ts$/;
const DRAWS = /^import .* from 'fast-check';$/m;

/**
 * Violations of one file: ambient inputs that should be parameters, random values without the common seed, and more than 400 lines; each as
 * `path:line what`. `path` is relative to the repository.
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
