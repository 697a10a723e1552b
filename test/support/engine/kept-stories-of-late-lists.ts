import type { LineChange } from './people.ts';
import type { Happening, Story } from './story.ts';

const story = (...happenings: readonly Happening[]): Story => ({
  ...{ seed: 0, arrays: 'merge', prefer: 'later', deals: ['crm'], settled: true },
  happenings,
});

/** The next update comes after the one that follows it, between two polls. */
const late: Happening = { kind: 'late update', ms: 200_000 };
const meanwhile: Happening = { kind: 'time', ms: 60_000 };

/** A change of the deal's own, with which its contacts are read. */
function rename(value: string): Happening {
  return { kind: 'crm edit', deal: 0, field: 'name', value, notice: 'now' };
}

function line(change: LineChange): Happening {
  return { kind: 'crm line', deal: 0, change, notice: 'now' };
}

/** Kept stories of a vendor that lays a list over its own, and carries out an older one after a newer. */
export const STORIES_OF_LATE_LISTS: readonly (readonly [name: string, story: Story])[] = [
  [
    'a contact that was replaced since does not stay at the vendor',
    story(
      { kind: 'role', deal: 0, what: 'add' },
      late,
      rename('Deal A'),
      meanwhile,
      { kind: 'contact merge', deal: 0 },
      rename('Deal B'),
      meanwhile,
      { kind: 'poll' },
    ),
  ],
  [
    'a contact that was renamed since does not keep its former name beside another',
    story(
      late,
      { kind: 'contact', deal: 0, lastName: 'Meier' },
      rename('Deal A'),
      meanwhile,
      { kind: 'contact', deal: 0, lastName: 'Schulz' },
      { kind: 'role', deal: 0, what: 'add' },
      rename('Deal B'),
      meanwhile,
      { kind: 'poll' },
    ),
  ],
  [
    'a line that was edited since does not go back to its former amount beside another',
    story(
      late,
      line({ what: 'amount', which: 0, offer: 'OFR-DES-001', amount: 10 }),
      meanwhile,
      line({ what: 'amount', which: 0, offer: 'OFR-DES-001', amount: 99.99 }),
      line({ what: 'add', which: 0, offer: 'OFR-DES-002', amount: 12_500.5 }),
      meanwhile,
      { kind: 'poll' },
    ),
  ],
  [
    'a line that was removed since, and that the vendor had kept until it was cleared, does not come back',
    story(
      line({ what: 'add', which: 0, offer: 'OFR-DES-002', amount: 12_500.5 }),
      { kind: 'settle' },
      late,
      line({ what: 'amount', which: 0, offer: 'OFR-DES-001', amount: 10 }),
      meanwhile,
      line({ what: 'delete', which: 1, offer: 'OFR-DES-002', amount: 0 }),
      { kind: 'time', ms: 10_000 },
      { kind: 'poll' },
      { kind: 'time', ms: 10_000 },
    ),
  ],
  [
    'a contact that was replaced goes though neither the list without it nor the clearing of what the vendor kept was answered',
    {
      ...story(
        { kind: 'poll' },
        { kind: 'steps', count: 3 },
        line({ what: 'add', which: 2, offer: 'OFR-DES-002', amount: 12_500.5 }),
        { kind: 'crm stage', deal: 0, stage: 'Proposal/Price Quote', notice: 'twice' },
        { kind: 'time', ms: 130_000 },
        { kind: 'late update', ms: 2_000 },
        late,
        { kind: 'lose', what: 'worker', after: 21 },
        { kind: 'contact merge', deal: 0 },
      ),
      ...{ seed: 324_087, overlapMs: 10_000, lane: { takes: 'some', width: 3 } },
    },
  ],
];
