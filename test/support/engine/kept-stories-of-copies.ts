import type { Happening, Story } from './story.ts';

const plain = { seed: 0, arrays: 'replace', prefer: 'crm', deals: ['crm'], settled: true } as const;

/** The copy comes between our decision to create a record and the creation. */
const TWO_RECORDS: readonly Happening[] = [
  { kind: 'vendor copy', deal: 0 },
  { kind: 'steps', count: 2 },
];

/** Vendor records that a vendor user made by hand of a deal that comes from the CRM. */
export const STORIES_OF_COPIES: readonly (readonly [name: string, story: Story])[] = [
  [
    'a second vendor record that a search shows before ours, which was made after it, waits for a person',
    {
      ...({ seed: 0, arrays: 'replace', prefer: 'later', neighbour: true, settled: false } as const),
      ...({ deals: ['crm', 'crm'], overlapMs: 300_000, searchLagMs: 299_416 } as const),
      lane: { takes: 'some', width: 3 },
      happenings: [
        { kind: 'crm deal', lines: 2, notice: 'now' },
        {
          kind: 'both edit',
          deal: 0,
          field: 'gtmTacticId',
          value: '  padded',
          other: '  padded',
          notice: 'twice',
        },
        { kind: 'vendor copy', deal: 2 },
        { kind: 'vendor edit', deal: 0, field: 'reasonWon', value: 'SOLUTION_FUNCT' },
        { kind: 'crm fault', fault: { operation: 'queryAll', hang: true, times: 1 } },
      ],
    },
  ],
  [
    'a record that a vendor user made by hand is not taken for a creation of ours whose answer was lost',
    {
      ...plain,
      settled: false,
      happenings: [
        { kind: 'vendor fault', fault: { operation: 'createLeadOpportunity', cut: 'before', times: 1 } },
        { kind: 'steps', count: 2 },
        { kind: 'vendor copy', deal: 0 },
        { kind: 'time', ms: 10_000 },
      ],
    },
  ],
  [
    'a record that a vendor user made by hand, with the id of a report, is the deal of that opportunity',
    {
      ...plain,
      happenings: [
        { kind: 'crm deal', lines: 0, notice: 'lost' },
        { kind: 'vendor copy', deal: 1 },
        { kind: 'poll' },
        { kind: 'time', ms: 10_000 },
      ],
    },
  ],
  [
    'a second vendor record that is found while the first is being followed waits for a person',
    {
      ...plain,
      seed: 177378,
      prefer: 'vendor',
      neighbour: true,
      overlapMs: 10_000,
      searchLagMs: 1_008,
      settled: false,
      happenings: [
        { kind: 'meanwhile', after: 39, what: { kind: 'vendor status', deal: 0, status: 'QUALIFIED' } },
        { kind: 'vendor copy', deal: 0 },
        { kind: 'crm deal', lines: 1, notice: 'now' },
        {
          kind: 'both edit',
          deal: 2,
          field: 'forecastCategory',
          value: 'UPSIDE',
          other: 'COMMIT',
          notice: 'now',
        },
        { kind: 'vendor company', deal: 1, vat: 'FR 1' },
        { kind: 'time', ms: 4_000_000 },
        { kind: 'steps', count: 1 },
      ],
    },
  ],
  [
    'an opportunity with two vendor records that is shared no more waits for nobody',
    {
      ...plain,
      settled: false,
      happenings: [
        ...TWO_RECORDS,
        { kind: 'share', deal: 0, shared: false, notice: 'now' },
        { kind: 'overlap', after: 1, steps: 1 },
      ],
    },
  ],
  [
    'an opportunity with two vendor records that is deleted waits for nobody, and restored waits again',
    {
      ...plain,
      settled: false,
      happenings: [
        ...TWO_RECORDS,
        { kind: 'crm delete', deal: 0 },
        { kind: 'settle' },
        { kind: 'crm undelete', deal: 0 },
      ],
    },
  ],
  [
    'of a record that met its opportunity only when that was shared again, either side’s value may stay',
    {
      ...plain,
      prefer: 'later',
      settled: false,
      happenings: [
        { kind: 'vendor copy', deal: 0 },
        { kind: 'steps', count: 1 },
        { kind: 'share', deal: 0, shared: false, notice: 'now' },
        { kind: 'settle' },
        { kind: 'vendor status', deal: 0, status: 'QUALIFIED' },
        { kind: 'share', deal: 0, shared: true, notice: 'now' },
      ],
    },
  ],
  [
    'an opportunity that is shared again waits for a person where two vendor records are still its',
    {
      ...plain,
      settled: false,
      happenings: [
        ...TWO_RECORDS,
        { kind: 'settle' },
        { kind: 'share', deal: 0, shared: false, notice: 'lost' },
        { kind: 'settle' },
        { kind: 'share', deal: 0, shared: true, notice: 'lost' },
      ],
    },
  ],
  [
    'a vendor id that somebody empties is put back while two vendor records wait for a person',
    {
      ...plain,
      settled: false,
      happenings: [...TWO_RECORDS, { kind: 'settle' }, { kind: 'lost id', deal: 0, notice: 'now' }],
    },
  ],
  [
    'two vendor records of one opportunity wait for a person, though each writes its id in another way',
    {
      ...plain,
      happenings: [
        { kind: 'crm deal', lines: 1, notice: 'now' },
        { kind: 'vendor copy', deal: 1 },
        { kind: 'time', ms: 10_000 },
        { kind: 'poll' },
      ],
    },
  ],
  [
    'a second vendor record that the lane finds beside the first waits for a person, though the first is still under way there',
    {
      ...plain,
      ...({ prefer: 'later', overlapMs: 300_000, settled: false, lane: { takes: 'all', width: 1 } } as const),
      happenings: [
        { kind: 'vendor copy', deal: 0 },
        { kind: 'vendor fault', fault: { status: 401, times: 1 } },
        { kind: 'steps', count: 1 },
        { kind: 'lost id', deal: 0, notice: 'late' },
        { kind: 'hidden field', deal: 0 },
        { kind: 'steps', count: 1 },
      ],
    },
  ],
  [
    'a record that a vendor user makes by hand after a creation without an answer is not taken for that of the creation',
    {
      ...plain,
      ...({
        prefer: 'later',
        neighbour: true,
        burstFrom: 0,
        deals: ['crm', 'vendor'],
        settled: false,
      } as const),
      lane: { takes: 'some', width: 3 },
      happenings: [
        { kind: 'pause', after: 1, ms: 1000 },
        { kind: 'steps', count: 3 },
        { kind: 'vendor fault', fault: { operation: 'createLeadOpportunity', status: 500 } },
        { kind: 'steps', count: 5 },
        { kind: 'crm edit', deal: 2, field: 'competitors', value: null, notice: 'twice', lateMs: 0 },
        { kind: 'poll' },
        { kind: 'share', deal: 0, shared: true, notice: 'now' },
        {
          kind: 'both edit',
          deal: 2,
          field: 'closeDate',
          value: '2027-06-30',
          other: '2027-09-30',
          notice: 'now',
        },
        { kind: 'vendor copy', deal: 0 },
      ],
    },
  ],
];
