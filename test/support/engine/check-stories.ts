import fc from 'fast-check';
import { play } from './play.ts';
import { type Story, stories, tell } from './story.ts';
import type { TestBed } from './world.ts';

/** How long the stories of a test may take altogether. */
export function limitFor(runs: number): number {
  return RUN_LIMIT_MS * runs + SHORTEN_MS;
}

const RUN_LIMIT_MS = 10_000;
const SHORTEN_MS = 60_000;

/** Plays `runs` stories drawn from a seed. Throws with the shortest story that breaks an invariant. */
export async function checkStories(testBed: TestBed, runs: number, seed: number): Promise<void> {
  const property = fc.asyncProperty(
    stories,
    shortenedFor(SHORTEN_MS, (story) => play(testBed, story)),
  );
  const result = await fc.check(property, { numRuns: runs, seed });
  if (!result.failed) return;
  const [shortest] = result.counterexample ?? [];
  const story = shortest === undefined ? '' : tell(shortest);
  throw new Error(
    `seed ${result.seed}, after ${result.numRuns} runs:\n${story}\n\n${String(result.errorInstance)}`,
  );
}

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
