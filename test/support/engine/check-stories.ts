import { processEnvironment } from '../../../src/platform/settings.ts';
import fc from '../properties.ts';
import { play } from './play.ts';
import { type Story, stories, storiesOfLeads, tell } from './story.ts';
import type { TestBed } from './world.ts';

/** The time limit for all stories of a test. */
export function limitFor(runs: number): number {
  return RUN_LIMIT_MS * runs + SHORTEN_MS;
}

const RUN_LIMIT_MS = 10_000;
const SHORTEN_MS = 60_000;
/** Much longer than any story takes, even on a busy machine. */
const STORY_LIMIT_MS = 120_000;

/**
 * Plays `runs` stories drawn from a seed; with `LOCKSTEP_STORY_LEADS=on` only stories of leads. Throws with the shortest story that breaks an
 * invariant.
 */
export async function checkStories(testBed: TestBed, runs: number, seed: number): Promise<void> {
  const property = fc.asyncProperty(
    processEnvironment()['LOCKSTEP_STORY_LEADS'] === 'on' ? storiesOfLeads : stories,
    shortenedFor(SHORTEN_MS, (story) => ending(play(testBed, withLane(story)))),
  );
  const result = await fc.check(property, { numRuns: runs, seed });
  if (!result.failed) return;
  const [shortest] = result.counterexample ?? [];
  const story = shortest === undefined ? '' : tell(shortest);
  throw new Error(`seed ${result.seed}, after ${result.numRuns} runs:\n${story}\n\n${String(result.errorInstance)}`);
}

class NoEnd extends Error {}

/** Fails if a story does not end, because something waits forever. */
async function ending(played: Promise<void>): Promise<void> {
  const limit = AbortSignal.timeout(STORY_LIMIT_MS);
  const over = new Promise<never>((_, fail) => {
    limit.addEventListener('abort', () => fail(new NoEnd(`no end within ${STORY_LIMIT_MS / 1000} s`)));
  });
  await Promise.race([played, over]);
}

/** Plays stories. After a failure, shortening continues until a time limit; stories after that count as passed. */
function shortenedFor(limitMs: number, run: (story: Story) => Promise<void>): (story: Story) => Promise<void> {
  let failedAtMs = Number.POSITIVE_INFINITY;
  return async (story) => {
    if (performance.now() - failedAtMs > limitMs) return;
    try {
      await run(story);
    } catch (error) {
      // A story without an end still occupies the test bed, so no shorter story can be played on it.
      failedAtMs = error instanceof NoEnd ? Number.NEGATIVE_INFINITY : Math.min(failedAtMs, performance.now());
      throw error;
    }
  };
}

const ALL_BY_LANE = { takes: 'all', width: 1 } as const;

/** Uses the lane if the story says so; `LOCKSTEP_STORY_LANE=on` forces it for all stories, `off` for none. */
function withLane({ lane, ...story }: Story): Story {
  const word = processEnvironment()['LOCKSTEP_STORY_LANE'];
  const of = word === 'on' ? (lane ?? ALL_BY_LANE) : word === 'off' ? undefined : lane;
  return of === undefined ? story : { ...story, lane: of };
}
