import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';

/** For each mutant, the test that killed it. */
export type Verdicts = Record<string, { readonly test: string; readonly timedOut: boolean }>;

type MutantRun = {
  readonly activeMutant: { readonly id: string };
  readonly mutantActivation: 'runtime' | 'static';
};

/** The used part of Stryker's runner for vitest, whose types are only in Stryker's own folder. */
type VitestTestRunner = {
  readonly ctx: {
    provide(key: string, value: unknown): void;
    start(): Promise<unknown>;
    readonly state: { getFiles(): readonly TestFile[] };
  };
  dryRun(options: unknown): Promise<{ readonly status: string }>;
  mutantRun(options: MutantRun): Promise<unknown>;
  resetContext(): void;
};
type TestFile = {
  readonly meta: { readonly verdicts?: Verdicts };
  readonly result?: { readonly state: string };
};
type Injector = {
  provideValue(token: string, value: unknown): Injector;
  injectClass(type: unknown): unknown;
};

const home = process.env['LOCKSTEP_VITEST_RUNNER'];
if (home === undefined) throw new Error('started by mutate.ts');
const stryker = (await import(home)) as { VitestTestRunner: new (...args: never) => VitestTestRunner };

/** In the sandbox: verdicts for a process that Stryker restarts after an endless loop. */
const FILE = 'verdicts.json';

/**
 * Stryker's runner for vitest, but with a single test run for all mutants inside functions (`every-mutant.ts`). Mutants in module-level
 * code get a run each, as Stryker does it.
 */
class AtOnce extends stryker.VitestTestRunner {
  override async dryRun(options: unknown): Promise<{ readonly status: string }> {
    const result = await super.dryRun(options);
    if (result.status === 'complete') writeFileSync(FILE, JSON.stringify(await this.#everyMutant()));
    return result;
  }

  override async mutantRun(options: MutantRun): Promise<unknown> {
    const verdicts = JSON.parse(readFileSync(FILE, 'utf8')) as Verdicts;
    const verdict = verdicts[options.activeMutant.id];
    if (verdict === undefined && options.mutantActivation === 'static') return super.mutantRun(options);
    if (verdict === undefined) return { status: 'survived', nrOfTests: 1 };
    if (verdict.timedOut) return { status: 'timeout', reason: 'hit limit reached' };
    const killer = relative(process.cwd(), verdict.test);
    return { status: 'killed', killedBy: [killer], failureMessage: 'see the test', nrOfTests: 1 };
  }

  async #everyMutant(): Promise<Verdicts> {
    const verdicts: Verdicts = {};
    this.ctx.provide('mode', 'at-once');
    for (;;) {
      const before = Object.keys(verdicts);
      this.ctx.provide('known', before);
      this.resetContext();
      await this.ctx.start();
      const files = this.ctx.state.getFiles();
      for (const file of files) Object.assign(verdicts, file.meta.verdicts);
      if (files.every((file) => file.result?.state === 'pass')) return verdicts;
      if (Object.keys(verdicts).length === before.length)
        throw new Error('a surviving mutant spoils the tests that follow');
    }
  }
}

function createRunner(injector: Injector): unknown {
  return injector.provideValue('globalNamespace', '__stryker__').injectClass(AtOnce);
}
createRunner.inject = ['$injector'];

export const strykerPlugins = [{ kind: 'TestRunner', name: 'vitest-at-once', factory: createRunner }];
