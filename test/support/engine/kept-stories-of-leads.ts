import type { Notice } from './deal.ts';
import {
  bothEdit,
  crmEdit,
  crmFault,
  crmLine,
  crmStage,
  happens,
  type KeptStory,
  lateUpdate,
  lose,
  meanwhile,
  pause,
  poll,
  role,
  settle,
  share,
  steps,
  story,
  sweep,
  time,
  vendorCompany,
  vendorDeal,
  vendorEdit,
  vendorFault,
  vendorLine,
  vendorStatus,
} from './happenings.ts';
import type { Conversion } from './leads.ts';
import type { Happening } from './story.ts';

const convert = (into: Conversion, deal = 0, notice: Notice = 'now'): Happening => ({
  kind: 'convert',
  deal,
  into,
  notice,
});
const merge = (deal = 0): Happening => ({ kind: 'lead merge', deal, notice: 'now' });
const OF_LEADS = { leads: { imports: false }, deals: ['lead'] } as const;

/** Stories of deals that begin as leads. */
export const STORIES_OF_LEADS: readonly KeptStory[] = [
  story(
    'a lead that is converted before the vendor has it is no longer due',
    { ...OF_LEADS, settled: false },
    convert('new'),
    vendorFault({ operation: 'createLeadOpportunity', cut: 'before', times: 1 }),
  ),
  story('the row of a deleted lead says that the deal has ended', OF_LEADS, happens('crm delete')),
  story(
    'a lead that is merged, and whose remaining lead is converted before anybody looks, goes on as the opportunity',
    { ...OF_LEADS, settled: false },
    merge(),
    convert('unshared'),
    lateUpdate(2_000),
    vendorFault({ status: 503, times: 2 }),
  ),
  story('a lead that is merged into a shared one is no second record', OF_LEADS, merge(), poll),
  story(
    'a lead that is converted into the opportunity of another deal waits, and its report comes to rest',
    { ...OF_LEADS, deals: ['vendor', 'lead'] },
    convert('other', 1),
  ),
  story(
    'a lead that is merged, registered and converted within a second is the same deal',
    { ...OF_LEADS, settled: false },
    ...[merge(), time(400), convert('new', 0, 'lost'), role('add')],
  ),
  story(
    'a lead that is converted into the opportunity of another deal says nothing about that deal',
    { ...OF_LEADS, deals: ['lead', 'vendor'] },
    convert('other', 0, 'lost'),
    share(false),
  ),
  story(
    'a copy that a vendor user made of a lead is the second record of the opportunity that the lead became',
    { ...OF_LEADS, settled: false },
    ...[happens('vendor copy'), time(400), convert('new', 0, 'lost'), poll],
  ),
  story(
    'a lead that is merged keeps its line',
    { ...OF_LEADS, arrays: 'merge' },
    vendorLine({ what: 'amount', which: 0, offer: 'OFR-DES-001', amount: 0 }),
    merge(),
  ),
  story(
    'a line that is added right after the conversion stands beside the lead’s',
    { leads: { imports: true }, deals: ['lead'] },
    convert('new'),
    crmLine({ what: 'add', which: 2, offer: 'OFR-DES-002', amount: 99.99 }),
  ),
  story(
    'contacts that are hidden while a lead is converted are compared when they can be read',
    OF_LEADS,
    convert('new', 0, 'lost'),
    crmEdit('nextMilestone', 'alpha'),
    ...[poll, happens('hidden contact'), time(4_000_000), happens('contact merge')],
  ),
  story(
    'a late answer that a field is hidden counts from when it was asked for',
    { ...OF_LEADS, settled: false, burstFrom: 0, lane: { takes: 'all', width: 3 } },
    ...[happens('hidden field'), convert('new'), { kind: 'lose', what: 'worker', after: 13 } as const, steps(2)],
  ),
  story(
    'an edit of a lead whose opportunity Salesforce refuses to write reaches the vendor later',
    { ...OF_LEADS, settled: false, burstFrom: 0, prefer: 'later', lane: { takes: 'some', width: 3 } },
    ...[time(4_000_000), poll],
    crmFault({
      ...{ operation: 'sobject.update', status: 400, errorCode: 'FIELD_CUSTOM_VALIDATION_EXCEPTION' },
      ...{ fields: ['StageName'], times: 1 },
    }),
    meanwhile(1, convert('new', 0, 'lost')),
    ...[crmEdit('description', 'alpha'), time(130_000)],
  ),
  story(
    'what a vendor user entered for a lead that has no such field is in the CRM after the conversion',
    { ...OF_LEADS, settled: true, burstFrom: 0 },
    ...[vendorEdit('reasonWon', 'SOLUTION_FUNCT'), poll, time(400), convert('new')],
    { kind: 'lose', what: 'worker', after: 1 } as const,
  ),
  story(
    'a lead without an offer leaves the lines of a record that a vendor user made for it',
    { leads: { imports: true }, arrays: 'merge', deals: ['lead'], settled: false },
    ...[happens('vendor copy'), merge()],
  ),
  story(
    'a stage that a user chooses right after the conversion stays, though the vendor has moved the deal further',
    OF_LEADS,
    ...[vendorStatus('VALIDATED'), settle, convert('new'), crmStage('Negotiation/Review')],
  ),
  story(
    'a lead that a vendor user has copied is converted into an opportunity that gets its own vendor record',
    { ...OF_LEADS, settled: false },
    happens('vendor copy'),
    { kind: 'crm deal', lines: 1, notice: 'lost' },
    convert('other', 0, 'lost'),
  ),
  story(
    'a create that a stalled worker sends after the lead was merged makes no second record',
    { ...OF_LEADS, settled: false },
    ...[pause(28, 46_000), time(400), merge()],
    { kind: 'lose', what: 'worker', after: 1 },
  ),
  story(
    'a create that a stalled worker sends after the lead was converted is compared with the opportunity',
    { ...OF_LEADS, settled: false },
    ...[pause(28, 46_000), time(400), convert('new'), lose('worker', 1)],
  ),
  story(
    'a lead with two vendor records is an opportunity with two',
    { ...OF_LEADS, settled: false },
    ...[happens('vendor copy'), settle, convert('new')],
  ),
  story(
    'a lead that the vendor has is converted into an opportunity that is not shared',
    OF_LEADS,
    ...[convert('unshared'), settle, crmEdit('name', 'Deal A')],
  ),
  story(
    'the contact that a create is bringing to the vendor stays when the lead becomes an opportunity without contacts',
    { ...OF_LEADS, settled: false, lane: { takes: 'all', width: 3 } },
    meanwhile(12, convert('unshared')),
    { kind: 'steps', count: 1 },
  ),
  story(
    'a lead that is merged while its create is in doubt goes on as the lead into which it was merged',
    { ...OF_LEADS, settled: false },
    vendorFault({ operation: 'createLeadOpportunity', status: 500 }),
    ...[time(130_000), merge(), sweep],
  ),
  story(
    'an edit of a lead is no edit of another deal’s opportunity into which it is converted',
    { ...OF_LEADS, deals: ['vendor', 'lead'] },
    crmEdit('description', 'alpha', { deal: 1, notice: 'unsignalled' }),
    convert('other', 1),
  ),
  story(
    'an edit of a lead stays in the opportunity of a deal that the vendor does not have yet',
    OF_LEADS,
    crmEdit('description', 'alpha', { notice: 'unsignalled' }),
    { kind: 'crm deal', lines: 2, notice: 'lost' },
    convert('other'),
  ),
  story(
    'a lead that is merged twice within a moment is one deal, while several records are processed at once',
    { ...OF_LEADS, seed: 12_417, lane: { takes: 'all', width: 3 } },
    bothEdit('name', 'Deal A', 'Deal A'),
    { kind: 'lead merge', deal: 0, notice: 'late' },
    ...[sweep, merge(), steps(11)],
  ),
  story(
    'a lead that becomes the opportunity of a deal that the vendor deleted waits beside it',
    { ...OF_LEADS, deals: ['crm', 'lead'] },
    ...[
      { kind: 'vendor delete', deal: 0 } as const,
      convert('other', 1),
      { kind: 'vendor currency', deal: 1, currency: 'USD' } as const,
    ],
  ),
  story(
    'a lead of the vendor that is merged leaves nothing that has to be synced for ever',
    { leads: { imports: true }, deals: [], settled: false },
    ...[vendorDeal, vendorStatus('ACCEPTED'), settle, merge(), sweep],
  ),
  story(
    'an edit of the opportunity into which a lead was converted is an edit of both deals',
    { leads: { imports: true }, deals: ['lead', 'crm'], settled: false },
    convert('other'),
    bothEdit('name', 'Deal A', 'Deal A'),
  ),
  story(
    'an opportunity that the vendor made a lead again is an opportunity at its next stage',
    OF_LEADS,
    ...[convert('new'), settle, vendorStatus('LEAD_OPEN'), settle, crmStage('Qualification'), settle],
  ),
  story(
    'a lead of the vendor leaves its lines alone',
    { leads: { imports: true }, arrays: 'merge', deals: [], settled: false },
    vendorDeal,
    vendorStatus('LEAD_OPEN'),
  ),
  story(
    'a contact of a lead that is sent while the lead is converted into another opportunity stays at the vendor',
    { ...OF_LEADS, prefer: 'later', lane: { takes: 'all', width: 3 }, seed: 84_668 },
    ...[vendorEdit('name', 'Deal A'), { kind: 'contact', deal: 0, lastName: 'Schulz' } as const, poll],
    { kind: 'meanwhile', after: 42, what: convert('unshared', 0, 'twice') } as const,
    ...[role('remove'), sweep, steps(4), bothEdit('closeDate', '2027-03-31', '2027-03-31')],
  ),
  story(
    'a lead that is deleted while its first create runs has a row that says that the deal has ended',
    {
      ...{ leads: { imports: false }, deals: ['vendor'], prefer: 'later', seed: 32_693, burstFrom: 8 },
      ...{ overlapMs: 10_000, searchLagMs: 0, lane: { takes: 'some', width: 3 } },
    },
    ...[lose('worker', 20), { kind: 'crm lead', notice: 'now' } as const, steps(1), vendorCompany('FR 2')],
    ...[happens('crm delete', 1), sweep, { kind: 'crm deal', lines: 2, notice: 'twice' } as const, steps(8)],
    ...[vendorFault({ status: 403, times: 2 }), steps(7), { kind: 'crm deal', lines: 2, notice: 'lost' } as const],
    ...[vendorDeal, bothEdit('competitors', 'GLOBEX', null, { deal: 1 })],
  ),
  story(
    'a user edits an imported opportunity while the answer to its import is outstanding, and the vendor hears of it',
    {
      ...{ leads: { imports: true }, deals: ['vendor', 'vendor'], settled: false, neighbour: true, seed: 107_170 },
      ...{ prefer: 'later', overlapMs: 300_000, searchLagMs: 0, lane: { takes: 'some', width: 3 } },
    },
    crmFault({ operation: 'queryAll', status: 429, retryAfterSeconds: 0, times: 1 }),
    vendorFault({ operation: 'updateLeadOpportunity', status: 409, times: 3 }),
    ...[time(130_000), happens('hidden contact'), vendorStatus('ACCEPTED'), poll, steps(7)],
    crmEdit('reasonLost', 'FUNC_GAP', { deal: 1, notice: 'twice', lateMs: 129_715 }),
    time(10_000),
  ),
  story(
    'a user saves a lead’s status again, which stands for two vendor statuses, and chooses neither',
    { ...OF_LEADS, leads: { imports: true } },
    ...[vendorStatus('ACCEPTED'), settle, crmStage('Id. Decision Makers')],
  ),
  story(
    'a user edits the opportunity that two leads became, which goes on with the vendor record of the second',
    {
      ...{ leads: { imports: true }, deals: ['lead', 'lead'], prefer: 'later', overlapMs: 300_000, searchLagMs: 1_000 },
      ...{ burstFrom: 0, lane: { takes: 'all', width: 1 } },
    },
    convert('new'),
    crmLine({ what: 'delete', which: 2, offer: 'OFR-DES-002', amount: 0 }),
    ...[convert('other', 1), vendorStatus('QUALIFIED', 1), time(130_000)],
    crmFault({
      ...{ operation: 'queryAll', status: 403, errorCode: 'REQUEST_LIMIT_EXCEEDED', times: 3 },
      message: 'ConcurrentRequests (Concurrent API Requests) Limit exceeded.',
    }),
    { kind: 'crm limits', limits: { triggers: [] } } as const,
    ...[vendorFault({ status: 503, times: 3 }), lateUpdate(2_000), crmEdit('nextMilestone', 'beta', { deal: 1 })],
  ),
  story(
    'a vendor user copies a lead while it is converted, before the opportunity has the lead’s close date',
    {
      ...{ ...OF_LEADS, seed: 1_000_000, prefer: 'later', settled: false, overlapMs: 300_000, searchLagMs: 0 },
      ...{ burstFrom: 0, lane: { takes: 'some', width: 1 } },
    },
    ...[convert('new'), vendorStatus('LEAD_OPEN'), happens('vendor copy', 1)],
  ),
  story(
    'an update of a lead arrives minutes after the lead was converted without an opportunity',
    { ...OF_LEADS, prefer: 'later', neighbour: true, overlapMs: 300_000, searchLagMs: 0, burstFrom: 0 },
    lateUpdate(200_000),
    ...[crmEdit('name', 'Deal A', { lateMs: 1_000 }), time(400), sweep, steps(4)],
    ...[lateUpdate(200_000), convert('unshared', 1), convert('none', 0, 'late'), poll, steps(2), time(10_000)],
  ),
];
