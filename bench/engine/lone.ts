import { until } from '../../test/support/until.ts';
import { type Counts, counted, lastHistory } from './count.ts';
import type { Measured } from './table.ts';
import type { World } from './world.ts';

/** The most events of a single change: of the CRM with a vendor read, of the CRM without one, and of the vendor. */
const MAX_EVENTS = { read: 13, unread: 13, fromVendor: 14 };

/** Changes one record, one change at a time, and measures the cost of each direction and of its echo. */
export async function lone(world: World): Promise<readonly Measured[]> {
  const deal = await world.settledDeal('Lone');
  return [
    ...(await fromCrm(world, deal.crmId, 'CRM to vendor', CAMPAIGN, 1)),
    ...(await fromCrm(world, deal.crmId, 'CRM to vendor, rule crm', MILESTONE, 0)),
    ...(await fromVendor(world, deal)),
    ...(await nothingNew(world, deal.crmId)),
  ];
}

type Field = { readonly crm: string; readonly vendor: string };
const CAMPAIGN: Field = { crm: 'Vendor_Campaign_Code__c', vendor: 'cometCampaignCode' };
const MILESTONE: Field = { crm: 'Vendor_Next_Milestone__c', vendor: 'nextMilestone' };

async function fromCrm(
  world: World,
  crmId: string,
  scenario: string,
  field: Field,
  mayRead: number,
): Promise<readonly Measured[]> {
  const value = `${scenario}!`;
  const update = await counted(world, async () => {
    await world.user.update('Opportunity', crmId, { [field.crm]: value });
    await until('the vendor has the value', async () => (await world.atVendor(crmId))?.fields[field.vendor] === value);
    await world.quiet();
  });
  const events = await lastHistory(world, crmId);
  const echo = await counted(world, async () => {
    for (let polls = 0; polls < 3; polls += 1) {
      await world.poll();
      await world.quiet();
    }
  });
  return [
    { scenario, what: 'vendor reads', measured: update.vendorReads, limit: mayRead },
    { scenario, what: 'vendor writes', measured: update.vendorWrites, limit: 1 },
    { scenario, what: 'CRM reads', measured: update.crmReads, limit: null },
    { scenario, what: 'CRM writes', measured: update.crmWrites, limit: 0 },
    {
      scenario,
      what: 'history events',
      measured: events.length,
      limit: mayRead === 0 ? MAX_EVENTS.unread : MAX_EVENTS.read,
    },
    { scenario, what: 'vendor reads of the echo, three polls', measured: echo.vendorReads, limit: 1 },
    ...writesOf(`${scenario}: echo`, echo),
  ];
}

async function fromVendor(
  world: World,
  { crmId, vendorId }: { readonly crmId: string; readonly vendorId: string },
): Promise<readonly Measured[]> {
  const scenario = 'vendor to CRM';
  const update = await counted(world, async () => {
    await world.vendor.edit(vendorId, { gtmTacticId: 'TACTIC-9' });
    await world.poll();
    await until('the CRM has the value', async () => {
      const row = await world.user.read<Readonly<Record<string, unknown>>>('Opportunity', crmId);
      return row['Vendor_GTM_Tactic__c'] === 'TACTIC-9';
    });
    await world.quiet();
  });
  const events = await lastHistory(world, crmId);
  const echo = await counted(world, async () => {
    await world.sweep();
    await world.quiet();
    await world.poll();
    await world.quiet();
  });
  return [
    { scenario, what: 'vendor reads', measured: update.vendorReads, limit: 1 },
    { scenario, what: 'vendor writes', measured: update.vendorWrites, limit: 0 },
    { scenario, what: 'CRM reads', measured: update.crmReads, limit: 1 },
    { scenario, what: 'CRM writes', measured: update.crmWrites, limit: 1 },
    { scenario, what: 'history events', measured: events.length, limit: MAX_EVENTS.fromVendor },
    ...writesOf(`${scenario}: echo`, echo),
  ];
}

/** An edit without a difference, and signals of every kind, each sent twice. */
async function nothingNew(world: World, crmId: string): Promise<readonly Measured[]> {
  const row = await world.user.read<Readonly<Record<string, unknown>>>('Opportunity', crmId);
  const noOp = await counted(world, async () => {
    const before = await deliveries(world);
    await world.user.update('Opportunity', crmId, { Name: row['Name'] });
    await until('the webhook was taken in', async () => (await deliveries(world)) > before);
    await world.quiet();
  });
  const wakes = await counted(world, async () => {
    for (const cause of ['crm', 'vendor', 'any'] as const) {
      await world.wake([crmId, crmId], cause);
      await world.quiet();
    }
  });
  return [...writesOf('no-op edit', noOp), ...writesOf('six wakes without a change', wakes)];
}

async function deliveries({ stack }: World): Promise<number> {
  const [row] = await stack.ledgerQuery('select count(*)::int as n from deliveries');
  return Number(row?.['n']);
}

function writesOf(scenario: string, counts: Counts): readonly Measured[] {
  return [
    { scenario, what: 'vendor writes', measured: counts.vendorWrites, limit: 0 },
    { scenario, what: 'CRM writes', measured: counts.crmWrites, limit: 0 },
  ];
}
