import fc from 'fast-check';
import { describe, it, vi } from 'vitest';
import { processEnvironment } from '../../src/platform/settings.ts';
import * as workflows from '../../workflows/index.ts';
import { KEPT_STORIES } from '../support/engine/kept-stories.ts';
import { play } from '../support/engine/play.ts';
import { type Story, stories, tell } from '../support/engine/story.ts';
import { withStage } from '../support/engine/with-stage.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

const RUNS = Number(processEnvironment()['LOCKSTEP_STORIES'] ?? 25);
const SEED = Number(processEnvironment()['LOCKSTEP_STORY_SEED'] ?? 20_270_104);
const RUN_LIMIT_MS = 10_000;
const SHORTEN_MS = 60_000;

const stage = withStage(workflows as never);

describe('the engine on real ledger and simulators', () => {
  it.each(KEPT_STORIES)('%s', (_, story) => play(stage(), story));

  it(
    `keeps its invariants in ${RUNS} stories`,
    async () => {
      const property = fc.asyncProperty(
        stories,
        shortenedFor(SHORTEN_MS, (story) => play(stage(), story)),
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
