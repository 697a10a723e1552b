import type { LineChange } from './people.ts';
import type { Happening, Story } from './story.ts';

const plain = { seed: 0, arrays: 'replace', prefer: 'crm', deals: ['crm'], settled: true } as const;

/** Kept stories of lines and contacts that one side removes or adds, at vendors that lay a list over their own and at those that do not. */
export const STORIES_OF_ROWS: readonly (readonly [name: string, story: Story])[] = [
  [
    'a line that is removed in the CRM does not come back from a vendor that keeps it',
    {
      ...plain,
      arrays: 'merge',
      happenings: [
        line({ what: 'add', which: 0, amount: 10 }),
        { kind: 'settle' },
        line({ what: 'delete', which: 1, amount: 0 }),
        line({ what: 'amount', which: 0, amount: 99.99 }),
      ],
    },
  ],
  [
    'the first of two lines with one offer that is removed in the CRM does not come back as a second of the other',
    {
      ...plain,
      arrays: 'merge',
      happenings: [
        line({ what: 'add', which: 0, amount: 10 }),
        line({ what: 'add', which: 0, amount: 99.99 }),
        { kind: 'settle' },
        line({ what: 'delete', which: 1, amount: 0 }),
      ],
    },
  ],
  [
    'a contact that was merged into another is removed at a vendor that keeps it',
    { ...plain, arrays: 'merge', happenings: [{ kind: 'contact merge', deal: 0 }] },
  ],
  [
    'a contact that was removed, and that a vendor user saved again, stays beside another of its name',
    {
      ...plain,
      arrays: 'merge',
      happenings: [
        { kind: 'role', deal: 0, what: 'add' },
        { kind: 'contact merge', deal: 0 },
        { kind: 'sweep' },
        { kind: 'steps', count: 5 },
        { kind: 'vendor contact', deal: 0 },
      ],
    },
  ],
  [
    'what a vendor user adds beside our write is in the next one, which sends the company and the contacts whole',
    {
      ...plain,
      prefer: 'later',
      searchLagMs: 1_000,
      settled: false,
      happenings: [
        { kind: 'time', ms: 400 },
        { kind: 'pause', after: 1, ms: 1_000 },
        { kind: 'vendor edit', deal: 0, field: 'name', value: 'Deal Ç', lateMs: 0 },
        {
          kind: 'crm edit',
          deal: 0,
          field: 'dsOwnerEmail',
          value: 'bob@vendor.example',
          notice: 'unsignalled',
          lateMs: 0,
        },
        { kind: 'crm fault', fault: { operation: 'composite', status: 400, times: 1 } },
        { kind: 'sweep' },
        { kind: 'steps', count: 5 },
        { kind: 'account', deal: 0, city: 'Mainz' },
        { kind: 'vendor company', deal: 0, vat: 'FR 1' },
        { kind: 'crm fault', fault: { operation: 'composite', cut: 'before', times: 1 } },
        { kind: 'crm fault', fault: { operation: 'queryAll', status: 401, times: 2 } },
        { kind: 'vendor contact', deal: 0 },
        { kind: 'contact', deal: 0, lastName: 'Meier' },
        { kind: 'vendor contact', deal: 0 },
      ],
    },
  ],
  [
    'a contact that the integration user may not see is not removed at the vendor',
    {
      ...plain,
      happenings: [
        { kind: 'hidden contact', deal: 0 },
        { kind: 'crm edit', deal: 0, field: 'name', value: 'Deal A', notice: 'now' },
        { kind: 'time', ms: 10_000 },
      ],
    },
  ],
  [
    'a line that a user deletes of an opportunity that we made goes at the vendor too, though the answer to the import was lost',
    {
      ...plain,
      prefer: 'later',
      deals: ['vendor'],
      settled: false,
      burstFrom: 0,
      lane: { takes: 'all', width: 3 },
      neighbour: true,
      happenings: [
        { kind: 'poll' },
        { kind: 'crm fault', fault: { operation: 'composite', cut: 'after', times: 1 } },
        { kind: 'steps', count: 7 },
        {
          kind: 'meanwhile',
          after: 11,
          what: {
            kind: 'crm line',
            deal: 2,
            change: { what: 'delete', which: 0, offer: 'OFR-DES-002', amount: 99.99 },
            notice: 'now',
          },
        },
        { kind: 'vendor status', deal: 2, status: 'QUALIFIED' },
        { kind: 'time', ms: 400 },
        { kind: 'contact merge', deal: 1 },
        { kind: 'poll' },
        { kind: 'pause', after: 11, ms: 50_000 },
        { kind: 'time', ms: 2_500 },
      ],
    },
  ],
  [
    'contacts that a vendor keeps beside those of two updates in a row are told, as those that it keeps beside one',
    {
      ...plain,
      arrays: 'merge',
      prefer: 'later',
      overlapMs: 300_000,
      burstFrom: 8,
      lane: { takes: 'some', width: 3 },
      happenings: [
        {
          kind: 'both edit',
          deal: 0,
          field: 'reasonWon',
          value: null,
          other: 'SOLUTION_FUNCT',
          notice: 'now',
        },
        { kind: 'pause', after: 41, ms: 1_000 },
        { kind: 'contact merge', deal: 0 },
        { kind: 'time', ms: 400 },
        {
          kind: 'meanwhile',
          after: 40,
          what: { kind: 'crm edit', deal: 2, field: 'description', value: '  padded', notice: 'now' },
        },
        { kind: 'sweep' },
        { kind: 'vendor edit', deal: 1, field: 'reasonWonLostComment', value: 'beta' },
        { kind: 'role', deal: 2, what: 'add' },
        { kind: 'contact merge', deal: 1 },
      ],
    },
  ],
  [
    'a line that a user deletes, which we had made for the vendor without an answer, goes at the vendor too',
    {
      ...plain,
      prefer: 'later',
      happenings: [
        {
          kind: 'vendor line',
          deal: 0,
          change: { what: 'add', which: 0, offer: 'OFR-DES-002', amount: 10 },
        },
        { kind: 'poll' },
        { kind: 'steps', count: 3 },
        { kind: 'crm fault', fault: { operation: 'composite', cut: 'after', times: 1 } },
        { kind: 'steps', count: 3 },
        {
          kind: 'crm line',
          deal: 0,
          change: { what: 'delete', which: 1, offer: 'OFR-DES-002', amount: 0 },
          notice: 'now',
        },
      ],
    },
  ],
  [
    'a line that a vendor keeps beside one whose type it has no code for waits for that type',
    {
      ...plain,
      arrays: 'merge',
      prefer: 'later',
      settled: false,
      happenings: [
        line({ what: 'add', which: 0, amount: 0 }),
        { kind: 'time', ms: 400 },
        { kind: 'crm type', deal: 0 },
        { kind: 'vendor type', deal: 0 },
        line({ what: 'delete', which: 1, amount: 0 }),
      ],
    },
  ],
];

function line(change: Omit<LineChange, 'offer'>): Happening {
  return { kind: 'crm line', deal: 0, change: { ...change, offer: 'OFR-DES-002' }, notice: 'now' };
}
