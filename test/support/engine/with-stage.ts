import { afterAll, beforeAll, vi } from 'vitest';
import { isInWorkflow } from './workflow-runtime.ts';
import { openStage, type Stage } from './world.ts';

/**
 * A stage for the stories of one test file, closed after its last test; call it once at the top. The file mocks
 * `@temporalio/workflow` by `workflow-runtime.ts`, and hands in the workflows that it imports under that mock.
 */
export function withStage(workflows: Parameters<typeof openStage>[0]): () => Stage {
  let stage: Stage | undefined;
  beforeAll(async () => {
    const opened = await openStage(workflows);
    stage = opened;
    const [now, random] = [Date.now, Math.random];
    vi.spyOn(Date, 'now').mockImplementation(() => (isInWorkflow() ? opened.clock.readMs() : now()));
    vi.spyOn(Math, 'random').mockImplementation(() => (isInWorkflow() ? 0.5 : random()));
  });
  afterAll(() => stage?.close());
  return () => {
    if (stage === undefined) throw new TypeError('the stage is open only while tests run');
    return stage;
  };
}
