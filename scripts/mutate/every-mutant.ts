import { inject, type RunnerTestCase, TestRunner } from 'vitest';
import type { Verdicts } from './at-once.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly mode: 'dry-run' | 'mutant' | 'at-once';
    readonly globalNamespace: string;
    /** Mutants that an earlier run has a verdict for. */
    readonly known: readonly string[];
  }
  interface TaskMeta {
    verdicts?: Verdicts;
  }
}

/** What Stryker's instrumentation of `src/domain` reads and writes. */
type Instrumentation = {
  activeMutant?: string | undefined;
  currentTestId: string;
  hitCount?: number;
  hitLimit?: number;
  readonly mutantCoverage?: { readonly perTest: Readonly<Record<string, Record<string, number>>> };
};

/** A loop that passes a mutant this many times as often as without it does not end. Stryker's own bound. */
const HIT_LIMIT_FACTOR = 100;

/**
 * Runs each test as it is, and then once more with each mutant that it passed, until some test has killed it. A mutant
 * then costs a call of a function, and not a run of vitest. Used where `mode` is `at-once`; else a test just runs.
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
      // What a mutant left behind in a cache would kill others: then vitest ends here and begins anew, without it.
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
