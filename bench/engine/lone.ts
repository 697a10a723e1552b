import { setTimeout as delay } from 'node:timers/promises';
import { WRITE_SPACING_MS } from '../../src/domain/loop/step.ts';
import { until } from '../../test/support/until.ts';
import { actionsSince, ofRecords } from './actions.ts';
import { type Counts, counted, lastHistory } from './count.ts';
import type { Measured } from './table.ts';
import { openWorld, type World } from './world.ts';

/** The maximum number of history events of a single change: of the CRM with a vendor read, of the CRM without one, and of the vendor. */
const MAX_EVENTS = { read: 13, unread: 13, fromVendor: 14 };

/** The maximum number of Temporal actions of a single change, with the reading of Lockstep's own write. */
const MAX_ACTIONS = { toVendor: 5, fromVendor: 3 };

/** Changes one record, one change at a time, and measures the cost of each direction and of its echo. Leads have a tenant of their own. */
export async function lone(world: World): Promise<readonly Measured[]> {
  const deal = await world.settledDeal('Lone');
  const ofLead = await loneLead();
  return [...(await eachWay(world, { ...deal, object: 'Opportunity', name: 'Name', of: '' })), ...ofLead];
}

async function loneLead(): Promise<readonly Measured[]> {
  const world = await openWorld({ records: 1, leads: true });
  try {
    const lead = await world.settledLead('Lone');
    return await eachWay(world, { ...lead, object: 'Lead', name: 'Company', of: 'lead: ' });
  } finally {
    await world.stop();
  }
}

/** A record that both sides agree on: its object in the CRM, the field with its name, and the beginning of its rows' names. */
type Subject = {
  readonly crmId: string;
  readonly vendorId: string;
  readonly object: 'Opportunity' | 'Lead';
  readonly name: string;
  readonly of: string;
};

async function eachWay(world: World, subject: Subject): Promise<readonly Measured[]> {
  const { of } = subject;
  return [
    ...(await fromCrm(world, subject, `${of}CRM to vendor`, CAMPAIGN, 1)),
    ...(await fromCrm(world, subject, `${of}CRM to vendor, rule crm`, MILESTONE, 0)),
    ...(await fromVendor(world, subject)),
    ...(await nothingNew(world, subject)),
  ];
}

type Field = { readonly crm: string; readonly vendor: string };
const CAMPAIGN: Field = { crm: 'Vendor_Campaign_Code__c', vendor: 'cometCampaignCode' };
const MILESTONE: Field = { crm: 'Vendor_Next_Milestone__c', vendor: 'nextMilestone' };

async function fromCrm(
  world: World,
  { crmId, object }: Subject,
  scenario: string,
  field: Field,
  mayRead: number,
): Promise<readonly Measured[]> {
  const value = `${scenario}!`;
  const since = new Date().toISOString();
  const update = await counted(world, async () => {
    await world.user.update(object, crmId, { [field.crm]: value });
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
  const actions = ofRecords(await actionsSince(world.stack, since));
  return [
    { scenario, what: 'Temporal actions, with the echo', measured: actions, limit: MAX_ACTIONS.toVendor },
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

async function fromVendor(world: World, { crmId, vendorId, object, of }: Subject): Promise<readonly Measured[]> {
  const scenario = `${of}vendor to CRM`;
  const since = new Date().toISOString();
  const update = await counted(world, async () => {
    await world.vendor.edit(vendorId, { gtmTacticId: 'TACTIC-9' });
    await world.poll();
    await until('the CRM has the value', async () => {
      const row = await world.user.read<Readonly<Record<string, unknown>>>(object, crmId);
      return row['Vendor_GTM_Tactic__c'] === 'TACTIC-9';
    });
    await world.quiet();
  });
  const events = await lastHistory(world, crmId);
  // A sweep comes minutes after a write, so no record is then hot.
  await delay(WRITE_SPACING_MS);
  const echo = await counted(world, async () => {
    await world.sweep();
    await world.quiet();
    await world.poll();
    await world.quiet();
  });
  const actions = ofRecords(await actionsSince(world.stack, since));
  return [
    { scenario, what: 'Temporal actions, with the echo', measured: actions, limit: MAX_ACTIONS.fromVendor },
    { scenario, what: 'vendor reads', measured: update.vendorReads, limit: 1 },
    { scenario, what: 'vendor writes', measured: update.vendorWrites, limit: 0 },
    { scenario, what: 'CRM reads', measured: update.crmReads, limit: 1 },
    { scenario, what: 'CRM writes', measured: update.crmWrites, limit: 1 },
    { scenario, what: 'history events', measured: events.length, limit: MAX_EVENTS.fromVendor },
    ...writesOf(`${scenario}: echo`, echo),
  ];
}

/** An edit without a difference, and signals of every kind, each sent twice. */
async function nothingNew(world: World, { crmId, object, name, of }: Subject): Promise<readonly Measured[]> {
  const row = await world.user.read<Readonly<Record<string, unknown>>>(object, crmId);
  const noOp = await counted(world, async () => {
    const before = await deliveries(world);
    await world.user.update(object, crmId, { [name]: row[name] });
    await until('the webhook was taken in', async () => (await deliveries(world)) > before);
    await world.quiet();
  });
  const wakes = await counted(world, async () => {
    for (const cause of ['crm', 'vendor', 'any'] as const) {
      await world.wake([crmId, crmId], cause);
      await world.quiet();
    }
  });
  return [...writesOf(`${of}no-op edit`, noOp), ...writesOf(`${of}six wakes without a change`, wakes)];
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
