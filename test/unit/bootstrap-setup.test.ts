import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ensureDependencies, npmCommand, wantedStamp } from '../../scripts/setup/dependencies.mjs';
import { cacheBin, ROOT, setupPaths } from '../../scripts/setup/paths.mjs';
import { SetupProblem, sentenceFor } from '../../scripts/setup/problem.mjs';
import { requireNode } from '../../scripts/setup/provision.mjs';
import { endLeftover, run } from '../../scripts/setup/run.mjs';
import { ensureTemporalCli, findTemporalCli, problemWith } from '../../scripts/setup/temporal-cli.mjs';
import { sha256Of } from '../../scripts/setup/temporal-release.mjs';
import { temporaryFolder } from '../support/temporary-folder.ts';

function folder(): string {
  return temporaryFolder('lockstep-setup');
}

/** A program that answers `--version` like the Temporal CLI. */
function fakeTemporal(dir: string, says: string): string {
  mkdirSync(dir, { recursive: true });
  const file = join(dir, 'temporal');
  writeFileSync(file, `#!/bin/sh\necho "${says}"\n`);
  chmodSync(file, 0o755);
  return file;
}

const GOOD = 'temporal version 1.9.1 (Server 1.32.0, UI 2.54.1)';
const OLD = 'temporal version 1.1.0 (Server 1.25.0, UI 2.30.0)';

describe('npm, while the dependencies are installed again', () => {
  const program = (...parts: readonly string[]): string => {
    const file = join(...(parts as [string]));
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, '');
    return file;
  };

  it('is run by a Node that is none of them, wherever they stand first on the PATH', () => {
    const root = folder();
    const modules = join(root, 'node_modules');
    const name = basename(process.execPath);
    const own = program(modules, '.bin', name);
    const systems = program(root, 'usr', name);
    const script = program(root, 'npm-cli.js');
    const env = {
      ...{ npm_execpath: script, npm_node_execpath: own },
      PATH: [join(modules, '.bin'), join(root, 'usr')].join(delimiter),
    };
    expect(npmCommand(env, modules)).toEqual({ command: systems, args: [script] });
    expect(npmCommand(env)).toEqual({ command: own, args: [script] });
    expect(npmCommand({ ...env, npm_node_execpath: systems }, modules).command).toBe(systems);
    expect(npmCommand({ ...env, PATH: join(modules, '.bin') }, modules).command).toBe(own);
  });
});

describe('the Temporal CLI', () => {
  const quiet = () => {};
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  beforeEach(() => lines.splice(0));

  it.each([
    [GOOD, null],
    [OLD, 'has server 1.25, older than 1.30'],
    ['hello', 'does not show its server version'],
  ])('"%s" is judged', (says, problem) => {
    expect(problemWith(fakeTemporal(folder(), says))).toBe(problem);
  });

  it('that does not run is no use', () => {
    const file = fakeTemporal(folder(), GOOD);
    chmodSync(file, 0o644);
    expect(problemWith(file)).toBe('does not run');
  });

  it('is taken from TEMPORAL_CLI before PATH, and from PATH before the provisioned copy', () => {
    const root = folder();
    const paths = setupPaths(root);
    const named = fakeTemporal(join(root, 'named'), GOOD);
    const onPath = fakeTemporal(join(root, 'path'), GOOD);
    const env = { XDG_CACHE_HOME: join(root, 'cache'), PATH: join(root, 'path') };
    const copy = fakeTemporal(cacheBin(env), GOOD);
    const find = (more: object) => findTemporalCli(paths, { ...env, ...more }, say, sha256Of(copy));
    expect([find({ TEMPORAL_CLI: named }), find({}), find({ PATH: '' })]).toEqual([named, onPath, copy]);
    expect(lines).toEqual([
      `using ${GOOD}, which TEMPORAL_CLI names: ${named}`,
      `using ${GOOD}, found on the PATH: ${onPath}`,
    ]);
  });

  it('on PATH is passed over, and said so, when it is too old', () => {
    const root = folder();
    const env = { XDG_CACHE_HOME: join(root, 'cache'), PATH: join(root, 'path') };
    fakeTemporal(join(root, 'path'), OLD);
    expect(findTemporalCli(setupPaths(root), env, say)).toBe(null);
    expect(lines).toEqual([expect.stringContaining('has server 1.25')]);
  });

  it('that TEMPORAL_CLI names must work: anything else is refused with what to do', () => {
    const env = { TEMPORAL_CLI: fakeTemporal(folder(), OLD) };
    expect(() => findTemporalCli(setupPaths(folder()), env, quiet)).toThrow(/unset it to have one provisioned/);
  });

  it('cannot be had without Python: one sentence says so, and nothing half-made stays', async () => {
    const root = folder();
    const paths = { ...setupPaths(root), node: join(root, 'no-node') };
    const env = { XDG_CACHE_HOME: join(root, 'cache'), PATH: '' };
    const before = process.env['PATH'];
    process.env['PATH'] = root;
    try {
      await expect(ensureTemporalCli(paths, env, quiet)).rejects.toThrow(/python3 was not found/);
    } finally {
      process.env['PATH'] = before;
    }
    expect(findTemporalCli(paths, env, quiet)).toBe(null);
  });
});

