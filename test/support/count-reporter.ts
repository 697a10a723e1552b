import { writeSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

const STDOUT = 1;

export type Counts = { readonly passed: number; readonly failed: number };

/** Counts tests. A file that could not run and an error outside all tests each count as a failure. */
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

/** Prints `N passed, N failed` on the last line of a run, for programs that read the output. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = countTests(modules, errors.length);
    // Printed after the default reporter's summary, and synchronously, because the process ends soon.
    process.once('exit', () => writeSync(STDOUT, `${counts.passed} passed, ${counts.failed} failed\n`));
  }
}
