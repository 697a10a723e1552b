/**
 * `npm run lint:openapi`: holds the sandbox's OpenAPI documents, the open one and the strict ones, to three linters, with
 * all their recommended rules and without a warning. The linters come from npm and PyPI into `.lockstep/`. Ends with 1 on
 * a finding, and where a registry does not answer; the last line is the verdict.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectWith } from '../../scripts/package/try/npm.ts';
import { installPythonPackage } from '../../scripts/python-package.ts';
import { ROOT } from '../../scripts/setup/paths.mjs';
import { openApiDocument } from '../src/vendor/openapi/document.ts';
import { DEFAULT_KEY_HEADER } from '../src/vendor/options.ts';

const HOME = join(ROOT, '.lockstep', 'openapi-linters');
const REDOCLY = { name: '@redocly/cli', version: '2.77.0', program: 'redocly' };
const SPECTRAL = { name: '@stoplight/spectral-cli', version: '6.16.3', program: 'spectral' };
const VALIDATOR = { name: 'openapi-spec-validator', version: '0.9.0' };
const RULES = 'spectral.yaml';

/** How a linter is run on a document. */
type Run = {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
};

type Linter = {
  readonly name: string;
  /** Gets the linter; the document follows the command. Rejects where its registry does not answer. */
  readonly prepare: () => Promise<Run>;
};

/** A linter of npm's. It is not to ask home for a newer version of itself. */
function fromNpm({ name, version, program }: typeof REDOCLY, args: readonly string[]): Linter {
  const env = { REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', REDOCLY_TELEMETRY: 'off' };
  return {
    name: `${name} ${version}`,
    prepare: async () => {
      const folder = await projectWith(join(HOME, program), [`${name}@${version}`]);
      const file = join(folder, 'node_modules', '.bin', program);
      return { command: [process.execPath, file, 'lint', ...args], env };
    },
  };
}

const LINTERS: readonly Linter[] = [
  fromNpm(REDOCLY, ['--extends', 'recommended-strict']),
  fromNpm(SPECTRAL, ['--ruleset', RULES, '--fail-severity', 'hint']),
  {
    name: `${VALIDATOR.name} ${VALIDATOR.version}`,
    prepare: async () => {
      const { python, folder } = installPythonPackage(HOME, VALIDATOR.name, VALIDATOR.version);
      return { command: [python, '-m', 'openapi_spec_validator'], env: { PYTHONPATH: folder } };
    },
  },
];

/** The documents under test, by the name of their file. */
function writeDocuments(): readonly string[] {
  mkdirSync(HOME, { recursive: true });
  writeFileSync(join(HOME, RULES), 'extends: ["spectral:oas"]\n');
  return ([null, 'v0', 'v1'] as const).map((strict) => {
    const file = strict === null ? 'open.openapi.json' : `strict-${strict}.openapi.json`;
    const options = { keyHeader: DEFAULT_KEY_HEADER, origin: 'http://127.0.0.1:4010', strict };
    writeFileSync(join(HOME, file), JSON.stringify(openApiDocument(options), null, 2));
    return file;
  });
}

/** How many of the documents a linter finds clean; null where it could not be had. */
async function lint({ name, prepare }: Linter, documents: readonly string[]): Promise<number | null> {
  const run = await prepare().catch((error: Error) => {
    process.stdout.write(`${name}: not run, for its registry did not give it: ${error.message}\n`);
    return null;
  });
  if (run === null) return null;
  const [program = '', ...args] = run.command;
  const env = { ...process.env, ...run.env };
  const clean = documents.filter((document) => {
    const result = spawnSync(program, [...args, document], { cwd: HOME, env, encoding: 'utf8' });
    const said = result.status === 0 ? 'clean' : `\n${result.stdout}${result.stderr}`;
    process.stdout.write(`${name}, ${document}: ${said}\n`);
    return result.status === 0;
  });
  return clean.length;
}

const documents = writeDocuments();
const found: (number | null)[] = [];
for (const linter of LINTERS) found.push(await lint(linter, documents));
const missing = found.filter((clean) => clean === null).length;
const unclean = found.filter((clean) => clean !== null && clean < documents.length).length;
process.stdout.write(
  `lint:openapi: ${LINTERS.length - missing} of ${LINTERS.length} linters ran, ${unclean} found something.\n`,
);
process.exitCode = missing + unclean === 0 ? 0 : 1;
