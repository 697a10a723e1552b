import type { Story } from './story.ts';

const plain = { seed: 0, arrays: 'replace', prefer: 'crm', deals: ['crm'], settled: true } as const;

/** Kept stories in which one edit is surely the later one, though the stamps of the two records do not tell. */
export const STORIES_OF_LATER_EDITS: readonly (readonly [name: string, story: Story])[] = [
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
  [
    'an amount that a vendor user enters after ours came there is kept, though the CRM has not taken its half of the lines yet',
    {
      ...plain,
      lane: { takes: 'all', width: 3 },
      happenings: [
        { kind: 'vendor type', deal: 0 },
        {
          ...{ kind: 'crm line', deal: 0, notice: 'now' },
          change: { what: 'amount', which: 0, offer: 'OFR-DES-001', amount: 0 },
        },
        { kind: 'time', ms: 400 },
        {
          kind: 'vendor line',
          deal: 0,
          change: { what: 'amount', which: 0, offer: 'OFR-DES-001', amount: 99.99 },
        },
        { kind: 'role', deal: 0, what: 'remove' },
        { kind: 'vendor fault', fault: { operation: 'updateLeadOpportunity', status: 400, times: 2 } },
        { kind: 'vendor currency', deal: 2, currency: 'EUR' },
        { kind: 'steps', count: 7 },
        { kind: 'vendor copy', deal: 0 },
      ],
    },
  ],
];
