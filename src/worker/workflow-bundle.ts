import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { bundleWorkflowCode, type Logger } from '@temporalio/worker';
import { hashOf, ROOT, SOURCES } from '../platform/build.ts';

/** What a package brings with it, bundled already. */
const PREPARED = join(ROOT, 'workflow-bundle.js');
const CACHE = join(ROOT, 'node_modules', '.cache', 'lockstep', 'workflows.js');

type Bundle = { readonly code: string };

type Options = {
  readonly logger: Logger;
  /** Where a bundle is that was made with the package. */
  readonly prepared?: string;
  /** Where the last bundle is kept. */
  readonly cache?: string;
  readonly bundle?: () => Promise<Bundle>;
};

/**
 * The workflows' code as a worker takes it. To bundle it takes seconds, and nothing else of a worker's start does: the last
 * bundle is kept, with the hash of all that it may rest on, and used where that is the same: of whatever workflows import, and of
 * whatever may import it, since too much only costs a bundle that would not have changed. A folder that cannot be
 * written costs the seconds, and nothing more. An installed package has its bundle with it.
 */
export async function workflowBundle({
  logger,
  prepared = PREPARED,
  cache = CACHE,
  bundle = () => bundled(logger),
}: Options): Promise<Bundle> {
  const brought = await readFile(prepared, 'utf8').catch(() => null);
  if (brought !== null) return { code: brought };
  const head = `// ${process.version} ${await hashOf(ROOT, SOURCES)}\n`;
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
