/**
 * `npm run generate`: writes every generated file. With `--check` it writes nothing, lists stale files, and exits with 1 if there are any.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../setup/paths.mjs';
import { scriptOptions } from '../setup/script-options.mjs';
import { GENERATED, textsOf } from './generated.ts';

const { check } = scriptOptions('generate');

const stale = GENERATED.flatMap((file) => {
  const { present, wanted } = textsOf(file);
  return present === wanted ? [] : [{ path: file.path, wanted }];
});
for (const { path, wanted } of stale) {
  if (!check) writeFileSync(join(ROOT, path), wanted);
  process.stdout.write(check ? `${path} is stale: npm run generate\n` : `Wrote ${path}\n`);
}
if (stale.length === 0) process.stdout.write(`All ${GENERATED.length} generated files are up to date\n`);
if (check && stale.length > 0) process.exitCode = 1;
