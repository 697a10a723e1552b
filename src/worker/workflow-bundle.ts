import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, type Logger } from '@temporalio/worker';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Of whatever workflows import, and of whatever may import it: too much only costs a bundle that would not have changed. */
const SOURCES = ['workflows', 'src', 'temporal.config.ts', 'package.json', 'package-lock.json'];
const CACHE = join(ROOT, 'node_modules', '.cache', 'lockstep', 'workflows.js');

type Bundle = { readonly code: string };

type Options = {
  readonly logger: Logger;
  /** Where the last bundle is kept. */
  readonly cache?: string;
  readonly bundle?: () => Promise<Bundle>;
};

/**
 * The workflows' code as a worker takes it. To bundle it takes seconds, and nothing else of a worker's start does: the last
 * bundle is kept, with the hash of all that it may rest on, and used where that is the same. A folder that cannot be
 * written costs the seconds, and nothing more.
 */
export async function workflowBundle({
  logger,
  cache = CACHE,
  bundle = () => bundled(logger),
}: Options): Promise<Bundle> {
  const head = `// ${await hashOf(ROOT, SOURCES)}\n`;
  const kept = await readFile(cache, 'utf8').catch(() => '');
  if (kept.startsWith(head)) return { code: kept.slice(head.length) };
  const made = await bundle();
  await keep(cache, head + made.code).catch(() => undefined);
  return made;
}

function bundled(logger: Logger): Promise<Bundle> {
  return bundleWorkflowCode({ workflowsPath: join(ROOT, 'workflows', 'index.ts'), logger });
}

/** In one step: another worker may read it, or write its own, at the same moment. */
async function keep(cache: string, text: string): Promise<void> {
  await mkdir(dirname(cache), { recursive: true });
  const draft = `${cache}.${process.pid}`;
  await writeFile(draft, text);
  await rename(draft, cache);
}

/** Hash of the names and contents of these files and folders, and of Node's version; what does not exist counts as empty. */
export async function hashOf(root: string, names: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(process.version);
  for (const name of names) {
    const path = join(root, name);
    const inside = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => null);
    const files = inside
      ?.filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)) ?? [path];
    for (const file of files.toSorted()) {
      const content = await readFile(file).catch(() => '');
      hash.update(`\0${file.slice(root.length)}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest('hex');
}
