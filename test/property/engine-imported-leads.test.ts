import { describe, it } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import { crmFault, poll, steps, story, sweep, time, vendorStatus } from '../support/engine/happenings.ts';
import { NARROW_ORG } from '../support/engine/narrow-org.ts';
import { play } from '../support/engine/play.ts';
import type { Happening } from '../support/engine/story.ts';
import { withTestBed } from '../support/engine/with-test-bed.ts';

/**
 * Lockstep imports a vendor record as a lead, and an answer of the CRM is lost. Before Lockstep has linked the lead, after one step of work
 * or another, somebody changes the deal. Nothing is lost or made twice.
 */

const testBed = withTestBed(workflows, NARROW_ORG);

const WAYS: Readonly<Record<string, readonly Happening[]>> = {
  'a sales person converts the lead': [{ kind: 'convert', deal: 0, into: 'new', notice: 'now' }],
  'a sales person converts the lead without a notice': [
    { kind: 'convert', deal: 0, into: 'new', notice: 'lost' },
    ...[time(9_000), sweep],
  ],
  'a sales person converts the lead into an unshared opportunity': [
    { kind: 'convert', deal: 0, into: 'unshared', notice: 'now' },
  ],
  'a sales person merges the lead': [{ kind: 'lead merge', deal: 0, notice: 'now' }],
  'the vendor makes the record an opportunity': [vendorStatus('OPPY_OPEN'), poll],
};

/** The operation of the import whose answer is lost: the create, or the reading that follows it. */
const LOST = ['composite', 'queryAll'];
const STEPS = [4, 5, 6, 7];

const cases = Object.entries(WAYS).flatMap(([way, happenings]) =>
  LOST.flatMap((lost) => STEPS.map((count) => [way, lost, count, happenings] as const)),
);

describe('during an import of a lead', () => {
  it.each(cases)('%s, the answer to %s is lost, after %i steps', async (way, operation, count, happenings) => {
    const given = { seed: 3, prefer: 'later', deals: ['vendor'], settled: false, leads: { imports: true } } as const;
    const lost = crmFault({ operation, cut: 'after', times: 1 });
    const before = [lost, vendorStatus('ACCEPTED'), time(130_000), poll, steps(count)];
    const [, told] = story(way, given, ...before, ...happenings, time(20_000));
    await play(testBed(), told);
  });
});
