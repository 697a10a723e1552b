import { until } from '../../test/support/until.ts';
import { actionsSince, ofRecords } from './actions.ts';
import { type Counts, counted } from './count.ts';
import { costsBetween, type LedgerCosts, ledgerCosts } from './ledger-costs.ts';
import { oneActivityWorkflows } from './one-activity.ts';
import type { Measured } from './table.ts';
import type { VendorRecord, World } from './world.ts';

const LIMIT_MS = 600_000;
const AT_ONCE = 20;
/** The maximum number of ledger statements, and of kilobytes of PostgreSQL's write-ahead log, for one change that the lane processes. */
const MOST_STATEMENTS = 3;
const MOST_WAL_KB = 6;

/** Edits many records at the vendor, which one poll finds; then edits as many in the CRM. */
export async function bulk(world: World): Promise<readonly Measured[]> {
  const ids = await linked(world);
  const most = await oneActivityWorkflows(world.stack);
  const asParts = await fromVendor(world, ids, most, AS_PARTS);
  await world.crm.takeNodeHeaders(true);
  // A worker remembers for a session what the org has shown about its graphs.
  await world.crm.endSessions();
  const asGraphs = await fromVendor(world, ids, most, AS_GRAPHS);
  // As in production, where a poll runs each minute: records that vendor users changed shortly before the last poll must be read before a
  // write.
  await world.poll();
  await world.quiet(LIMIT_MS);
  return [...asParts, ...asGraphs, ...(await fromCrm(world, ids, most))];
}

/** CRM updates in an org whose composite graphs ignore conditions (parts), and in one whose graphs respect them. */
const AS_PARTS = { value: 'BULK', words: '', limit: 0.05 };
const AS_GRAPHS = { value: 'GRAPHS', words: ', as graphs', limit: 0.03 };
type Way = typeof AS_PARTS;

export type Deal = { readonly crmId: string; readonly vendorId: string };

async function fromVendor(
  world: World,
  deals: readonly Deal[],
  most: number,
  { value, words, limit }: Way,
): Promise<readonly Measured[]> {
  const scenario = `${world.records} vendor changes in one poll${words}`;
  const took = await timed(world, async () => {
    await inParts(deals, ({ vendorId }) => world.vendor.edit(vendorId, { gtmTacticId: value }));
    await world.poll();
  });
  const wrong = (await world.crm.records<VendorRecord>('Opportunity')).filter(
    ({ fields }) => String(fields['Name']).startsWith('Bulk ') && fields['Vendor_GTM_Tactic__c'] !== value,
  );
  const each = (count: number): number => count / deals.length;
  return [
    { scenario, what: 'CRM calls of any kind a change', measured: each(took.crmCalls), limit },
    { scenario, what: 'CRM reads a change', measured: each(took.crmReads), limit: null },
    { scenario, what: 'CRM writes a change', measured: each(took.crmWrites), limit: null },
    { scenario, what: 'vendor reads a change', measured: each(took.vendorReads), limit: 1 },
    { scenario, what: 'vendor writes', measured: took.vendorWrites, limit: 0 },
    { scenario, what: 'wrong final states', measured: wrong.length, limit: 0 },
    ...paces(scenario, deals.length, took, most),
  ];
}

async function fromCrm(world: World, deals: readonly Deal[], most: number): Promise<readonly Measured[]> {
  const scenario = `${world.records} CRM edits, reported by messages`;
  const took = await timed(world, async () => {
    await inParts(deals, ({ crmId }) => world.crm.edit(crmId, { Vendor_Campaign_Code__c: 'BULK' }));
  });
  const wrong = (await world.vendor.records<VendorRecord>('leadOpportunity')).filter(
    ({ fields }) => String(fields['name']).startsWith('Bulk ') && fields['cometCampaignCode'] !== 'BULK',
  );
  const each = (count: number): number => count / deals.length;
  return [
    { scenario, what: 'CRM calls of any kind a change', measured: each(took.crmCalls), limit: null },
    { scenario, what: 'vendor reads a change', measured: each(took.vendorReads), limit: null },
    { scenario, what: 'vendor searches a change', measured: each(took.vendorSearches), limit: null },
    { scenario, what: 'vendor writes a change', measured: each(took.vendorWrites), limit: 1 },
    { scenario, what: 'vendor calls a change', measured: each(vendorCallsOf(took)), limit: 1.1 },
    { scenario, what: 'wrong final states', measured: wrong.length, limit: 0 },
    ...paces(scenario, deals.length, took, most),
  ];
}

/** Vendor requests before and with the writes. Later polls read the echoes of the writes. */
function vendorCallsOf({ vendorReads, vendorSearches, vendorWrites }: Counts): number {
  return vendorReads + vendorSearches + vendorWrites;
}

