import { it, vi } from 'vitest';
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

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

const testBed = withTestBed(workflows);

const plain: Story = {
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

/** The worker dies at the given point of what the happenings before have set going; later, the field is edited anew. */
function dying(point: number, first: readonly Happening[], then: readonly Happening[]): readonly Happening[] {
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

it.each(everyOther(14, 56))('point %i of an import in the CRM', (point) =>
  play(testBed(), {
    ...plain,
    deals: ['vendor'],
    settled: false,
    happenings: dying(point, [{ kind: 'poll' }], [atVendor('2027-09-30')]),
  }),
);

it.each(everyOther(42, 56))('point %i of an import in the CRM, whose users are quicker', (point) =>
  play(testBed(), {
    ...plain,
    prefer: 'vendor',
    deals: ['vendor'],
    settled: false,
    happenings: dying(point, [{ kind: 'poll' }], [inCrm('2027-09-30')]),
  }),
);

it.each(everyOther(46, 56))('point %i of an import in the CRM, of a deal that the vendor fills in', (point) =>
  play(testBed(), {
    ...plain,
    deals: ['vendor'],
    settled: false,
    happenings: dying(
      point,
      [{ kind: 'poll' }],
      [{ kind: 'vendor edit', deal: 0, field: 'cometCampaignCode', value: 'beta' }],
    ),
  }),
);

it.each([...everyOther(42, 56), ...everyOther(43, 57)])(
  'a user edits at point %i of an import in the CRM',
  (point) =>
    play(testBed(), {
      ...plain,
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

it.each(everyOther(14, 66))('point %i of a change for the CRM', (point) =>
  play(testBed(), {
    ...plain,
    happenings: dying(point, [atVendor('2027-06-30'), { kind: 'poll' }], [atVendor('2027-09-30')]),
  }),
);

it.each(everyOther(2, 40))('point %i of an import at the vendor', (point) =>
  play(testBed(), {
    ...plain,
    prefer: 'vendor',
    deals: [],
    settled: false,
    happenings: dying(point, [{ kind: 'crm deal', lines: 1, notice: 'now' }], [inCrm('2027-09-30')]),
  }),
);

it.each(everyOther(2, 50))('point %i of a change for the vendor', (point) =>
  play(testBed(), {
    ...plain,
    prefer: 'vendor',
    happenings: dying(point, [inCrm('2027-06-30')], [inCrm('2027-09-30')]),
  }),
);
