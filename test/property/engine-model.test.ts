import fc from 'fast-check';
import { afterAll, beforeAll, describe, it, vi } from 'vitest';
import { processEnvironment } from '../../src/platform/settings.ts';
import * as workflows from '../../workflows/index.ts';
import { KEPT_STORIES } from '../support/engine/kept-stories.ts';
import { play } from '../support/engine/play.ts';
import { type Story, stories, tell } from '../support/engine/story.ts';
import { isInWorkflow } from '../support/engine/workflow-runtime.ts';
import { openStage, type Stage } from '../support/engine/world.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

const RUNS = Number(processEnvironment()['LOCKSTEP_STORIES'] ?? 25);
const SEED = Number(processEnvironment()['LOCKSTEP_STORY_SEED'] ?? 20_270_104);
const RUN_LIMIT_MS = 10_000;
const SHORTEN_MS = 60_000;

let stage: Stage;

beforeAll(async () => {
  stage = await openStage(workflows as never);
  const [now, random] = [Date.now, Math.random];
  vi.spyOn(Date, 'now').mockImplementation(() => (isInWorkflow() ? stage.clock.readMs() : now()));
  vi.spyOn(Math, 'random').mockImplementation(() => (isInWorkflow() ? 0.5 : random()));
});

afterAll(() => stage.close());

describe('the engine on real ledger and simulators', () => {
  it.each(KEPT_STORIES)('%s', (_, story) => play(stage, story));

  it(
    `keeps its invariants in ${RUNS} stories`,
    async () => {
      const property = fc.asyncProperty(
        stories,
        shortenedFor(SHORTEN_MS, (story) => play(stage, story)),
      );
      const result = await fc.check(property, { numRuns: RUNS, seed: SEED });
      if (!result.failed) return;
      const [shortest] = result.counterexample ?? [];
      const story = shortest === undefined ? '' : tell(shortest);
      throw new Error(
        `seed ${result.seed}, after ${result.numRuns} runs:\n${story}\n\n${String(result.errorInstance)}`,
      );
    },
    RUN_LIMIT_MS * RUNS + SHORTEN_MS,
  );
});

/** Plays stories; once one has failed, only as long as its shortening may take: what comes later counts as good. */
function shortenedFor(
  limitMs: number,
  run: (story: Story) => Promise<void>,
): (story: Story) => Promise<void> {
  let failedAtMs = Number.POSITIVE_INFINITY;
  return async (story) => {
    if (performance.now() - failedAtMs > limitMs) return;
    try {
      await run(story);
    } catch (error) {
      failedAtMs = Math.min(failedAtMs, performance.now());
      throw error;
    }
  };
}
