import fc from 'fast-check';
import type { LineChange, Notice } from './deal.ts';
import { CRM_STAGES, EARLY, FIELD_ROWS, OFFERS, VENDOR_STATUSES } from './fields.ts';
import type { StreamEvent } from './followed-events.ts';
import type { Lane } from './house.ts';
import type { Place } from './interruptions.ts';
import { OVERLAP_MS } from './lagging-search.ts';
import type { Conversion } from './leads.ts';
import { type ApiVersions, crmFault, crmLimits, crmVersions, signInFault, vendorFault } from './remote-faults.ts';

/** An event of a story. `deal` counts through the existing deals cyclically. Plain data, so that a story can be stored. */
export type Happening =
  | { kind: 'crm edit'; deal: number; field: string; value: string | null; notice: Notice; lateMs?: number }
  | { kind: 'vendor edit'; deal: number; field: string; value: string | null; lateMs?: number }
  | {
      kind: 'both edit';
      deal: number;
      field: string;
      value: string | null;
      other: string | null;
      notice: Notice;
    }
  | { kind: 'crm stage'; deal: number; stage: string; notice: Notice }
  | { kind: 'vendor status'; deal: number; status: string }
  | { kind: 'vendor currency'; deal: number; currency: string }
  | { kind: 'crm line'; deal: number; change: LineChange; notice: Notice }
  | { kind: 'vendor line'; deal: number; change: LineChange }
  /** A CRM user sets a revenue type without a code on a line; a vendor user sets a vendor type. */
  | { kind: 'crm type'; deal: number }
  | { kind: 'vendor type'; deal: number }
  | { kind: 'account'; deal: number; city: string }
  | { kind: 'contact'; deal: number; lastName: string }
  | { kind: 'vendor contact'; deal: number }
  | { kind: 'vendor company'; deal: number; vat: string }
  /** A vendor user's text that the CRM only shows. */
  | { kind: 'vendor note'; deal: number; length: number }
  /** A vendor user makes the record of an opportunity by hand, with the id from a Salesforce report. */
  | { kind: 'vendor copy'; deal: number }
  /** The integration user cannot see the deal's contact, its account, or one field of all deals, until the story settles. */
  | { kind: 'hidden contact'; deal: number }
  | { kind: 'hidden account'; deal: number }
  | { kind: 'hidden field'; deal: number }
  /** A vendor user enters a value that does not fit the CRM field. */
  | { kind: 'vendor misfit'; deal: number; field: 'cometCampaignCode' | 'gtmTacticId' }
  /** A CRM user picks the winning side of the shown conflicts. */
  | { kind: 'pick'; deal: number; side: 'crm' | 'vendor' }
  /** A user empties a field that Lockstep owns. */
  | { kind: 'lost id'; deal: number; notice: Notice }
  /** `repeat`: adds another contact with the address of an existing one. */
  | { kind: 'role'; deal: number; what: 'add' | 'remove' | 'repeat' }
  | { kind: 'account merge'; deal: number; city: string }
  /** The deal is moved to another customer. */
  | { kind: 'account move'; deal: number; city: string }
  | { kind: 'contact merge'; deal: number }
  | { kind: 'share'; deal: number; shared: boolean; notice: Notice }
  | { kind: 'crm deal'; lines: number; notice: Notice }
  | { kind: 'vendor deal' }
  | { kind: 'crm delete'; deal: number }
  | { kind: 'crm undelete'; deal: number }
  | { kind: 'vendor delete'; deal: number }
  | { kind: 'crm lead'; notice: Notice }
  /** A sales person converts a lead. */
  | { kind: 'convert'; deal: number; into: Conversion; notice: Notice }
  /** A lead is merged into another of the same person. */
  | { kind: 'lead merge'; deal: number; notice: Notice }
  | { kind: 'poll' }
  | { kind: 'sweep' }
  | { kind: 'vendor fault'; fault: Readonly<Record<string, unknown>> }
  | { kind: 'crm fault'; fault: Readonly<Record<string, unknown>> }
  /** The org refuses requests: read-only mode, too many concurrent requests, governor limits. */
  | { kind: 'crm limits'; limits: Readonly<Record<string, unknown>> }
  /** The org supports other versions of its REST API. */
  | { kind: 'crm versions'; served: ApiVersions }
  /** An approval locks the opportunity or ends. */
  | { kind: 'lock'; deal: number; locked: boolean }
  /** Something happens to the stream of change events, if the tenant follows it. */
  | { kind: 'events'; what: StreamEvent }
  /** The org ends all sessions and refuses the next sign-in. */
  | { kind: 'sign out'; fault: Readonly<Record<string, unknown>> | null }
  /** The vendor executes the next update this much later and does not answer it. */
  | { kind: 'late update'; ms: number }
  /** `place`: the place of the loss; default: `work`. */
  | { kind: 'lose'; what: 'worker' | 'run'; after: number; place?: Place }
  /** A worker pauses in the middle of an activity, counts as lost, and continues later. */
  | { kind: 'pause'; after: number; ms: number }
  /** An event in the middle of an activity. */
  | { kind: 'meanwhile'; after: number; what: Happening }
  /** Other work runs while an activity is in its middle. */
  | { kind: 'overlap'; after: number; steps: number }
  | { kind: 'steps'; count: number }
  | { kind: 'time'; ms: number }
  | { kind: 'settle' };

