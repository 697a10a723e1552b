import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** Prints how many modules a program has loaded when it ends. */
const COUNTER = `data:text/javascript,
import { registerHooks } from 'node:module';
let count = 0;
registerHooks({ load: (url, context, next) => { count += 1; return next(url, context); } });
process.on('exit', () => process.stderr.write('modules ' + count));`;

function modulesOf(...args: readonly string[]): number {
  const program = join(ROOT, 'src', 'cli', 'connector-main.ts');
  const { stderr, status } = spawnSync(process.execPath, ['--import', COUNTER.replaceAll('\n', ''), program, ...args], {
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  return Number(/modules (\d+)$/.exec(stderr)?.[1]);
}

// All verbs together load more than 2,000 modules.
it.each([
  [['--help'], 150],
  [['status', '--help'], 700],
  [['completion', 'bash'], 2_500],
])('%j loads no more modules than it needs', (args, most) => {
  const count = modulesOf(...args);
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThan(most);
});
