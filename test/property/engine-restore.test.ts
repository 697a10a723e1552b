/** A ledger that is brought back to any state between edits of both sides: the newest value of each field stays. */

import { expect, it } from 'vitest';
import { processEnvironment } from '../../src/platform/settings.ts';
import * as workflows from '../../workflows/index.ts';
import { playRestore, restores } from '../support/engine/restores.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import fc from '../support/properties.ts';

/** More of them find more: `LOCKSTEP_RESTORES=60 npm test -- --project property engine-restore`. */
const RUNS = Number(processEnvironment()['LOCKSTEP_RESTORES'] ?? 4);
const RUN_LIMIT_MS = 30_000;

const openWorld = withWorlds(workflows);

it(
  `the newest value stays in ${RUNS} restores`,
  () =>
    fc.assert(
      fc.asyncProperty(restores, async (story) => {
        const { world, deals } = await openWorld({ prefer: story.prefer });
        expect(await playRestore(world, deals, story)).toEqual([]);
      }),
      { numRuns: RUNS, seed: 20_270_104, endOnFailure: true },
    ),
  RUNS * RUN_LIMIT_MS,
);