export type Story = {
  readonly seed: number;
  readonly arrays: 'replace' | 'merge';
  readonly prefer: 'later' | 'crm' | 'vendor';
  /** Adds a second tenant with working remote systems and one deal, which is the last in the count. */
  readonly neighbour?: boolean;
  /** The org has person accounts, one with each customer's name. */
  readonly personAccounts?: boolean;
  /** How changes arrive, as in the tenant file; absent: by outbound messages. With change events the org has no person accounts. */
  readonly changes?: 'outbound' | 'pubsub' | 'both';
  /** Users decide conflicts of some fields. */
  readonly manual?: boolean;
  /** The overlap in the tenant file; absent: the default. */
  readonly overlapMs?: number;
  /** The delay until the vendor's search shows a change, within the overlap; absent: none. */
  readonly searchLagMs?: number;
  /** This many records that are due together share a search; 0: each counts as part of a burst. */
  readonly burstFrom?: number;
  /** The lane takes all or some of the woken records; absent: each has its own workflow. */
  readonly lane?: Lane;
  /** The tenant syncs leads; `imports`: also those of the vendor. Such an org has neither person accounts nor change events. */
  readonly leads?: { readonly imports: boolean };
  /** The deals at the beginning; whether they are settled first. */
  readonly deals: readonly ('crm' | 'vendor' | 'lead')[];
  readonly settled: boolean;
  readonly happenings: readonly Happening[];
};

/** Apex governor limits: "Maximum execution time for each Apex transaction". */
const LONGEST_TRANSACTION_MS = 600_000;

const deal = fc.nat(2);
/** As many points as a CRM change passes on its way to the vendor, and some more. */
const after = fc.integer({ min: 1, max: 45 });
const notice: fc.Arbitrary<Notice> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Notice>('now') },
  { weight: 3, arbitrary: fc.constantFrom<Notice>('lost', 'twice', 'late', 'unsignalled') },
);
const entry = fc
  .constantFrom(...FIELD_ROWS)
  .chain((field) => fc.record({ field: fc.constant(field.name), value: fc.constantFrom(...field.values) }));
const twoEntries = fc.constantFrom(...FIELD_ROWS).chain((field) =>
  fc.record({
    field: fc.constant(field.name),
    value: fc.constantFrom(...field.values),
    other: fc.constantFrom(...field.values),
  }),
);
const change: fc.Arbitrary<LineChange> = fc.record({
  what: fc.constantFrom('amount', 'add', 'delete'),
  which: fc.nat(2),
  offer: fc.constantFrom(...OFFERS),
  amount: fc.constantFrom(0, 10, 99.99, 12_500.5),
});

function kind<K extends Happening['kind']>(
  name: K,
  parts: { [P in Exclude<keyof Extract<Happening, { kind: K }>, 'kind'>]: fc.Arbitrary<unknown> },
): fc.Arbitrary<Happening> {
  return fc.record({ kind: fc.constant(name), ...parts }) as unknown as fc.Arbitrary<Happening>;
}

/** The overlap of a vendor that shows changes soon. */
const SHORT_OVERLAP_MS = 10_000;
/** Up to the overlap of the stories' tenant, which is the maximum. */
const lag = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.integer({ min: 1_000, max: OVERLAP_MS }) },
);
/** How long a transaction of the CRM may be open. */
const open = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.integer({ min: 1_000, max: LONGEST_TRANSACTION_MS }) },
);
const crmEdit = entry.chain((what) =>
  kind('crm edit', {
    deal,
    field: fc.constant(what.field),
    value: fc.constant(what.value),
    notice,
    lateMs: open,
  }),
);
const vendorEdit = entry.chain((what) =>
  kind('vendor edit', {
    deal,
    field: fc.constant(what.field),
    value: fc.constant(what.value),
    lateMs: lag,
  }),
);
const bothEdit = twoEntries.chain(({ field, value, other }) =>
  kind('both edit', {
    deal,
    field: fc.constant(field),
    value: fc.constant(value),
    other: fc.constant(other),
    notice,
  }),
);
const crmStage = kind('crm stage', { deal, stage: fc.constantFrom(...CRM_STAGES), notice });
const vendorStatus = kind('vendor status', { deal, status: fc.constantFrom(...VENDOR_STATUSES) });
const crmLine = kind('crm line', { deal, change, notice });
const vendorLine = kind('vendor line', { deal, change });

