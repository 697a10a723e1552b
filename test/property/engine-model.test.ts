import { describe, it } from 'vitest';
import { processEnvironment } from '../../src/platform/settings.ts';
import * as workflows from '../../workflows/index.ts';
import { checkStories, limitFor } from '../support/engine/check-stories.ts';
import { KEPT_STORIES } from '../support/engine/kept-stories.ts';
import { NARROW_ORG } from '../support/engine/narrow-org.ts';
import { play } from '../support/engine/play.ts';
import { withTestBed } from '../support/engine/with-test-bed.ts';

const RUNS = Number(processEnvironment()['LOCKSTEP_STORIES'] ?? 60);
const SEED = Number(processEnvironment()['LOCKSTEP_STORY_SEED'] ?? 20_270_104);

const testBed = withTestBed(workflows, NARROW_ORG);

describe('the engine on real ledger and simulators', () => {
  it.each(KEPT_STORIES)('%s', (_, story) => play(testBed(), story));

  it(`keeps its invariants in ${RUNS} stories`, () => checkStories(testBed(), RUNS, SEED), limitFor(RUNS));
});
