import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { bundleWorkflowCode, type Logger } from '@temporalio/worker';
import { hashOf, ROOT, SOURCES } from '../platform/build.ts';

const CACHES = join(ROOT, 'node_modules', '.cache', 'lockstep');
/** Places of workflow bundles: `prepared` is part of an installed package, `cache` is the last bundle built on this machine. */
const PLACES = {
  plain: { prepared: join(ROOT, 'workflow-bundle.js'), cache: join(CACHES, 'workflows.js') },
  traced: { prepared: join(ROOT, 'workflow-bundle-traced.js'), cache: join(CACHES, 'workflows-traced.js') },
};
/** The bundled interceptor that exports a workflow run's traces; see `src/tracing`. */
const RUN_TRACE = join(ROOT, 'src', 'tracing', 'run-trace.ts');

type Bundle = { readonly code: string };

type Options = {
  readonly logger: Logger;
  readonly traced?: boolean;
  readonly prepared?: string;
  readonly cache?: string;
  readonly bundle?: () => Promise<Bundle>;
};

/**
 * Returns the bundled workflow code for a worker. An installed package contains it; otherwise it is built, which takes seconds, and cached
 * until a source file changes.
 */
export async function workflowBundle({
  logger,
  traced = false,
  prepared = PLACES[traced ? 'traced' : 'plain'].prepared,
  cache = PLACES[traced ? 'traced' : 'plain'].cache,
  bundle = () => bundled(logger, traced),
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

function bundled(logger: Logger, traced: boolean): Promise<Bundle> {
  const workflowsPath = join(ROOT, 'workflows', 'index.ts');
  return bundleWorkflowCode({
    workflowsPath,
    logger,
    ...(traced ? { workflowInterceptorModules: [RUN_TRACE] } : {}),
  });
}

/** Saves the bundle in the cache. Writes a draft and renames it, because another worker may read or write the cache concurrently. */
async function keep(cache: string, text: string): Promise<void> {
  await mkdir(dirname(cache), { recursive: true });
  const draft = `${cache}.${process.pid}`;
  await writeFile(draft, text);
  await rename(draft, cache);
}
