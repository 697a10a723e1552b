import { afterAll, beforeAll, vi } from 'vitest';
import { isInWorkflow } from './workflow-host.ts';
import { openTestBed, type TestBed } from './world.ts';

/**
 * A test bed for the stories of one test file, closed after its last test; call it once at the top. The file mocks
 * `@temporalio/workflow` by `workflow-runtime.ts`, and hands in the workflows that it imports under that mock.
 */
export function withTestBed(workflows: Parameters<typeof openTestBed>[0]): () => TestBed {
  let testBed: TestBed | undefined;
  beforeAll(async () => {
    const opened = await openTestBed(workflows);
    testBed = opened;
    const [now, random] = [Date.now, Math.random];
    vi.spyOn(Date, 'now').mockImplementation(() => (isInWorkflow() ? opened.clock.readMs() : now()));
    vi.spyOn(Math, 'random').mockImplementation(() => (isInWorkflow() ? 0.5 : random()));
  });
  afterAll(() => testBed?.close());
  return () => {
    if (testBed === undefined) throw new TypeError('the test bed is open only while tests run');
    return testBed;
  };
}
