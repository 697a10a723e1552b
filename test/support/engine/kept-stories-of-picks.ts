import type { Happening, Story } from './story.ts';

const plain = { seed: 0, arrays: 'replace', prefer: 'later', deals: ['crm'], settled: true } as const;

const pick = (side: 'crm' | 'vendor') => ({ kind: 'pick', deal: 0, side }) as const;
const inCrm = (value: string) =>
  ({ kind: 'crm edit', deal: 0, field: 'nextMilestone', value, notice: 'now' }) as const;
const atVendor = (value: string) =>
  ({ kind: 'vendor edit', deal: 0, field: 'nextMilestone', value }) as const;
const stage = (to: string) => ({ kind: 'crm stage', deal: 0, stage: to, notice: 'now' }) as const;
const status = (to: string) => ({ kind: 'vendor status', deal: 0, status: to }) as const;

/** A text waits for a person. */
const ofText = (...happenings: readonly Happening[]): Story => ({
  ...plain,
  manual: true,
  happenings: [
    { kind: 'both edit', deal: 0, field: 'nextMilestone', value: 'alpha', other: 'beta', notice: 'now' },
    { kind: 'settle' },
    ...happenings,
  ],
});

/** A deal that the vendor has closed, and the CRM's users have not, waits for a person. */
const ofClosed = (...happenings: readonly Happening[]): Story => ({
  ...plain,
  happenings: [
    status('WON'),
    { kind: 'settle' },
    stage('Negotiation/Review'),
    { kind: 'settle' },
    ...happenings,
  ],
});

/** Kept stories of a pick, and of what people edit before it is read: it holds for the values as they are then. */
export const STORIES_OF_PICKS: readonly (readonly [name: string, story: Story])[] = [
  ['a pick decides what the CRM has after it', ofText(pick('vendor'), inCrm('gamma'))],
  ['a pick decides what the vendor has after it', ofText(pick('crm'), atVendor('gamma'))],
  ['a pick decides what the CRM had before it', ofText(inCrm('gamma'), pick('vendor'))],
  ['a pick decides what the vendor had before it', ofText(atVendor('gamma'), pick('crm'))],
  ['of two picks the later decides', ofText(pick('vendor'), pick('crm'))],
  [
    'what is edited once a pick was followed is an edit',
    ofText(pick('vendor'), { kind: 'sweep' }, { kind: 'time', ms: 20_000 }, inCrm('gamma')),
  ],
  [
    'a pick of the vendor’s end decides the stage after it',
    ofClosed(pick('vendor'), stage('Perception Analysis')),
  ],
  [
    'a pick of the vendor’s end decides the stage after it, whichever came between',
    ofClosed(
      pick('vendor'),
      stage('Perception Analysis'),
      { kind: 'time', ms: 60_000 },
      stage('Negotiation/Review'),
      stage('Perception Analysis'),
    ),
  ],
  [
    'a pick of the CRM’s status decides the vendor’s after it',
    ofClosed(pick('crm'), status('LOST'), status('WON')),
  ],
  [
    'what a side had when it was looked at last is no edit, though both have shown another value since',
    {
      ...plain,
      manual: true,
      happenings: [
        {
          kind: 'both edit',
          deal: 0,
          field: 'nextMilestone',
          value: 'alpha',
          other: 'alpha',
          notice: 'lost',
        },
        { kind: 'both edit', deal: 0, field: 'nextMilestone', value: 'beta', other: null, notice: 'now' },
      ],
    },
  ],
];