const convert = kind('convert', {
  deal,
  into: fc.constantFrom<Conversion>('new', 'new', 'new', 'none', 'unshared', 'other'),
  notice,
});

const userEdit = fc.oneof(crmEdit, vendorEdit, crmStage, vendorStatus, crmLine, vendorLine);

const lose: fc.Arbitrary<Happening> = fc.record({
  kind: fc.constant('lose'),
  what: fc.constantFrom('worker', 'run'),
  after,
});

/** What happens to the deals of any tenant. */
const usual = [
  { weight: 6, arbitrary: crmEdit },
  { weight: 6, arbitrary: vendorEdit },
  { weight: 3, arbitrary: bothEdit },
  { weight: 2, arbitrary: crmStage },
  { weight: 2, arbitrary: vendorStatus },
  { weight: 1, arbitrary: kind('vendor currency', { deal, currency: fc.constantFrom('USD', 'EUR') }) },
  { weight: 3, arbitrary: crmLine },
  { weight: 3, arbitrary: vendorLine },
  { weight: 1, arbitrary: kind('crm type', { deal }) },
  { weight: 1, arbitrary: kind('vendor type', { deal }) },
  { weight: 1, arbitrary: kind('account', { deal, city: fc.constantFrom('Köln', 'Mainz') }) },
  { weight: 1, arbitrary: kind('contact', { deal, lastName: fc.constantFrom('Meier', 'Schulz') }) },
  { weight: 2, arbitrary: kind('vendor contact', { deal }) },
  { weight: 2, arbitrary: kind('vendor company', { deal, vat: fc.constantFrom('FR 1', 'FR 2') }) },
  { weight: 1, arbitrary: kind('vendor note', { deal, length: fc.constantFrom(20, 300) }) },
  { weight: 1, arbitrary: kind('vendor copy', { deal }) },
  { weight: 1, arbitrary: kind('hidden contact', { deal }) },
  { weight: 1, arbitrary: kind('hidden account', { deal }) },
  { weight: 1, arbitrary: kind('hidden field', { deal }) },
  {
    weight: 1,
    arbitrary: kind('vendor misfit', { deal, field: fc.constantFrom('cometCampaignCode', 'gtmTacticId') }),
  },
  { weight: 1, arbitrary: kind('pick', { deal, side: fc.constantFrom('crm', 'vendor') }) },
  { weight: 1, arbitrary: kind('lost id', { deal, notice }) },
  { weight: 3, arbitrary: kind('role', { deal, what: fc.constantFrom('add', 'remove', 'repeat') }) },
  {
    weight: 1,
    arbitrary: kind('account merge', { deal, city: fc.constantFrom('Trier', 'Ulm') }),
  },
  { weight: 1, arbitrary: kind('account move', { deal, city: fc.constantFrom('Bonn', 'Jena') }) },
  { weight: 1, arbitrary: kind('contact merge', { deal }) },
  { weight: 2, arbitrary: kind('share', { deal, shared: fc.boolean(), notice }) },
  { weight: 2, arbitrary: kind('crm deal', { lines: fc.nat(2), notice }) },
  { weight: 2, arbitrary: kind('vendor deal', {}) },
  { weight: 1, arbitrary: kind('crm delete', { deal }) },
  { weight: 2, arbitrary: kind('crm undelete', { deal }) },
  { weight: 1, arbitrary: kind('vendor delete', { deal }) },
  { weight: 5, arbitrary: kind('poll', {}) },
  { weight: 4, arbitrary: kind('sweep', {}) },
  { weight: 4, arbitrary: kind('vendor fault', { fault: vendorFault }) },
  { weight: 3, arbitrary: kind('crm fault', { fault: crmFault }) },
  { weight: 2, arbitrary: kind('crm limits', { limits: crmLimits }) },
  { weight: 1, arbitrary: kind('crm versions', { served: crmVersions }) },
  {
    weight: 2,
    arbitrary: kind('lock', { deal, locked: fc.constantFrom(true, true, false) }),
  },
  { weight: 1, arbitrary: kind('sign out', { fault: signInFault }) },
  {
    weight: 1,
    arbitrary: kind('events', { what: fc.constantFrom('stand still', 'go on', 'twice', 'gap', 'forgotten') }),
  },
  { weight: 2, arbitrary: kind('late update', { ms: fc.constantFrom(2_000, 20_000, 60_000, 200_000) }) },
  { weight: 3, arbitrary: lose },
  {
    weight: 1,
    arbitrary: kind('lose', {
      what: fc.constant('worker'),
      after: fc.integer({ min: 1, max: 12 }),
      place: fc.constant('waking'),
    }),
  },
  {
    weight: 3,
    arbitrary: kind('pause', { after, ms: fc.constantFrom(1_000, 46_000, 50_000, 62_000, 130_000) }),
  },
  { weight: 2, arbitrary: kind('overlap', { after, steps: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 8, arbitrary: kind('steps', { count: fc.integer({ min: 1, max: 8 }) }) },
  { weight: 6, arbitrary: kind('time', { ms: fc.constantFrom(400, 2_500, 10_000, 130_000) }) },
  // A time after which no request without an answer is awaited any more.
  { weight: 1, arbitrary: kind('time', { ms: fc.constant(4_000_000) }) },
  { weight: 1, arbitrary: kind('settle', {}) },
];

const happening: fc.Arbitrary<Happening> = fc.oneof(...usual, {
  weight: 3,
  arbitrary: kind('meanwhile', { after, what: userEdit }),
});

/** What happens where leads are synced too. */
const happeningWithLeads: fc.Arbitrary<Happening> = fc.oneof(
  ...usual,
  { weight: 2, arbitrary: kind('meanwhile', { after, what: userEdit }) },
  { weight: 3, arbitrary: kind('meanwhile', { after, what: convert }) },
  { weight: 6, arbitrary: convert },
  { weight: 3, arbitrary: kind('crm lead', { notice }) },
  { weight: 2, arbitrary: kind('lead merge', { deal, notice }) },
  { weight: 3, arbitrary: kind('vendor status', { deal, status: fc.constantFrom(...EARLY) }) },
);

const seldom = fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) });

