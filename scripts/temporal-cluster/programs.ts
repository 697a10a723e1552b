import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { processEnvironment } from '../../src/platform/settings.ts';
import { cacheBin } from '../setup/paths.mjs';
import { SetupProblem } from '../setup/problem.mjs';
import { run } from '../setup/run.mjs';

/** The release of the Temporal server that is built, with PostgreSQL's schema of the same release. */
export const RELEASE = 'v1.32.1';

const MODULE = 'go.temporal.io/server';
const PACKAGES = [`${MODULE}/cmd/server`, `${MODULE}/cmd/tools/sql`] as const;
const LIMIT_MS = 3_600_000;

/** Paths of the built programs, and of the folder with the schemas `temporal` and `visibility`. */
export type ServerPrograms = { readonly server: string; readonly sqlTool: string; readonly schema: string };

function programsIn(folder: string): ServerPrograms {
  return { server: join(folder, 'server'), sqlTool: join(folder, 'sql'), schema: join(folder, 'schema') };
}

/** Where the programs of `RELEASE` are, or will be after a build. */
export function serverPrograms(): ServerPrograms {
  return programsIn(join(dirname(cacheBin(processEnvironment())), `temporal-server-${RELEASE}`));
}

/**
 * Builds the server and its schema tool from Go's module proxy, once for this machine. Throws `SetupProblem`, one sentence with the repair, if
 * Go is missing or the build fails.
 */
export async function ensureServerPrograms(log: string, say: (line: string) => void): Promise<ServerPrograms> {
  const wanted = serverPrograms();
  if (existsSync(wanted.server)) return wanted;
  const target = dirname(wanted.server);
  mkdirSync(dirname(target), { recursive: true });
  const draft = mkdtempSync(`${target}.building-`);
  try {
    say(`building the Temporal server ${RELEASE} with Go; this takes some minutes and is done once`);
    await go(['-C', draft, 'mod', 'init', 'lockstep.example/temporal-server'], log, say);
    await go(['-C', draft, 'get', ...PACKAGES.map((name) => `${name}@${RELEASE}`)], log, say);
    await go(['-C', draft, 'build', '-o', `${draft}/`, ...PACKAGES], log, say);
    const source = await go(['-C', draft, 'list', '-m', '-f', '{{.Dir}}', MODULE], log, say);
    cpSync(join(source, 'schema', 'postgresql', 'v12'), programsIn(draft).schema, { recursive: true });
    // The rename is the last step, so a folder under its final name is complete.
    renameSync(draft, target);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return wanted;
}

/** Runs Go, and returns the last line of what it printed. */
async function go(args: readonly string[], log: string, say: (line: string) => void): Promise<string> {
  const tick = (seconds: number) => {
    if (seconds % 30 === 0) say(`  still building after ${seconds} s`);
  };
  const { code, output, missing } = await run('go', args, { log, limitMs: LIMIT_MS, tick });
  if (missing) throw new SetupProblem('The Temporal server is built with Go: install Go 1.26.8 or newer.');
  if (code !== 0) throw new SetupProblem(`The Temporal server could not be built; ${log} has Go's own words.`);
  return output.trim().split('\n').at(-1) ?? '';
}
