import type { Story } from './story.ts';

const plain = { seed: 0, arrays: 'replace', prefer: 'later', deals: ['crm'], settled: true } as const;

/** Kept stories of two hands on one record, one of which comes late or does not know what the other was told. */
export const STORIES_OF_HANDS: readonly (readonly [name: string, story: Story])[] = [
  [
    'an update that the vendor carries out after a newer one does not come back to the CRM',
    {
      ...plain,
      happenings: [
        { kind: 'late update', ms: 60_000 },
        { kind: 'crm edit', deal: 0, field: 'nextMilestone', value: 'alpha', notice: 'now' },
        { kind: 'steps', count: 4 },
        { kind: 'vendor edit', deal: 0, field: 'description', value: 'beta' },
        { kind: 'time', ms: 20_000 },
        { kind: 'crm edit', deal: 0, field: 'nextMilestone', value: 'beta', notice: 'now' },
        { kind: 'time', ms: 70_000 },
        { kind: 'poll' },
      ],
    },
  ],
  [
    'a worker that stood still before its creation left does not change what was agreed on by the one after it',
    {
      ...plain,
      ...({ seed: 543441, prefer: 'vendor', settled: false, lane: { takes: 'some', width: 3 } } as const),
      happenings: [
        { kind: 'pause', after: 36, ms: 62_000 },
        { kind: 'steps', count: 2 },
        { kind: 'lost id', deal: 0, notice: 'now' },
        { kind: 'both edit', deal: 0, field: 'gtmTacticId', value: 'beta', other: 'beta', notice: 'now' },
        { kind: 'time', ms: 130_000 },
        { kind: 'overlap', after: 2, steps: 5 },
        { kind: 'crm edit', deal: 0, field: 'gtmTacticId', value: 'alpha', notice: 'late', lateMs: 55_231 },
      ],
    },
  ],
  [
    'what a poll has told of since a record was read is read before a list is sent whole',
    {
      ...plain,
      ...({ seed: 787565, lane: { takes: 'some', width: 3 } } as const),
      happenings: [
        { kind: 'lost id', deal: 0, notice: 'now' },
        { kind: 'vendor copy', deal: 0 },
        { kind: 'poll' },
        {
          kind: 'crm line',
          deal: 0,
          change: { what: 'delete', which: 0, offer: '', amount: 0 },
          notice: 'unsignalled',
        },
        { kind: 'vendor edit', deal: 0, field: 'nextMilestoneDate', value: '2027-02-15' },
        {
          kind: 'meanwhile',
          after: 38,
          what: { kind: 'crm stage', deal: 0, stage: 'Value Proposition', notice: 'now' },
        },
        { kind: 'vendor edit', deal: 0, field: 'dsOwnerEmail', value: 'bob@vendor.example' },
        { kind: 'vendor status', deal: 0, status: 'WON' },
        { kind: 'crm stage', deal: 0, stage: 'Proposal/Price Quote', notice: 'now' },
        { kind: 'steps', count: 6 },
        { kind: 'vendor contact', deal: 0 },
        { kind: 'vendor deal' },
        { kind: 'contact', deal: 0, lastName: 'Schulz' },
      ],
    },
  ],
  [
    'users are told of what the lane has done before an outage of the CRM once that is over',
    {
      ...plain,
      ...({ settled: false, lane: { takes: 'some', width: 1 } } as const),
      happenings: [
        { kind: 'hidden account', deal: 0 },
        { kind: 'lost id', deal: 0, notice: 'now' },
        { kind: 'steps', count: 1 },
        { kind: 'crm fault', fault: { operation: 'composite', status: 403, times: 1 } },
        { kind: 'time', ms: 400 },
        { kind: 'crm edit', deal: 0, field: 'gtmTacticId', value: 'alpha', notice: 'now' },
        { kind: 'share', deal: 0, shared: false, notice: 'now' },
        { kind: 'steps', count: 3 },
      ],
    },
  ],
  [
    'users are told of what the lane has left to a workflow of its own, though the worker dies before that is woken',
    {
      ...plain,
      ...({ lane: { takes: 'all', width: 1 } } as const),
      happenings: [
        { kind: 'crm fault', fault: { operation: 'collections.upsert', status: 503, times: 1 } },
        { kind: 'lose', what: 'worker', after: 5, place: 'waking' },
        { kind: 'share', deal: 0, shared: false, notice: 'now' },
        { kind: 'time', ms: 10_000 },
        { kind: 'poll' },
        { kind: 'time', ms: 130_000 },
        { kind: 'poll' },
        { kind: 'time', ms: 60_000 },
        { kind: 'poll' },
        { kind: 'time', ms: 60_000 },
      ],
    },
  ],
  [
    'users are told of what a record has done though its workflow is lost before it tells them',
    {
      ...plain,
      ...({ overlapMs: 300_000, searchLagMs: 149_941, burstFrom: 0, deals: ['crm', 'crm'] } as const),
      happenings: [
        { kind: 'lost id', deal: 0, notice: 'now' },
        { kind: 'lose', what: 'run', after: 37 },
        { kind: 'sweep' },
        { kind: 'share', deal: 0, shared: false, notice: 'now' },
        { kind: 'lose', what: 'run', after: 38 },
        { kind: 'time', ms: 400 },
        { kind: 'lose', what: 'worker', after: 40 },
        {
          kind: 'crm line',
          deal: 1,
          change: { what: 'amount', which: 0, offer: 'OFR-DES-002', amount: 10 },
          notice: 'twice',
        },
        { kind: 'crm stage', deal: 0, stage: 'Qualification', notice: 'now' },
        { kind: 'time', ms: 400 },
      ],
    },
  ],
  [
    'a row that a vendor user adds after an update of the list has left is not taken for one that the vendor retains',
    {
      ...plain,
      ...({
        seed: 11,
        overlapMs: 300_000,
        burstFrom: 0,
        settled: false,
        lane: { takes: 'some', width: 1 },
      } as const),
      happenings: [
        {
          kind: 'crm line',
          deal: 0,
          change: { what: 'delete', which: 0, offer: 'OFR-DES-001', amount: 0 },
          notice: 'lost',
        },
        { kind: 'late update', ms: 2000 },
        { kind: 'poll' },
        { kind: 'vendor copy', deal: 0 },
        { kind: 'time', ms: 400 },
        { kind: 'vendor contact', deal: 0 },
        { kind: 'vendor edit', deal: 2, field: 'name', value: 'Deal A', lateMs: 0 },
      ],
    },
  ],
  [
    'an update that the vendor carries out late, and a time in which nobody reads the record',
    {
      ...({
        ...{ arrays: 'replace', prefer: 'later', manual: false, neighbour: false },
        ...{ seed: 0, overlapMs: 300_000, searchLagMs: 0, burstFrom: 0, settled: false },
        ...{ deals: ['vendor', 'crm'], lane: { takes: 'some', width: 1 } },
      } as const),
      happenings: [
        { kind: 'steps', count: 1 },
        { kind: 'account', deal: 1, city: 'Köln' },
        { kind: 'late update', ms: 2000 },
        { kind: 'sweep' },
        { kind: 'vendor deal' },
        { kind: 'role', deal: 1, what: 'remove' },
        { kind: 'role', deal: 0, what: 'remove' },
        { kind: 'steps', count: 4 },
        { kind: 'vendor fault', fault: { status: 503, body: '', times: 3 } },
        { kind: 'pause', after: 5, ms: 46_000 },
        { kind: 'hidden contact', deal: 1 },
        { kind: 'contact', deal: 1, lastName: 'Schulz' },
        { kind: 'account merge', deal: 1, city: 'Trier' },
        { kind: 'vendor copy', deal: 1 },
        { kind: 'vendor currency', deal: 1, currency: 'USD' },
        { kind: 'contact merge', deal: 0 },
      ],
    },
  ],
];
