/** Both sides' users edit the same fields while the vendor is out, in any order: the later edit stays, where time tells. */

import { expect, it } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import { type Outage, type OutageEdit, outages, playOutage } from '../support/engine/outage.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import fc from '../support/properties.ts';

const RUNS = 10;
const RUN_LIMIT_MS = 20_000;

const openWorld = withWorlds(workflows);

async function play(outage: Outage): Promise<readonly string[]> {
  const { world, deals } = await openWorld({ prefer: 'later' });
  return playOutage(world, deals, outage);
}

const edit = (side: OutageEdit['side'], field: OutageEdit['field']): OutageEdit => ({
  side,
  field,
  pauseMs: 61_000,
});

/** The vendor's edit of the description is the later one, and the CRM's record is saved once more after it. */
const savedAgain = [edit('crm', 'Description'), edit('vendor', 'Description'), edit('crm', 'Vendor_Next_Milestone__c')];

it.each([true, false])('another field is saved in the CRM after the later edit, with history: %s', async (history) => {
  expect(await play({ history, edits: savedAgain })).toEqual([]);
});

it(
  `the later edit stays in ${RUNS} outages`,
  () =>
    fc.assert(
      fc.asyncProperty(outages, async (outage) => {
        expect(await play(outage)).toEqual([]);
      }),
      { numRuns: RUNS, seed: 20_270_104, endOnFailure: true },
    ),
  RUNS * RUN_LIMIT_MS,
);
