/** As many stories again as `engine-model.test.ts` plays, in a file of its own so that both run at the same time. */
import { it } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import { checkStories, limitFor } from '../support/engine/check-stories.ts';
import { STORIES_OF_BURSTS } from '../support/engine/kept-stories-of-bursts.ts';
import { NARROW_ORG } from '../support/engine/narrow-org.ts';
import { play } from '../support/engine/play.ts';
import { withTestBed } from '../support/engine/with-test-bed.ts';

const RUNS = 60;
const SEED = 20_270_105;

const testBed = withTestBed(workflows, NARROW_ORG);

it(
  `the engine keeps its invariants in ${RUNS} more stories`,
  () => checkStories(testBed(), RUNS, SEED),
  limitFor(RUNS),
);

it.each(STORIES_OF_BURSTS)('by the lane: %s', (_, story) =>
  play(testBed(), { ...story, lane: { takes: 'all', width: 3 } }),
);
