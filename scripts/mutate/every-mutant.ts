import { inject, type RunnerTestCase, TestRunner } from 'vitest';
import type { Verdicts } from './at-once.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly mode: 'dry-run' | 'mutant' | 'at-once';
    readonly globalNamespace: string;
    /** Mutants that already have a verdict from an earlier run. */
    readonly known: readonly string[];
  }
  interface TaskMeta {
    verdicts?: Verdicts;
  }
}

/** Variables that Stryker's instrumentation of `src/domain` reads and writes. */
type Instrumentation = {
  activeMutant?: string | undefined;
  currentTestId: string;
  hitCount?: number;
  hitLimit?: number;
  readonly mutantCoverage?: { readonly perTest: Readonly<Record<string, Record<string, number>>> };
};

/** A loop counts as endless when it passes a mutant this many times as often as the unchanged code does. Stryker uses the same bound. */
const HIT_LIMIT_FACTOR = 100;

/**
 * Runs each test unchanged and then once more for each mutant that the test reached, until a test has killed the mutant. A mutant then
 * costs a function call instead of a vitest run. Applies if `mode` is `at-once`; otherwise a test runs normally.
 */
export default class EveryMutant extends TestRunner {
  readonly #known = new Set(inject('known'));

  async runTask(test: RunnerTestCase): Promise<void> {
    const run = TestRunner.getTestFn(test);
    await run();
    if (inject('mode') !== 'at-once') return;
    const code = (globalThis as unknown as Record<string, Instrumentation>)[inject('globalNamespace')];
    if (code === undefined) return;
    const passed = { ...code.mutantCoverage?.perTest[code.currentTestId] };
    test.file.meta.verdicts ??= {};
    const verdicts = test.file.meta.verdicts;
    for (const [mutant, hits] of Object.entries(passed)) {
      if (mutant in verdicts || this.#known.has(mutant)) continue;
      if (await this.#survives(test, code, mutant, hits)) continue;
      const timedOut = (code.hitCount ?? 0) > (code.hitLimit ?? 0);
      verdicts[mutant] = { test: code.currentTestId, timedOut };
      // A value that a mutant left in a cache could kill other mutants, so vitest ends here and starts again without it.
      this.onBeforeTryTask(test, { retry: 0, repeats: 0 });
      await run();
    }
  }

  async #survives(test: RunnerTestCase, code: Instrumentation, mutant: string, hits: number): Promise<boolean> {
    this.onBeforeTryTask(test, { retry: 0, repeats: 0 });
    Object.assign(code, { activeMutant: mutant, hitCount: 0, hitLimit: hits * HIT_LIMIT_FACTOR });
    try {
      await TestRunner.getTestFn(test)();
      return true;
    } catch {
      return false;
    } finally {
      code.activeMutant = undefined;
    }
  }
}
