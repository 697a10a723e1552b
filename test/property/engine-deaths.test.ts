import { it } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import type { Notice } from '../support/engine/deal.ts';
import { OFFERS } from '../support/engine/fields.ts';
import { play } from '../support/engine/play.ts';
import type { Happening, Story } from '../support/engine/story.ts';
import { withTestBed } from '../support/engine/with-test-bed.ts';

/**
 * The worker dies at each point of a change on its way, one point after another, and people edit the same field again
 * before anybody looks: their edit is the one that stays.
 */

const testBed = withTestBed(workflows);

/** One deal, the same on both sides; a field that both users edit is the CRM's. */
const oneDeal: Story = {
  seed: 0,
  arrays: 'replace',
  prefer: 'crm',
  deals: ['crm'],
  settled: true,
  happenings: [],
};

/** A call of a port has a point before it and one after it; dying after one is dying before the next. */
function everyOther(first: number, last: number): readonly number[] {
  return Array.from({ length: (last - first) / 2 + 1 }, (_, index) => first + 2 * index);
}

/** The worker dies at a point of what `first` sets going; once all else has come to rest, people do `then`. */
function workerDiesAt(point: number, first: readonly Happening[], then: readonly Happening[]): readonly Happening[] {
  return [
    { kind: 'lose', what: 'worker', after: point },
    ...first,
    { kind: 'steps', count: 40 },
    ...then,
    { kind: 'time', ms: 60_000 },
  ];
}

const atVendor = (value: string): Happening => ({ kind: 'vendor edit', deal: 0, field: 'closeDate', value });
const inCrmLine: Happening = {
  kind: 'crm line',
  deal: 0,
  change: { what: 'amount', which: 0, offer: OFFERS[0] as string, amount: 99.99 },
  notice: 'lost',
};
const inCrm = (value: string, notice: Notice = 'now'): Happening => ({
  kind: 'crm edit',
  deal: 0,
  field: 'closeDate',
  value,
  notice,
});

it.each(everyOther(14, 56))(
  'the worker dies at point %i of an import in the CRM, and the vendor’s users edit',
  (point) =>
    play(testBed(), {
      ...oneDeal,
      deals: ['vendor'],
      settled: false,
      happenings: workerDiesAt(point, [{ kind: 'poll' }], [atVendor('2027-09-30')]),
    }),
);

it.each(everyOther(42, 56))('the worker dies at point %i of an import in the CRM, and the CRM’s users edit', (point) =>
  play(testBed(), {
    ...oneDeal,
    prefer: 'vendor',
    deals: ['vendor'],
    settled: false,
    happenings: workerDiesAt(point, [{ kind: 'poll' }], [inCrm('2027-09-30')]),
  }),
);

it.each(everyOther(46, 56))(
  'the worker dies at point %i of an import in the CRM, and the vendor’s users fill in a field',
  (point) =>
    play(testBed(), {
      ...oneDeal,
      deals: ['vendor'],
      settled: false,
      happenings: workerDiesAt(
        point,
        [{ kind: 'poll' }],
        [{ kind: 'vendor edit', deal: 0, field: 'cometCampaignCode', value: 'beta' }],
      ),
    }),
);

it.each([...everyOther(42, 56), ...everyOther(43, 57)])(
  'the CRM’s users edit at point %i of an import in the CRM',
  (point) =>
    play(testBed(), {
      ...oneDeal,
      prefer: 'vendor',
      deals: ['vendor'],
      settled: false,
      happenings: [
        { kind: 'meanwhile', after: point, what: inCrm('2027-09-30', point % 4 < 2 ? 'now' : 'lost') },
        { kind: 'meanwhile', after: point, what: inCrmLine },
        { kind: 'poll' },
        { kind: 'time', ms: 60_000 },
      ],
    }),
);

it.each(everyOther(14, 66))(
  'the worker dies at point %i of a change for the CRM, and the vendor’s users edit',
  (point) =>
    play(testBed(), {
      ...oneDeal,
      happenings: workerDiesAt(point, [atVendor('2027-06-30'), { kind: 'poll' }], [atVendor('2027-09-30')]),
    }),
);

it.each(everyOther(2, 40))('the worker dies at point %i of a create at the vendor, and the CRM’s users edit', (point) =>
  play(testBed(), {
    ...oneDeal,
    prefer: 'vendor',
    deals: [],
    settled: false,
    happenings: workerDiesAt(point, [{ kind: 'crm deal', lines: 1, notice: 'now' }], [inCrm('2027-09-30')]),
  }),
);

it.each(everyOther(2, 50))(
  'the worker dies at point %i of a change for the vendor, and the CRM’s users edit',
  (point) =>
    play(testBed(), {
      ...oneDeal,
      prefer: 'vendor',
      happenings: workerDiesAt(point, [inCrm('2027-06-30')], [inCrm('2027-09-30')]),
    }),
);
