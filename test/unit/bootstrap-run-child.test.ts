import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { setupPaths } from '../../scripts/setup/paths.mjs';
import { childEnvironment } from '../../scripts/setup/run-child.mjs';
import { temporaryFolder } from '../support/temporary-folder.ts';

const RUN_CHILD = join(import.meta.dirname, '..', '..', 'scripts', 'setup', 'run-child.mjs');

/** A process that hands over to a script of these lines; gives its exit code and what was printed. */
function parentOf(lines: string): {
  child: ReturnType<typeof spawn>;
  ended: Promise<[number | null, string]>;
} {
  const dir = temporaryFolder('lockstep-run-child');
  writeFileSync(join(dir, 'child.mjs'), lines);
  writeFileSync(
    join(dir, 'parent.mjs'),
    `import { runChild } from ${JSON.stringify(RUN_CHILD)};
     process.exitCode = await runChild(process.execPath, ['child.mjs'], { cwd: ${JSON.stringify(dir)}, env: process.env, channel: true });`,
  );
  const child = spawn(process.execPath, [join(dir, 'parent.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
  });
  const ended = new Promise<[number | null, string]>((resolve) => {
    child.once('close', (code) => resolve([code, text]));
  });
  return { child, ended };
}

function firstOutput(child: ReturnType<typeof spawn>): Promise<void> {
  return new Promise((resolve) => child.stdout?.once('data', () => resolve()));
}

describe('handing over', () => {
  it('keeps the exit code and the output', async () => {
    await expect(parentOf("console.log('hello'); process.exitCode = 64;").ended).resolves.toEqual([64, 'hello\n']);
  });

  it.each([['SIGINT'], ['SIGTERM']] as const)('passes %s on and waits for the orderly end', async (signal) => {
    const { child, ended } = parentOf(
      `process.once('${signal}', () => { console.log('got it'); process.exit(7); });
       setInterval(() => {}, 1000); console.log('ready');`,
    );
    await firstOutput(child);
    child.kill(signal);
    await expect(ended).resolves.toEqual([7, 'ready\ngot it\n']);
  });

  it('lets the other side notice that it was killed', async () => {
    const { child, ended } = parentOf(
      `process.once('disconnect', () => { console.log('alone'); process.exit(0); });
       setInterval(() => {}, 1000); console.log('ready');`,
    );
    await firstOutput(child);
    child.kill('SIGKILL');
    await expect(ended).resolves.toEqual([null, 'ready\nalone\n']);
  });

  it("puts the project's programs first on PATH and names the Temporal CLI", () => {
    const env = childEnvironment({ PATH: '/usr/bin' }, setupPaths('/p'), '/c/temporal');
    expect(env).toMatchObject({ PATH: '/p/node_modules/.bin:/usr/bin', TEMPORAL_CLI: '/c/temporal' });
  });

  it('has what Node compiles kept for all its processes, where nobody keeps it elsewhere', () => {
    const kept = (env: NodeJS.ProcessEnv) => childEnvironment(env, setupPaths('/p'), null)['NODE_COMPILE_CACHE'];
    expect(kept({})).toBe('/p/node_modules/.cache/node');
    expect(kept({ NODE_COMPILE_CACHE: '/elsewhere' })).toBe('/elsewhere');
  });
});
