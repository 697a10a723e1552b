import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { bundleWorkflowCode, type Logger } from '@temporalio/worker';
import { hashOf, ROOT, SOURCES } from '../platform/build.ts';

const CACHES = join(ROOT, 'node_modules', '.cache', 'lockstep');
/** What a package brings with it, bundled already, and where the last bundle is kept otherwise. */
const PLACES = {
  plain: { prepared: join(ROOT, 'workflow-bundle.js'), cache: join(CACHES, 'workflows.js') },
  traced: { prepared: join(ROOT, 'workflow-bundle-traced.js'), cache: join(CACHES, 'workflows-traced.js') },
};
/** Tells traces of a run; see `src/tracing`. */
const RUN_TRACE = join(ROOT, 'src', 'tracing', 'run-trace.ts');

type Bundle = { readonly code: string };

type Options = {
  readonly logger: Logger;
  /** Whether workflows tell traces of their runs. */
  readonly traced?: boolean;
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

/** In one step: another worker may read it, or write its own, at the same moment. */
async function keep(cache: string, text: string): Promise<void> {
  await mkdir(dirname(cache), { recursive: true });
  const draft = `${cache}.${process.pid}`;
  await writeFile(draft, text);
  await rename(draft, cache);
}
