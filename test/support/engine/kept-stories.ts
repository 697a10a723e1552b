import { STORIES_OF_BURSTS } from './kept-stories-of-bursts.ts';
import { STORIES_OF_COPIES } from './kept-stories-of-copies.ts';
import { STORIES_OF_WRITERS } from './kept-stories-of-hands.ts';
import { STORIES_OF_LATE_LISTS } from './kept-stories-of-late-lists.ts';
import { STORIES_OF_LATER_EDITS } from './kept-stories-of-later-edits.ts';
import { STORIES_OF_PICKS } from './kept-stories-of-picks.ts';
import { STORIES_OF_TELLING } from './kept-stories-of-reports.ts';
import { STORIES_OF_ROWS } from './kept-stories-of-rows.ts';
import { STORIES_OF_THE_UNSEEN } from './kept-stories-unseen.ts';
import type { Happening, Story } from './story.ts';

const plain = { seed: 0, arrays: 'replace', prefer: 'crm', deals: ['crm'], settled: true } as const;

/** The shortest stories of what went wrong once, by what has to hold. */
export const KEPT_STORIES: readonly (readonly [name: string, story: Story])[] = [
  ...STORIES_OF_TELLING,
  ...STORIES_OF_WRITERS,
  ...STORIES_OF_BURSTS,
  ...STORIES_OF_COPIES,
  ...STORIES_OF_THE_UNSEEN,
  ...STORIES_OF_PICKS,
  ...STORIES_OF_ROWS,
  ...STORIES_OF_LATE_LISTS,
  ...STORIES_OF_LATER_EDITS,
  [
    'a vendor user who fills in a field before our first reading is not taken for a default',
    {
      ...plain,
      settled: false,
      happenings: [
        { kind: 'time', ms: 400 },
        { kind: 'vendor edit', deal: 0, field: 'reasonWon', value: 'SOLUTION_FUNCT' },
      ],
    },
  ],
  [
    'what a CRM user fills in before our first reading wins over the vendor default',
    {
      ...plain,
      prefer: 'vendor',
      settled: false,
      happenings: [
        { kind: 'steps', count: 1 },
        { kind: 'crm edit', deal: 0, field: 'reasonWon', value: 'SOLUTION_FUNCT', notice: 'now' },
      ],
    },
  ],
  [
    'an opportunity whose import was not answered is found by a sweep and not created at the vendor again',
    {
      ...plain,
      deals: ['vendor'],
      settled: false,
      happenings: [
        { kind: 'poll' },
        { kind: 'crm fault', fault: { operation: 'composite', cut: 'after', times: 1 } },
        { kind: 'steps', count: 3 },
        { kind: 'sweep' },
        { kind: 'steps', count: 2 },
      ],
    },
  ],
  [
    'a contact that a CRM user adds before our first look at what an import made reaches the vendor',
    {
      ...plain,
      deals: ['vendor'],
      settled: false,
      happenings: [
        { kind: 'crm fault', fault: { operation: 'composite', cut: 'after', times: 1 } },
        { kind: 'poll' },
        { kind: 'steps', count: 4 },
        { kind: 'role', deal: 0, what: 'add' },
      ],
    },
  ],
  [
    'blanks that the CRM drops from a text are no edit of its users',
    {
      ...plain,
      happenings: [
        { kind: 'vendor edit', deal: 0, field: 'description', value: '  padded' },
        { kind: 'poll' },
        { kind: 'time', ms: 10_000 },
        { kind: 'vendor edit', deal: 0, field: 'description', value: null },
        { kind: 'crm edit', deal: 0, field: 'name', value: 'Deal A', notice: 'now' },
        { kind: 'time', ms: 10_000 },
      ],
    },
  ],
  [
    'a deal that is shared no more before the vendor has it is detached, though nobody is told',
    {
      ...plain,
      settled: false,
      happenings: [
        {
          kind: 'crm line',
          deal: 0,
          change: { what: 'delete', which: 0, offer: '', amount: 0 },
          notice: 'lost',
        },
        { kind: 'time', ms: 400 },
        { kind: 'share', deal: 0, shared: false, notice: 'lost' },
      ],
    },
  ],
  [
    'a deal that the vendor closed is not reopened by the next stage',
    {
      ...plain,
      happenings: [
        { kind: 'vendor status', deal: 0, status: 'WON' },
        { kind: 'settle' },
        { kind: 'crm stage', deal: 0, stage: 'Negotiation/Review', notice: 'now' },
      ],
    },
  ],
  [
    'an amount does not change its currency on the way',
    {
      ...plain,
      happenings: [
        { kind: 'vendor currency', deal: 0, currency: 'USD' },
        {
          kind: 'vendor line',
          deal: 0,
          change: { what: 'amount', which: 0, offer: '', amount: 10 },
        },
      ],
    },
  ],
  [
    'a vendor user who sets our write back before we have read it has edited it',
    {
      ...plain,
      happenings: [
        { kind: 'crm edit', deal: 0, field: 'reasonWonLostComment', value: 'beta', notice: 'now' },
        { kind: 'time', ms: 10_000 },
        { kind: 'vendor edit', deal: 0, field: 'reasonWonLostComment', value: null },
      ],
    },
  ],
  [
    'what a CRM transaction saved before a sweep and committed after it, with its message lost, is found by the overlap',
    {
      ...plain,
      happenings: [
        { kind: 'time', ms: 130_000 },
        { kind: 'time', ms: 130_000 },
        { kind: 'time', ms: 130_000 },
        { kind: 'time', ms: 130_000 },
        { kind: 'sweep' },
        { kind: 'steps', count: 8 },
        {
          kind: 'crm edit',
          deal: 0,
          field: 'name',
          value: 'Deal A',
          notice: 'lost',
          lateMs: 400_000,
        },
      ],
    },
  ],
  [
    'a text of the vendor that is longer than its field in the CRM is shown as far as that goes',
    { ...plain, happenings: [{ kind: 'vendor note', deal: 0, length: 300 }] },
  ],
  [
    'a vendor id that somebody empties is put back',
    { ...plain, happenings: [{ kind: 'lost id', deal: 0, notice: 'now' }] },
  ],
  [
    'a search for changes that a proxy answers with a page of its own is asked again',
    {
      ...plain,
      happenings: [
        {
          kind: 'vendor fault',
          fault: { status: 200, body: '<html><body>Try later</body></html>', times: 1 },
        },
        { kind: 'poll' },
        { kind: 'time', ms: 10_000 },
      ],
    },
  ],
  [
    'an update that fails is not shown as in sync, and after an hour its cause is told',
    {
      ...plain,
      happenings: [
        { kind: 'vendor fault', fault: { operation: 'updateLeadOpportunity', status: 500 } },
        { kind: 'crm edit', deal: 0, field: 'name', value: 'Deal A', notice: 'now' },
        { kind: 'time', ms: 130_000 },
        { kind: 'time', ms: 4_000_000 },
        { kind: 'time', ms: 4_000_000 },
      ],
    },
  ],
  [
    'what both sides changed waits for a person, who picks the vendor’s',
    {
      ...plain,
      manual: true,
      happenings: [
        both('nextMilestone', 'alpha', 'beta'),
        { kind: 'settle' },
        { kind: 'time', ms: 130_000 },
        { kind: 'pick', deal: 0, side: 'vendor' },
      ],
    },
  ],
  [
    'the company of an account that the integration user may not see stays at the vendor',
    {
      ...plain,
      happenings: [
        { kind: 'hidden account', deal: 0 },
        { kind: 'crm edit', deal: 0, field: 'name', value: 'Deal A', notice: 'now' },
        { kind: 'time', ms: 10_000 },
      ],
    },
  ],
  [
    'what an account came to show before the integration user may not see it any more waits until it may',
    {
      ...plain,
      happenings: [
        { kind: 'time', ms: 130_000 },
        { kind: 'account', deal: 0, city: 'Köln' },
        { kind: 'hidden account', deal: 0 },
        { kind: 'crm edit', deal: 0, field: 'cometCampaignCode', value: 'C1', notice: 'now' },
        { kind: 'time', ms: 2_500 },
      ],
    },
  ],
  [
    'a field that the integration user may not see is not emptied at the vendor',
    {
      ...plain,
      happenings: [
        { kind: 'crm edit', deal: 0, field: 'description', value: 'alpha', notice: 'now' },
        { kind: 'settle' },
        { kind: 'hidden field', deal: 0 },
        { kind: 'crm edit', deal: 0, field: 'name', value: 'Deal A', notice: 'now' },
        { kind: 'time', ms: 10_000 },
      ],
    },
  ],
  [
    'a value that its field in the CRM cannot hold waits by itself',
    {
      ...plain,
      happenings: [
        { kind: 'vendor misfit', deal: 0, field: 'cometCampaignCode' },
        { kind: 'vendor edit', deal: 0, field: 'description', value: 'alpha' },
      ],
    },
  ],
  [
    'two contacts with one address are told, and the deal goes on',
    {
      ...plain,
      happenings: [
        { kind: 'role', deal: 0, what: 'repeat' },
        { kind: 'crm edit', deal: 0, field: 'name', value: 'Deal A', notice: 'now' },
      ],
    },
  ],
  [
    'a tenant whose key is refused keeps no other tenant from its work',
    {
      ...plain,
      neighbour: true,
      happenings: [
        { kind: 'vendor fault', fault: { status: 401 } },
        { kind: 'crm edit', deal: 0, field: 'name', value: 'Deal A', notice: 'now' },
        { kind: 'time', ms: 10_000 },
        { kind: 'crm edit', deal: 1, field: 'name', value: 'Deal B', notice: 'now' },
        { kind: 'time', ms: 130_000 },
        { kind: 'time', ms: 130_000 },
        { kind: 'poll' },
        { kind: 'time', ms: 130_000 },
      ],
    },
  ],
  [
    'an update that a worker was about to send when it stood still is not sent over a newer one',
    {
      ...plain,
      happenings: [
        { kind: 'pause', after: 30, ms: 62_000 },
        { kind: 'crm edit', deal: 0, field: 'name', value: 'Deal A', notice: 'now' },
        { kind: 'time', ms: 50_000 },
        { kind: 'crm edit', deal: 0, field: 'name', value: 'Deal B', notice: 'now' },
        { kind: 'time', ms: 130_000 },
      ],
    },
  ],
  [
    'an update that leaves a worker which stood still, over a newer one, is no edit of a vendor user and is made good at once',
    {
      ...plain,
      prefer: 'later',
      lane: { takes: 'all', width: 1 },
      happenings: [
        { kind: 'pause', after: 41, ms: 46_000 },
        { kind: 'crm stage', deal: 0, stage: 'Prospecting', notice: 'now' },
        { kind: 'time', ms: 2_500 },
        { kind: 'crm stage', deal: 0, stage: 'Proposal/Price Quote', notice: 'now' },
      ],
    },
  ],
  [
    'a revenue type without a code takes nothing from the vendor',
    {
      ...plain,
      happenings: [
        { kind: 'vendor type', deal: 0 },
        { kind: 'settle' },
        { kind: 'crm type', deal: 0 },
        { kind: 'crm edit', deal: 0, field: 'name', value: 'Deal A', notice: 'now' },
      ],
    },
  ],
  [
    'a revenue type in the CRM without a code stays beside an amount from the vendor',
    {
      ...plain,
      happenings: [
        { kind: 'vendor type', deal: 0 },
        { kind: 'settle' },
        { kind: 'crm type', deal: 0 },
        { kind: 'settle' },
        {
          kind: 'vendor line',
          deal: 0,
          change: { what: 'amount', which: 0, offer: '', amount: 99.99 },
        },
      ],
    },
  ],
];

function both(field: string, value: string, other: string): Happening {
  return { kind: 'both edit', deal: 0, field, value, other, notice: 'now' };
}
