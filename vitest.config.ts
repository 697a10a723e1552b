import { pathToFileURL } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The folder says how fast a test is: its time limit goes with it. The simulators' tests are beside them, in folders of the same names. */
function project(name: string, testTimeoutMs: number, more: object = {}) {
  return {
    extends: true as const,
    test: {
      name,
      include: [`test/${name}/**/*.test.ts`, `simulators/test/${name}/**/*.test.ts`],
      testTimeout: testTimeoutMs,
      hookTimeout: Math.max(testTimeoutMs, 60_000),
      ...more,
    },
  };
}

/**
 * As in production: Node itself loads the modules. Vitest's own loader makes each use of an import a call: a quarter of the time of
 * `engine-rounds`, which only decides. Of `vi.mock` Node's loader knows little, so these projects replace only `@temporalio/workflow`.
 */
const LOADED_BY_NODE = {
  experimental: { viteModuleRunner: false },
  execArgv: ['--import', pathToFileURL(`${import.meta.dirname}/test/support/engine/workflows-on-runtime.ts`).href],
};

/** Test files share a process, because loading the modules again for each file takes most of the time of a short file. */
const IN_ONE_PROCESS = { isolate: false };

export default defineConfig({
  test: {
    // The programs under test may set signal handlers and start children: that needs processes, not threads.
    pool: 'forks',
    maxWorkers: 2,
    // One PostgreSQL for all files that ask for it.
    globalSetup: ['./test/support/ledger/postgres-global.ts'],
    // What fails, and a line a project; `--reporter=verbose` prints every test.
    reporters: ['./test/support/quiet-reporter.ts', './test/support/count-reporter.ts'],
    projects: [
      project('unit', 20_000, IN_ONE_PROCESS),
      project('alone', 20_000),
      project('property', 60_000, LOADED_BY_NODE),
      project('contract', 60_000, { ...LOADED_BY_NODE, ...IN_ONE_PROCESS }),
      project('attack', 60_000),
      project('replay', 60_000),
      project('e2e', 300_000),
      // Writes files, so it runs only when it is asked for.
      ...(process.argv.includes('record') ? [project('record', 300_000)] : []),
    ],
  },
});
