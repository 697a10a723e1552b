import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../setup/paths.mjs';
import { allExamples } from '../examples.mjs';
import { programOfMistakes } from '../mistakes.ts';

/** A kind of user project: how its compiler resolves modules, and which module type Node assumes. */
export type ProjectKind = {
  readonly name: string;
  readonly type: 'module' | 'commonjs';
  readonly compilerOptions: Readonly<Record<string, string>>;
};

const NODENEXT = { module: 'nodenext', moduleResolution: 'nodenext' };

export const PROJECT_KINDS: readonly ProjectKind[] = [
  { name: 'nodenext', type: 'module', compilerOptions: NODENEXT },
  { name: 'commonjs', type: 'commonjs', compilerOptions: NODENEXT },
  { name: 'bundler', type: 'module', compilerOptions: { module: 'esnext', moduleResolution: 'bundler' } },
];

/** The compiled file of a project that is run. */
export const PROGRAM = 'out/all-operations.js';

const IMPORT = /'[^']*src\/partner-api\/index\.ts'/;

/** Creates a project of this kind inside `home`, where the package is installed. Returns its folder. */
export function layOut(home: string, { name, type, compilerOptions }: ProjectKind): string {
  const folder = join(home, name);
  const operations = readFileSync(join(ROOT, 'scripts', 'package', 'all-operations.ts'), 'utf8');
  const readme = readFileSync(join(home, 'node_modules', 'lockstep', 'README.md'), 'utf8');
  const strict = { strict: true, skipLibCheck: false, target: 'es2022', types: ['node'] };
  const files: Readonly<Record<string, string>> = {
    'package.json': JSON.stringify({ private: true, type }),
    'tsconfig.json': JSON.stringify({
      compilerOptions: { ...strict, ...compilerOptions, rootDir: 'src', outDir: 'out' },
      include: ['src'],
    }),
    'src/all-operations.ts': operations.replace(IMPORT, "'lockstep/partner-api'"),
    'src/mistakes.ts': programOfMistakes('lockstep/partner-api'),
    // A CommonJS file cannot use top-level await, which the examples use.
    ...(type === 'module' && { 'src/examples.ts': allExamples(readme) }),
  };
  mkdirSync(join(folder, 'src'), { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return folder;
}
