import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { MinimalReporter, type Reporter, type TestModule, type TestSpecification, type Vitest } from 'vitest/node';
import { counted } from '../../src/domain/values/counted.ts';
import { countTests } from './count-reporter.ts';

type Parameter<Method extends keyof Reporter, At extends number> = Parameters<NonNullable<Reporter[Method]>>[At];

const NAME_WIDTH = 10;

/**
 * Prints failures, and a line for each project after its last file. All output of tests and of processes under test goes into a file, with
 * a line at the start of each test file. A failed run names the file; the next run deletes it.
 */
export default class QuietReporter extends MinimalReporter {
  readonly #file: string;
  readonly #output: number;
  readonly #left = new Map<string, number>();
  readonly #ended = new Map<string, TestModule[]>();
  #begunMs = 0;

  constructor() {
    super();
    const folder = join(tmpdir(), 'lockstep-tests');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#file = join(folder, `${process.pid}.log`);
    this.#output = openSync(this.#file, 'w', 0o600);
  }

  override onInit(vitest: Vitest): void {
    super.onInit(vitest);
    const sink = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        writeSync(this.#output, chunk);
        done();
      },
    });
    // Vitest pipes its workers' output into these two streams; its own lines use a console that was made earlier.
    vitest.logger.outputStream = sink;
    vitest.logger.errorStream = sink;
  }

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications);
    this.#begunMs = performance.now();
    for (const { project } of specifications) this.#left.set(project.name, (this.#left.get(project.name) ?? 0) + 1);
  }

  onTestModuleStart(module: TestModule): void {
    writeSync(this.#output, `\n=== ${module.relativeModuleId} begins\n`);
  }

  override onTestModuleEnd(module: TestModule): void {
    super.onTestModuleEnd(module);
    const { name } = module.project;
    const ended = [...(this.#ended.get(name) ?? []), module];
    this.#ended.set(name, ended);
    if (ended.length === this.#left.get(name)) this.log(this.#lineOf(name, ended));
  }

  override onUserConsoleLog({ content }: Parameter<'onUserConsoleLog', 0>): void {
    writeSync(this.#output, content);
  }

  override reportTestSummary(): void {
    // The lines of the projects already contain this.
  }

  override onTestRunEnd(
    modules: readonly TestModule[],
    errors: Parameter<'onTestRunEnd', 1>,
    reason: Parameter<'onTestRunEnd', 2>,
  ): void {
    super.onTestRunEnd(modules, errors, reason);
    closeSync(this.#output);
    if (countTests(modules, errors.length).failed === 0) rmSync(this.#file, { force: true });
    else this.log(`What tests and their processes wrote: ${this.#file}`);
  }

  #lineOf(name: string, modules: readonly TestModule[]): string {
    const { passed, failed } = countTests(modules, 0);
    const seconds = Math.round((performance.now() - this.#begunMs) / 1000);
    const verdict = failed === 0 ? `${passed} passed` : `${passed} passed, ${failed} FAILED`;
    return `${name.padEnd(NAME_WIDTH)} ${verdict} in ${counted(modules.length, 'file')}, after ${seconds} s`;
  }
}
