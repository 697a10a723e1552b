import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { hashOf, ROOT, SOURCES } from '../platform/build.ts';

const CACHES = join(ROOT, 'node_modules', '.cache', 'lockstep');
/**
 * Where workflow bundles are found: `prepared` is part of an installed package, `cache` is the last bundle that was built on this machine.
 */
const PLACES = {
  plain: { prepared: join(ROOT, 'workflow-bundle.js'), cache: join(CACHES, 'workflows.js') },
  traced: { prepared: join(ROOT, 'workflow-bundle-traced.js'), cache: join(CACHES, 'workflows-traced.js') },
};
const BUNDLER = join(import.meta.dirname, 'bundle-workflows.ts');
const MOST_BYTES = 64 * 1_048_576;

const run = promisify(execFile);

type Bundle = { readonly code: string };

type Options = {
  readonly traced?: boolean;
  readonly prepared?: string;
  readonly cache?: string;
  readonly bundle?: () => Promise<Bundle>;
};

/**
 * The bundled code of the workflows for a worker. An installed package contains it; otherwise it is built, which takes seconds, and cached
 * until a source file changes.
 */
export async function workflowBundle({
  traced = false,
  prepared = PLACES[traced ? 'traced' : 'plain'].prepared,
  cache = PLACES[traced ? 'traced' : 'plain'].cache,
  bundle = () => bundled(traced),
}: Options = {}): Promise<Bundle> {
  const brought = await readFile(prepared, 'utf8').catch(() => null);
  if (brought !== null) return { code: brought };
  const head = `// ${process.version} ${await hashOf(ROOT, SOURCES)}\n`;
  const kept = await readFile(cache, 'utf8').catch(() => '');
  if (kept.startsWith(head)) return { code: kept.slice(head.length) };
  const made = await bundle();
  await keep(cache, head + made.code).catch(() => undefined);
  return made;
}

/**
 * Builds the bundle in another process, because the memory of the compiler would stay with the worker. That process gets no environment
 * variables.
 */
async function bundled(traced: boolean): Promise<Bundle> {
  const options = { env: {}, maxBuffer: MOST_BYTES };
  const { stdout } = await run(process.execPath, [BUNDLER, traced ? 'traced' : 'plain'], options);
  return { code: stdout };
}

/**
 * Stores the bundle in the cache: writes a temporary file and renames it, because another worker may read or write the cache at the same
 * time.
 */
async function keep(cache: string, text: string): Promise<void> {
  await mkdir(dirname(cache), { recursive: true });
  const draft = `${cache}.${process.pid}`;
  await writeFile(draft, text);
  await rename(draft, cache);
}
