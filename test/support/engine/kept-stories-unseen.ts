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
    'nobody works while time leaps before anything was looked at, and nobody is told in time',
    {
      ...plain,
      ...({ seed: 866_913, prefer: 'later', neighbour: true, searchLagMs: 1_000, settled: false } as const),
      ...{ deals: ['vendor', 'crm'], lane: { takes: 'some', width: 3 } },
      happenings: [
        { kind: 'sweep' },
        { kind: 'steps', count: 7 },
        {
          ...{ kind: 'crm edit', deal: 2, field: 'competitors', value: 'ACME;GLOBEX' },
          ...{ notice: 'late', lateMs: 0 },
        },
        { kind: 'hidden account', deal: 1 },
        { kind: 'crm type', deal: 2 },
        { kind: 'crm fault', fault: { operation: 'collections.create', status: 503, times: 1 } },
      ],
    },
  ],
];
