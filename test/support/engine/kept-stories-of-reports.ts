import type { Story } from './story.ts';

const plain = { seed: 0, arrays: 'replace', prefer: 'crm', deals: ['crm'], settled: true } as const;

/** Kept stories of what both systems say and must not be overheard: stamps, "too many", what was told and not answered. */
export const STORIES_OF_TELLING: readonly (readonly [name: string, story: Story])[] = [
  [
    'an owner whom a vendor user enters after our first reading is not taken for the default, though our update was not answered',
    {
      ...plain,
      settled: false,
      happenings: [
        { kind: 'time', ms: 10_000 },
        { kind: 'vendor fault', fault: { operation: 'updateLeadOpportunity', cut: 'before', times: 1 } },
        { kind: 'crm edit', deal: 0, field: 'description', value: 'alpha', notice: 'now' },
        { kind: 'steps', count: 4 },
        { kind: 'vendor edit', deal: 0, field: 'dsOwnerEmail', value: 'Ann@vendor.example' },
      ],
    },
  ],
  [
    'an owner whom a vendor user enters after our first reading is not taken for the default, though a write to the CRM was not answered',
    {
      ...plain,
      settled: false,
      happenings: [
        { kind: 'time', ms: 2_500 },
        { kind: 'vendor edit', deal: 0, field: 'description', value: 'alpha' },
        { kind: 'crm fault', fault: { operation: 'composite', cut: 'after', times: 1 } },
        { kind: 'poll' },
        { kind: 'steps', count: 8 },
        { kind: 'vendor edit', deal: 0, field: 'dsOwnerEmail', value: 'Ann@vendor.example' },
      ],
    },
  ],
  [
    'an owner whom a vendor user enters after our first reading is not taken for the default, though a worker died in the lane',
    {
      ...plain,
      seed: 491_975,
      deals: ['vendor'],
      settled: false,
      neighbour: true,
      lane: { takes: 'some', width: 3 },
      happenings: [
        { kind: 'steps', count: 2 },
        { kind: 'overlap', after: 1, steps: 2 },
        { kind: 'lose', what: 'worker', after: 20 },
        { kind: 'steps', count: 4 },
        { kind: 'vendor edit', deal: 1, field: 'dsOwnerEmail', value: 'Ann@vendor.example' },
      ],
    },
  ],
  [
    'an opportunity in the recycle bin is not told again and again',
    {
      ...plain,
      lane: { takes: 'all', width: 1 },
      happenings: [
        {
          kind: 'vendor line',
          deal: 0,
          change: { what: 'amount', which: 0, offer: 'OFR-DES-001', amount: 0 },
        },
        { kind: 'crm delete', deal: 0 },
      ],
    },
  ],
  [
    'an opportunity that comes back from the recycle bin and is shared no more is told so',
    {
      ...plain,
      lane: { takes: 'all', width: 1 },
      happenings: [
        { kind: 'both edit', deal: 0, field: 'name', value: 'Deal A', other: 'Deal A', notice: 'now' },
        { kind: 'crm delete', deal: 0 },
        { kind: 'steps', count: 1 },
        { kind: 'crm undelete', deal: 0 },
        { kind: 'share', deal: 0, shared: false, notice: 'now' },
        { kind: 'vendor currency', deal: 0, currency: 'USD' },
      ],
    },
  ],
  [
    'what a CRM user saves in the second of our reading, which no stamp tells, is not overwritten unknown',
    {
      ...plain,
      happenings: [
        { kind: 'vendor edit', deal: 0, field: 'nextMilestone', value: 'alpha' },
        // Reading, both saves and the write are of one second.
        { kind: 'time', ms: 400 },
        {
          kind: 'meanwhile',
          after: 61,
          what: { kind: 'share', deal: 0, shared: true, notice: 'lost' },
        },
        {
          kind: 'meanwhile',
          after: 66,
          what: { kind: 'crm edit', deal: 0, field: 'nextMilestone', value: 'beta', notice: 'lost' },
        },
        { kind: 'poll' },
        { kind: 'time', ms: 10_000 },
      ],
    },
  ],
  [
    'a 429 with the page of a proxy, which names no reset, holds all records of the tenant back for a while',
    {
      ...plain,
      deals: ['crm', 'crm'],
      happenings: [
        {
          kind: 'vendor fault',
          fault: { status: 429, body: '<html><body>Try later</body></html>', times: 1 },
        },
        { kind: 'crm edit', deal: 0, field: 'name', value: 'Deal A', notice: 'now' },
        { kind: 'crm edit', deal: 1, field: 'name', value: 'Deal B', notice: 'now' },
        { kind: 'time', ms: 10_000 },
      ],
    },
  ],
  [
    'a row that was told of a wait, and did not answer, says that all is well in the end',
    {
      ...plain,
      happenings: [
        { kind: 'vendor fault', fault: { status: 429, resetSeconds: 30, times: 1 } },
        { kind: 'crm fault', fault: { operation: 'composite', cut: 'after', times: 1 } },
        { kind: 'crm edit', deal: 0, field: 'name', value: 'Deal A', notice: 'now' },
        { kind: 'time', ms: 10_000 },
        { kind: 'time', ms: 130_000 },
      ],
    },
  ],
  [
    'a deal that the CRM has won and the vendor lost waits for a person',
    {
      ...plain,
      prefer: 'later',
      settled: false,
      happenings: [
        { kind: 'crm stage', deal: 0, stage: 'Closed Won', notice: 'lost' },
        { kind: 'steps', count: 2 },
        { kind: 'vendor status', deal: 0, status: 'LOST' },
      ],
    },
  ],
  [
    'what a vendor user enters again in a list that a CRM user has emptied is an edit',
    {
      ...plain,
      prefer: 'later',
      happenings: [
        { kind: 'crm edit', deal: 0, field: 'competitors', value: 'ACME', notice: 'now' },
        { kind: 'settle' },
        { kind: 'crm edit', deal: 0, field: 'competitors', value: null, notice: 'now' },
        { kind: 'time', ms: 2_500 },
        { kind: 'vendor edit', deal: 0, field: 'competitors', value: 'ACME' },
      ],
    },
  ],
  [
    'a list that a CRM user has emptied is emptied at the vendor, though the first update was lost and the record has changed since',
    {
      ...plain,
      prefer: 'later',
      happenings: [
        { kind: 'crm edit', deal: 0, field: 'competitors', value: 'ACME', notice: 'now' },
        { kind: 'settle' },
        { kind: 'vendor fault', fault: { operation: 'updateLeadOpportunity', cut: 'before', times: 1 } },
        { kind: 'crm edit', deal: 0, field: 'competitors', value: null, notice: 'now' },
        { kind: 'time', ms: 400 },
        { kind: 'vendor edit', deal: 0, field: 'name', value: 'Deal Ç' },
      ],
    },
  ],
  [
    'a deal that the vendor closed waits for nobody when the CRM goes to another stage of the status that it has',
    {
      ...plain,
      prefer: 'later',
      happenings: [
        { kind: 'vendor status', deal: 0, status: 'WON' },
        { kind: 'settle' },
        { kind: 'crm stage', deal: 0, stage: 'Perception Analysis', notice: 'now' },
      ],
    },
  ],
  [
    'a conflict that was told of a deal that the vendor closed waits on when the CRM goes back to the stage that it had',
    {
      ...plain,
      prefer: 'later',
      happenings: [
        { kind: 'vendor status', deal: 0, status: 'WON' },
        { kind: 'settle' },
        { kind: 'crm stage', deal: 0, stage: 'Negotiation/Review', notice: 'now' },
        { kind: 'settle' },
        { kind: 'crm stage', deal: 0, stage: 'Value Proposition', notice: 'now' },
      ],
    },
  ],
  [
    'a conflict of the status that was told waits on when our update of another field has moved the vendor’s stamp',
    {
      ...plain,
      prefer: 'later',
      happenings: [
        { kind: 'vendor status', deal: 0, status: 'LOST' },
        { kind: 'crm stage', deal: 0, stage: 'Prospecting', notice: 'now' },
        { kind: 'settle' },
        { kind: 'contact', deal: 0, lastName: 'Lang' },
        { kind: 'settle' },
        { kind: 'time', ms: 600_000 },
      ],
    },
  ],
  [
    'a deal that is shared no more is told so, though nobody knows whether its first report got through',
    {
      ...plain,
      prefer: 'later',
      settled: false,
      happenings: [
        { kind: 'lose', what: 'worker', after: 38 },
        { kind: 'time', ms: 400 },
        { kind: 'share', deal: 0, shared: false, notice: 'now' },
        { kind: 'time', ms: 400 },
      ],
    },
  ],
  [
    'a deal that is shared no more is told so, though the lane has lost the answer to its first report',
    {
      ...plain,
      prefer: 'later',
      settled: false,
      lane: { takes: 'all', width: 1 },
      happenings: [
        { kind: 'crm fault', fault: { operation: 'composite', cut: 'after', times: 1 } },
        { kind: 'steps', count: 1 },
        { kind: 'share', deal: 0, shared: false, notice: 'now' },
        { kind: 'crm fault', fault: { operation: 'composite', status: 400, times: 1 } },
      ],
    },
  ],
  [
    'a line that the vendor keeps waits for the currency alone, and goes once that is the same',
    {
      ...({ seed: 0, arrays: 'merge', prefer: 'later', deals: ['crm'], settled: false } as const),
      happenings: [
        {
          kind: 'crm line',
          deal: 0,
          change: { what: 'add', which: 0, offer: 'OFR-DES-002', amount: 10 },
          notice: 'now',
        },
        { kind: 'settle' },
        {
          kind: 'crm line',
          deal: 0,
          change: { what: 'delete', which: 0, offer: 'OFR-DES-001', amount: 0 },
          notice: 'now',
        },
        { kind: 'time', ms: 10_000 },
        { kind: 'vendor currency', deal: 0, currency: 'USD' },
        { kind: 'settle' },
        { kind: 'vendor currency', deal: 0, currency: 'EUR' },
      ],
    },
  ],
  [
    'what a write to the CRM lets go under is told, though its answer is lost',
    {
      ...plain,
      prefer: 'vendor',
      happenings: [
        { kind: 'crm fault', fault: { operation: 'composite', cut: 'after', times: 1 } },
        {
          kind: 'both edit',
          deal: 0,
          field: 'reasonWonLostComment',
          value: 'alpha',
          other: 'beta',
          notice: 'now',
        },
        { kind: 'time', ms: 20_000 },
      ],
    },
  ],
  [
    'what an update at the vendor lets go under is told, though its answer is lost',
    {
      ...plain,
      happenings: [
        { kind: 'vendor edit', deal: 0, field: 'reasonWonLostComment', value: 'beta' },
        { kind: 'time', ms: 100_000 },
        {
          kind: 'vendor fault',
          fault: { operation: 'updateLeadOpportunity', cut: 'after', times: 1 },
        },
        { kind: 'crm edit', deal: 0, field: 'reasonWonLostComment', value: 'alpha', notice: 'now' },
        { kind: 'time', ms: 20_000 },
      ],
    },
  ],
  [
    'a wait that a worker has told of before it died is not shown when it is over',
    {
      ...plain,
      prefer: 'later',
      happenings: [
        { kind: 'vendor fault', fault: { status: 401, times: 1 } },
        { kind: 'crm edit', deal: 0, field: 'gtmTacticId', value: 'padded', notice: 'now' },
        { kind: 'lose', what: 'worker', after: 21 },
        { kind: 'time', ms: 130_000 },
      ],
    },
  ],
  [
    'what a CRM user entered before deleting the opportunity goes to the vendor when it is back, and overwrites nobody who left the field empty',
    {
      ...plain,
      prefer: 'later',
      happenings: [
        { kind: 'crm edit', deal: 0, field: 'description', value: 'alpha', notice: 'lost' },
        { kind: 'crm delete', deal: 0 },
        { kind: 'settle' },
        { kind: 'crm undelete', deal: 0 },
        { kind: 'vendor edit', deal: 0, field: 'description', value: null },
      ],
    },
  ],
  [
    'what a vendor user enters while a poll looks that is lost then is found by the one after its successor',
    {
      ...plain,
      prefer: 'later',
      overlapMs: 10_000,
      burstFrom: 0,
      lane: { takes: 'some', width: 3 },
      neighbour: true,
      happenings: [
        { kind: 'lose', what: 'run', after: 21 },
        { kind: 'poll' },
        { kind: 'steps', count: 3 },
        { kind: 'vendor deal' },
        { kind: 'vendor company', deal: 2, vat: 'FR 2' },
      ],
    },
  ],
  [
    'what a worker that stood still tells late does not stay over what its users were told meanwhile',
    {
      ...plain,
      prefer: 'later',
      settled: false,
      burstFrom: 0,
      lane: { takes: 'all', width: 1 },
      happenings: [
        { kind: 'time', ms: 400 },
        { kind: 'pause', after: 18, ms: 62_000 },
        { kind: 'lost id', deal: 0, notice: 'now' },
        { kind: 'steps', count: 1 },
        { kind: 'role', deal: 0, what: 'repeat' },
      ],
    },
  ],
  [
    'what a worker has told of before it died, and is no longer so, is not what users go on seeing',
    {
      ...plain,
      prefer: 'later',
      overlapMs: 300_000,
      burstFrom: 0,
      happenings: [
        { kind: 'lose', what: 'worker', after: 46 },
        { kind: 'role', deal: 0, what: 'repeat' },
        { kind: 'sweep' },
        { kind: 'time', ms: 5_000 },
        { kind: 'role', deal: 0, what: 'remove' },
      ],
    },
  ],
];
