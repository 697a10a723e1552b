import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';

/**
 * The unit tests of `src/domain` as one file, so that a mutant in a module-level table costs one start instead of one per file. Tests of
 * modules with few imports come first: they kill a mutant with the fewest calls.
 */
const ORDER = ['streams', 'values', 'record', 'lines', 'mapping', 'merge', 'base', 'evolve', 'loop', 'decide'];
const ROOT = join(import.meta.dirname, '..', '..');

const rank = (file: string): number => ORDER.findIndex((folder) => file.includes(`/${folder}/`));
const files = globSync('test/unit/domain/**/*.test.ts', { cwd: ROOT }).sort();

for (const file of files.sort((a, b) => rank(a) - rank(b))) {
  describe(file, () => import(join(ROOT, file)));
}
