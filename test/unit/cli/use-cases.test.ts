import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';

/** Each use case that a verb runs has a test of its own, beside the tests of the command line. */

const ROOT = join(import.meta.dirname, '../../..');

const sources = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(ROOT, folder, name), 'utf8'));

const importsOf = (source: string): readonly string[] =>
  [...source.matchAll(/^import (?!type)[^;]*?from '[./]*\/(operator\/[\w/-]+\.ts)';$/gm)].map(([, path = '']) => path);

/** The files of use cases; their functions are asynchronous. */
const USED = [...new Set(sources('src/cli/commands').flatMap(importsOf))].filter((path) =>
  /^export async function/m.test(readFileSync(join(ROOT, 'src', path), 'utf8')),
);

it('a use case of each verb is tested', () => {
  expect(USED.length).toBeGreaterThan(20);
  const tests = sources('test').join('\n');
  const untested = USED.filter((path) => !tests.includes(`src/${path}'`));
  expect(
    untested.map((path) => `src/${path}: no test imports it: add test/unit/operator/${basename(path, '.ts')}.test.ts`),
  ).toEqual([]);
});
