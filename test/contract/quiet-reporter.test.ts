import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { processEnvironment } from '../../src/platform/settings.ts';

const ROOT = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'lockstep-quiet-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const REPORTERS = ['quiet-reporter.ts', 'count-reporter.ts'].map((name) => join(ROOT, 'test/support', name));
/** It writes directly and through a process under test. */
const TESTS = `
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('writes', () => {
  process.stdout.write('noise of the test\\n');
  spawnSync(process.execPath, ['-e', 'console.log("noise of a process")'], { stdio: 'inherit' });
});
it('ends', () => expect(process.env.ENDS).toBe('well'));
`;

function outputOf(ends: string): string {
  rmSync(join(folder, 'node_modules'), { force: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'a.test.mjs'), TESTS);
  const config = { test: { include: ['a.test.mjs'], pool: 'forks', reporters: REPORTERS } };
  writeFileSync(join(folder, 'vitest.config.mjs'), `export default ${JSON.stringify(config)};`);
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const env = { ...processEnvironment(), ENDS: ends, NO_COLOR: '1' };
  const run = spawnSync(process.execPath, [vitest, 'run', '--root', folder], { env, encoding: 'utf8' });
  return run.stderr + run.stdout;
}

it('a run that passes prints a line a project and the verdict', () => {
  const lines = outputOf('well').trimEnd().split('\n');
  expect(lines.at(-1)).toBe('2 passed, 0 failed');
  expect(lines.filter((line) => line.includes('2 passed in 1 file'))).toHaveLength(1);
  expect(lines.join('\n')).not.toMatch(/^noise|✓/m);
});

it('a run that fails prints what failed, and names the file of all that was written', () => {
  const printed = outputOf('badly');
  expect(printed).toMatch(/FAIL .*a\.test\.mjs > ends/);
  expect(printed).not.toMatch(/^noise/m);
  const [, file = ''] = /processes wrote: (\S+)/.exec(printed) ?? [];
  const written = readFileSync(file, 'utf8');
  expect(written).toMatch(/=== a\.test\.mjs begins/);
  expect(written).toContain('noise of the test');
  expect(written).toContain('noise of a process');
  rmSync(file);
});
