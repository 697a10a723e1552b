import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../setup/paths.mjs';
import { exec, projectWith } from './npm.ts';

const GENERATOR = 'openapi-typescript@7.13.0';
/** The newest compiler version that the generator supports. */
const COMPILER = 'typescript@5.9.3';

/**
 * Generates types from the sandbox's OpenAPI document with another generator and compares them with the packed client's types. Rejects with
 * the compiler's output if they differ.
 */
export async function compareWithOpenApi(folder: string, tarball: string): Promise<string> {
  const cwd = await projectWith(folder, [GENERATOR, COMPILER, '@types/node@22', tarball]);
  const bin = (name: string): string => join(cwd, 'node_modules', '.bin', name);
  const document = join(ROOT, 'simulators', 'docs', 'vendor-sandbox.openapi.json');
  await exec(bin('openapi-typescript'), [document, '-o', join(cwd, 'vendor.ts')], { cwd });
  const comparison = readFileSync(join(import.meta.dirname, 'same-types.txt'), 'utf8');
  writeFileSync(join(cwd, 'same-types.ts'), comparison);
  const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', 'same-types.ts'];
  return (await exec(bin('tsc'), flags, { cwd })).stdout;
}