/** `making`: seconds that the edits themselves took. */
type Took = Counts & {
  readonly costs: LedgerCosts;
  readonly seconds: number;
  readonly making: number;
  readonly actions: number;
};

/** Measures the time and the costs until all work is done. */
async function timed(world: World, edit: () => Promise<void>): Promise<Took> {
  const [beganMs, since] = [performance.now(), new Date().toISOString()];
  let making = 0;
  const before = await ledgerCosts(world);
  const counts = await counted(world, async () => {
    await edit();
    making = (performance.now() - beganMs) / 1_000;
    await world.quiet(LIMIT_MS);
  });
  const seconds = (performance.now() - beganMs) / 1_000;
  const after = await ledgerCosts(world);
  const actions = ofRecords(await actionsSince(world.stack, since));
  return { ...counts, costs: costsBetween(before, after), seconds, making, actions };
}

/** `most`: how many workflows with one activity the same server completes per second. */
function paces(
  scenario: string,
  changes: number,
  { seconds, making, actions, costs }: Took,
  most: number,
): readonly Measured[] {
  const perSecond = changes / seconds;
  return [
    { scenario, what: 'Temporal actions a change', measured: actions / changes, limit: null },
    ...ofLedger(scenario, changes, costs),
    { scenario, what: 'seconds, of which the edits took', measured: making, limit: null },
    { scenario, what: 'changes a second', measured: perSecond, limit: null },
    {
      scenario,
      what: 'changes a second ÷ one-activity workflows a second',
      measured: perSecond / most,
      limit: null,
    },
  ];
}

/** The ledger's costs of a change: statements, also by kind, and what PostgreSQL wrote for them. */
function ofLedger(scenario: string, changes: number, { kinds, walBytes, updates }: LedgerCosts): readonly Measured[] {
  const all = [...kinds.values()].reduce((sum, { calls }) => sum + calls, 0);
  const byKind = [...kinds].filter(([, { calls }]) => calls >= changes / 100);
  return [
    { scenario, what: 'statements of the ledger a change', measured: all / changes, limit: MOST_STATEMENTS },
    ...byKind.flatMap(([kind, { calls, walBytes: bytes }]) => [
      { scenario, what: `  ${kind}: calls a change`, measured: calls / changes, limit: null },
      { scenario, what: `  ${kind}: WAL bytes a change`, measured: Math.round(bytes / changes), limit: null },
    ]),
    { scenario, what: 'kilobytes of WAL a change', measured: walBytes / changes / 1_000, limit: MOST_WAL_KB },
    ...[...updates].flatMap(([table, { all: updated, hot }]) => [
      { scenario, what: `updates of ${table} a change`, measured: updated / changes, limit: null },
      {
        scenario,
        what: `updates of ${table} that change an index, of 1`,
        measured: updated === 0 ? 0 : 1 - hot / updated,
        limit: null,
      },
    ]),
  ];
}

const made = new WeakMap<World, Promise<readonly Deal[]>>();

/** Records that exist on both sides, made in the CRM once for all scenarios of a run. */
export function linked(world: World): Promise<readonly Deal[]> {
  const deals = made.get(world) ?? makeLinked(world);
  made.set(world, deals);
  return deals;
}

async function makeLinked(world: World): Promise<readonly Deal[]> {
  const account = await world.user.create('Account', {
    Name: 'Bulk GmbH',
    BillingCity: 'Bonn',
    BillingCountry: 'DE',
  });
  const contact = await world.user.create('Contact', {
    AccountId: account,
    LastName: 'Muster',
    Email: 'muster@bulk.example',
  });
  const numbers = Array.from({ length: world.records }, (_, n) => n);
  await inParts(numbers, async (n) => {
    const id = await world.user.create('Opportunity', {
      Name: `Bulk ${n}`,
      AccountId: account,
      StageName: 'Value Proposition',
      CloseDate: '2027-03-31',
    });
    await world.user.create('OpportunityContactRole', {
      OpportunityId: id,
      ContactId: contact,
      IsPrimary: true,
    });
    await world.user.line(id);
    await world.user.share(id);
  });
  const atVendor = await until(
    'the vendor has all',
    async () => {
      const records = await world.vendor.records<VendorRecord>('leadOpportunity');
      const bulk = records.filter(({ fields }) => String(fields['name']).startsWith('Bulk '));
      return bulk.length === world.records ? bulk : null;
    },
    LIMIT_MS,
  );
  await world.quiet(LIMIT_MS);
  await world.poll();
  await world.quiet(LIMIT_MS);
  return atVendor.map(({ id, fields }) => ({
    crmId: String(fields['partnerLeadOpportunityId']),
    vendorId: id,
  }));
}

/** Runs `work` on the items, a few at a time. */
export async function inParts<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < items.length; start += AT_ONCE) {
    await Promise.all(items.slice(start, start + AT_ONCE).map(work));
  }
}
