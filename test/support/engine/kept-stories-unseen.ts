import type { Happening, Story } from './story.ts';

const plain = { seed: 0, arrays: 'replace', prefer: 'crm', deals: ['crm'], settled: true } as const;

/** Up to our reading, which is the third thing that is done; the update that rests on it comes later. */
const toOurReading: readonly Happening[] = [{ kind: 'sweep' }, { kind: 'steps', count: 3 }];

/** Kept stories of what nobody can know: what a vendor user enters between our reading and the update that rests on it. */
export const STORIES_OF_THE_UNSEEN: readonly (readonly [name: string, story: Story])[] = [
  [
    'a contact that a vendor user adds between our reading and the list that goes whole may go unseen',
    {
      ...plain,
      happenings: [
        { kind: 'contact', deal: 0, lastName: 'Meier' },
        ...toOurReading,
        { kind: 'vendor contact', deal: 0 },
      ],
    },
  ],
  [
    'a company that a vendor user completes between our reading and the company that goes whole may go unseen',
    {
      ...plain,
      happenings: [
        { kind: 'account', deal: 0, city: 'Mainz' },
        ...toOurReading,
        { kind: 'vendor company', deal: 0, vat: 'FR 1' },
      ],
    },
  ],
  [
    'what a CRM user enters over a vendor default, and cannot be sent yet, is not overruled by that default',
    {
      ...plain,
      ...({ prefer: 'later', settled: false, lane: { takes: 'some', width: 1 } } as const),
      happenings: [
        { kind: 'time', ms: 400 },
        { kind: 'contact merge', deal: 0 },
        { kind: 'vendor status', deal: 0, status: 'LEAD_OPEN' },
        {
          kind: 'crm edit',
          deal: 0,
          field: 'forecastCategory',
          value: 'COMMIT',
          notice: 'now',
          lateMs: 1_000,
        },
      ],
    },
  ],
  [
    'what a CRM user enters of a lead, and cannot be sent yet, is not overruled once the echo of our own update is read',
    {
      ...plain,
      ...({ prefer: 'later', lane: { takes: 'all', width: 3 } } as const),
      happenings: [
        {
          kind: 'vendor line',
          deal: 0,
          change: { what: 'amount', which: 0, offer: 'OFR-DES-001', amount: 0 },
        },
        { kind: 'crm stage', deal: 0, stage: 'Closed Won', notice: 'now' },
        { kind: 'steps', count: 6 },
        { kind: 'poll' },
        { kind: 'vendor status', deal: 0, status: 'LEAD_OPEN' },
        {
          ...{ kind: 'both edit', deal: 0, field: 'forecastCategory', notice: 'now' },
          ...{ value: 'SAFE', other: 'COMMIT' },
        },
        { kind: 'contact', deal: 0, lastName: 'Meier' },
      ],
    },
  ],
];
