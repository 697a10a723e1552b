import type { Happening, Story } from './story.ts';

const plain = {
  ...({ seed: 0, arrays: 'replace', prefer: 'crm', deals: ['crm'], settled: true } as const),
  overlapMs: 10_000,
  burstFrom: 0,
} as const;

const atVendor: Happening = { kind: 'vendor edit', deal: 0, field: 'cometCampaignCode', value: 'CAMP-1' };
const inCrm: Happening = {
  kind: 'crm edit',
  deal: 0,
  field: 'cometCampaignCode',
  value: 'CAMP-2',
  notice: 'now',
};

/** What one of many records may be written over without a reading of its own. */
export const STORIES_OF_BURSTS: readonly (readonly [name: string, story: Story])[] = [
  [
    'a worker that stood still does not decide on what it read of the CRM before the lane wrote there',
    {
      ...plain,
      ...({ prefer: 'later', overlapMs: 300_000, deals: ['crm', 'crm'] } as const),
      lane: { takes: 'some', width: 1 },
      happenings: [
        { kind: 'pause', after: 20, ms: 1_000 },
        { kind: 'crm edit', deal: 1, field: 'cometCampaignCode', value: '  padded', notice: 'now' },
        { kind: 'pause', after: 19, ms: 50_000 },
        { kind: 'lost id', deal: 0, notice: 'lost' },
        { kind: 'sweep' },
        { kind: 'steps', count: 2 },
        { kind: 'vendor edit', deal: 1, field: 'reasonLost', value: 'FUNC_GAP' },
        { kind: 'crm edit', deal: 2, field: 'description', value: '  padded', notice: 'now' },
        { kind: 'vendor edit', deal: 2, field: 'gtmTacticId', value: '  padded' },
        { kind: 'sweep' },
        { kind: 'vendor edit', deal: 0, field: 'reasonWon', value: 'SOLUTION_FUNCT' },
        { kind: 'steps', count: 7 },
      ],
    },
  ],
  [
    'a contact that a vendor user adds after a reading that was kept is not taken away by the list that goes whole',
    {
      ...plain,
      ...({ seed: 316907, prefer: 'later' } as const),
      lane: { takes: 'some', width: 1 },
      happenings: [
        { kind: 'role', deal: 0, what: 'add' },
        { kind: 'poll' },
        {
          kind: 'vendor line',
          deal: 2,
          change: { what: 'add', which: 1, offer: 'OFR-DES-001', amount: 99.99 },
        },
        { kind: 'vendor contact', deal: 2 },
        { kind: 'steps', count: 2 },
        { kind: 'vendor status', deal: 0, status: 'OPPY_OPEN' },
        { kind: 'crm stage', deal: 0, stage: 'Perception Analysis', notice: 'now' },
        { kind: 'vendor contact', deal: 1 },
        { kind: 'overlap', after: 26, steps: 2 },
        { kind: 'vendor edit', deal: 1, field: 'description', value: 'Theirs', lateMs: 0 },
        { kind: 'crm type', deal: 2 },
        { kind: 'lose', what: 'run', after: 2 },
      ],
    },
  ],
  [
    'a worker that stands still in a search for many keeps no other from asking by itself',
    {
      ...plain,
      ...({ seed: 937499, arrays: 'merge', prefer: 'vendor', neighbour: true, manual: true } as const),
      deals: ['vendor', 'crm'],
      happenings: [
        { kind: 'pause', after: 24, ms: 50_000 },
        {
          kind: 'crm line',
          deal: 0,
          change: { what: 'delete', which: 1, offer: 'OFR-DES-002', amount: 10 },
          notice: 'late',
        },
        { kind: 'time', ms: 4_000_000 },
      ],
    },
  ],
  [
    'what a vendor user changed before many records were edited is known, though no poll has told of it',
    { ...plain, happenings: [atVendor, { kind: 'time', ms: 130_000 }, inCrm, { kind: 'time', ms: 10_000 }] },
  ],
  [
    'a search that may be minutes behind tells of no record that it has not changed',
    {
      ...plain,
      overlapMs: 300_000,
      searchLagMs: 200_000,
      happenings: [atVendor, { kind: 'time', ms: 130_000 }, inCrm, { kind: 'time', ms: 10_000 }],
    },
  ],
  [
    'what a poll has told of is read, though no search shows it any more as a change',
    {
      ...plain,
      happenings: [
        atVendor,
        { kind: 'vendor fault', fault: { operation: 'readLeadOpportunity', status: 500 } },
        { kind: 'poll' },
        { kind: 'time', ms: 130_000 },
        { kind: 'poll' },
        { kind: 'time', ms: 130_000 },
        inCrm,
        { kind: 'time', ms: 10_000 },
      ],
    },
  ],
  [
    'a value that its field cannot hold is not sent again when, a day later, what was refused is',
    {
      ...plain,
      happenings: [
        { kind: 'vendor misfit', deal: 0, field: 'cometCampaignCode' },
        { kind: 'poll' },
        { kind: 'time', ms: 10_000 },
        { kind: 'vendor fault', fault: { operation: 'createLeadOpportunity', status: 400, times: 2 } },
        { kind: 'crm deal', lines: 1, notice: 'now' },
        { kind: 'time', ms: 10_000 },
      ],
    },
  ],
  [
    'a company that a vendor user completed a moment ago is not sent whole by what a search told before',
    {
      ...plain,
      searchLagMs: 1_000,
      happenings: [
        { kind: 'time', ms: 300_000 },
        { kind: 'vendor company', deal: 0, vat: 'FR 1' },
        { kind: 'account', deal: 0, city: 'Köln' },
        { kind: 'sweep' },
        { kind: 'steps', count: 9 },
      ],
    },
  ],
  [
    'a field of which a person decides is not written over what a vendor user made of it a moment ago',
    {
      ...plain,
      searchLagMs: 1_000,
      manual: true,
      happenings: [
        {
          kind: 'both edit',
          deal: 0,
          field: 'reasonWonLostComment',
          value: 'beta',
          other: 'alpha',
          notice: 'now',
        },
      ],
    },
  ],
];