const model = {
  seed: fc.nat(1_000_000),
  arrays: fc.constantFrom('replace', 'merge'),
  prefer: fc.constantFrom('later', 'crm', 'vendor'),
  manual: fc.boolean(),
  neighbour: seldom,
  personAccounts: seldom,
  changes: fc.oneof(
    { weight: 4, arbitrary: fc.constant('outbound') },
    { weight: 1, arbitrary: fc.constantFrom('pubsub', 'both') },
  ),
  overlapMs: fc.constantFrom(OVERLAP_MS, SHORT_OVERLAP_MS),
  searchLagMs: lag,
  burstFrom: fc.constantFrom(0, 8),
  deals: fc.array(fc.constantFrom('crm', 'crm', 'vendor'), { minLength: 1, maxLength: 2 }),
  settled: fc.boolean(),
  happenings: fc.array(happening, { minLength: 1, maxLength: 24, size: 'max' }),
} as const;

const lane: fc.Arbitrary<Lane> = fc.record({
  takes: fc.constantFrom('all', 'some'),
  width: fc.constantFrom(1, 3),
});

/** Random stories of opportunities, half of them with a lane. */
const ofOpportunities: fc.Arbitrary<Story> = fc.record(
  { ...model, lane },
  { requiredKeys: Object.keys(model) as (keyof typeof model)[] },
);

const modelOfLeads = {
  ...model,
  personAccounts: fc.constant(false),
  changes: fc.constant('outbound' as const),
  leads: fc.record({ imports: fc.boolean() }),
  deals: fc.array(fc.constantFrom('lead', 'lead', 'crm', 'vendor'), { minLength: 1, maxLength: 2 }),
  happenings: fc.array(happeningWithLeads, { minLength: 1, maxLength: 24, size: 'max' }),
} as const;

/** Random stories in which deals begin as leads. */
export const storiesOfLeads: fc.Arbitrary<Story> = fc.record(
  { ...modelOfLeads, lane },
  { requiredKeys: Object.keys(modelOfLeads) as (keyof typeof modelOfLeads)[] },
);

/** Random stories, a quarter of them with leads. */
export const stories: fc.Arbitrary<Story> = fc.oneof(
  { weight: 3, arbitrary: ofOpportunities },
  { weight: 1, arbitrary: storiesOfLeads },
);

/** A story with one line per event, to read and to store. */
export function tell(story: Story): string {
  const { happenings, ...rest } = story;
  return [JSON.stringify(rest), ...happenings.map((item) => `  ${JSON.stringify(item)}`)].join('\n');
}
