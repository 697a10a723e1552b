import { writeSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

const STDOUT = 1;

export type Counts = { readonly passed: number; readonly failed: number };

/** Counts tests; a file that could not be run at all, and an error outside every test, each count as one failure. */
export function countTests(modules: readonly TestModule[], errorsOutside: number): Counts {
  let passed = 0;
  let failed = errorsOutside;
  for (const module of modules) {
    if (module.errors().length > 0) failed += 1;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') passed += 1;
      if (state === 'failed') failed += 1;
    }
  }
  return { passed, failed };
}

/** Ends a run's output with `N passed, N failed` alone on a line, for programs that read it. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = countTests(modules, errors.length);
    // After the summary of the default reporter, and written at once: the process ends soon.
    process.once('exit', () => writeSync(STDOUT, `${counts.passed} passed, ${counts.failed} failed\n`));
  }
}