describe('the dependencies', () => {
  /** A project whose lock file names one package, which is installed. */
  function project(): ReturnType<typeof setupPaths> {
    const paths = setupPaths(folder());
    const packages = { '': {}, 'node_modules/one': { version: '1.0.0' } };
    writeFileSync(join(paths.root, 'package-lock.json'), JSON.stringify({ packages }));
    mkdirSync(join(paths.modules, 'one'), { recursive: true });
    writeFileSync(join(paths.modules, 'one', 'package.json'), '{}');
    writeFileSync(join(paths.modules, '.package-lock.json'), JSON.stringify({ packages }));
    return paths;
  }

  it('of a finished install are stamped, not installed again', async () => {
    const paths = project();
    const lines: string[] = [];
    await ensureDependencies(paths, (line) => lines.push(line));
    expect(readFileSync(paths.stamp, 'utf8')).toBe(wantedStamp(paths));
    expect(lines).toEqual([]);
  });

  it.each([
    ['the lock file moved on', (root: string) => writeFileSync(join(root, 'package-lock.json'), lockOf('2.0.0'))],
    ['a package is gone', (root: string) => rmSync(join(root, 'node_modules', 'one'), { recursive: true })],
    ['npm did not finish', (root: string) => rmSync(join(root, 'node_modules', '.package-lock.json'))],
  ])('are installed again when %s; a failure is one sentence and leaves no stamp', async (_, change) => {
    const paths = project();
    change(paths.root);
    writeFileSync(paths.stamp, 'an earlier stamp');
    const before = { execpath: process.env['npm_execpath'], path: process.env['PATH'] };
    process.env['npm_execpath'] = '';
    process.env['PATH'] = paths.root;
    try {
      await expect(ensureDependencies(paths, () => {})).rejects.toThrow(/npm was not found/);
    } finally {
      process.env['npm_execpath'] = before.execpath ?? '';
      process.env['PATH'] = before.path;
    }
    expect(() => readFileSync(paths.stamp)).toThrow();
  });

  it('are installed again by a set-up that runs on the Node among them, as npm starts it after an upgrade', () => {
    const paths = project();
    writeFileSync(join(paths.root, 'package-lock.json'), lockOf('2.0.0'));
    const node = join(paths.modules, 'node');
    copyFileSync(process.execPath, node);
    chmodSync(node, 0o755);
    const npm = join(paths.root, 'npm-cli.js');
    writeFileSync(npm, `require('node:fs').mkdirSync(${JSON.stringify(paths.modules)})`);
    const [dependencies, places] = ['dependencies.mjs', 'paths.mjs'].map((file) =>
      JSON.stringify(join(ROOT, 'scripts', 'setup', file)),
    );
    const setUp = `const { ensureDependencies } = await import(${dependencies}); const { setupPaths } = await import(${places});
      await ensureDependencies(setupPaths(${JSON.stringify(paths.root)}), () => {});`;
    const env = { ...process.env, npm_execpath: npm, npm_node_execpath: process.execPath };
    execFileSync(node, ['--input-type=module', '-e', setUp], { env, stdio: 'pipe' });
    expect(readFileSync(paths.stamp, 'utf8')).toBe(wantedStamp(paths));
  });

  function lockOf(version: string): string {
    return JSON.stringify({ packages: { '': {}, 'node_modules/one': { version } } });
  }
});

describe('what a user reads when set-up fails', () => {
  it('names the version that is too old', () => {
    expect(() => requireNode('18.20.0')).toThrow(/Node 18.20.0 is too old: install Node 20 or newer/);
    expect(() => requireNode('20.0.0')).not.toThrow();
  });

  it.each([
    [new SetupProblem('Do this.'), 'Do this.'],
    [Object.assign(new Error('x'), { code: 'ENOSPC', path: '/a' }), /at \/a: the disk is full/],
    [Object.assign(new Error('x'), { code: 'EACCES' }), /at \/place: it may not be written/],
    [new Error('odd'), 'Set-up failed: odd'],
  ])('is one sentence for %s', (error, sentence) => {
    const text = sentenceFor(error, '/place');
    expect(text).toMatch(sentence);
    expect(text).not.toContain('\n');
  });
});

describe('a program that is run out of sight', () => {
  it('ends, with what it started, when it makes no progress', async () => {
    const log = join(folder(), 'log');
    const result = await run('sh', ['-c', 'sleep 600 & sleep 600'], {
      log,
      limitMs: 600_000,
      stallMs: 1,
      measure: () => 0,
    });
    expect(result).toMatchObject({ code: -1, timedOut: true });
  });

  it('leaves its output in the log and in the result', async () => {
    const log = join(folder(), 'log');
    const result = await run('sh', ['-c', 'echo out; echo err >&2; exit 3'], { log, limitMs: 10_000 });
    expect(result).toMatchObject({ code: 3, output: expect.stringMatching(/out[\s\S]*err|err[\s\S]*out/) });
    expect(readFileSync(log, 'utf8')).toContain('out');
  });

  it('is ended by the next set-up when its own was killed', async () => {
    const log = join(folder(), 'log');
    const running = run('sh', ['-c', 'echo started; sleep 600'], { log, limitMs: 60_000 });
    await vi.waitFor(() => expect(readFileSync(`${log}.pid`, 'utf8')).toContain('sleep 600'));
    endLeftover(log);
    await expect(running).resolves.toMatchObject({ code: -1, timedOut: false });
  });

  it('that does not exist is reported as missing', async () => {
    const result = await run('no-such-program-here', [], { log: join(folder(), 'log'), limitMs: 10_000 });
    expect(result.missing).toBe(true);
  });
});
