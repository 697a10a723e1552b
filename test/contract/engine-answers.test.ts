/** What one answer means: what passes or is not documented is tried again before a person is asked. The real engine on ledger and simulators. */

import { beforeEach, describe, expect, it } from 'vitest';
import { resumeTenant } from '../../src/operator/tenants/resume-tenant.ts';
import { workflowIds } from '../../temporal.config.ts';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import { settle } from '../support/engine/settle.ts';
import { withDeal } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

const MINUTE_MS = 60_000;
const PAGE = '<html><body>Request blocked</body></html>';
const LIMIT = { timeout: 120_000 };

const openDeal = withDeal(workflows);
let world: World;
let deals: Deals;
let crmId: string;

beforeEach(async () => {
  ({ world, deals, crmId } = await openDeal());
});

/** Time with a poll a minute, which wakes what is due. */
async function minutes(count: number): Promise<void> {
  for (let minute = 0; minute < count; minute += 1) {
    world.startStream('pollVendor');
    await deals.time(MINUTE_MS);
  }
}

async function waiting(code: string): Promise<void> {
  expect(await deals.link(crmId)).toMatchObject({ state: 'pending', issues: [{ code: 'tried-again' }] });
  const row = await deals.syncRow(crmId);
  expect(row).toMatchObject({ Sync_State__c: 'Pending' });
  expect(String(row?.['Message__c'])).toMatch(
    new RegExp(`${code}.*tries again at 20\\d\\d-\\d\\d-\\d\\d \\d\\d:\\d\\d`),
  );
}

async function inSync(): Promise<void> {
  expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync', issues: [] });
  expect(await deals.syncRow(crmId)).toMatchObject({ Sync_State__c: 'In sync' });
}

describe('an update that the vendor', () => {
  it.each([
    ['answers 409 to', { status: 409 }, '409'],
    ['answers 406 with an empty body to', { status: 406, body: '' }, '406'],
    ['answers 403 with a page to', { status: 403, body: PAGE }, '403'],
    ['answers 401 with a page to', { status: 401, body: PAGE }, '401'],
    ['answers 422 to', { status: 422 }, '422'],
  ])('%s waits and goes through by itself, and pauses nobody', LIMIT, async (_, fault, code) => {
    await world.vendor.fault({ operation: 'updateLeadOpportunity', ...fault });
    await world.crm.edit(crmId, { Description: 'ours' });
    await deals.sweep();
    await minutes(2);
    await waiting(code);
    expect(await world.ledger.pauses(world.tenant)).toEqual([]);
    expect(world.scheduler.running()).toEqual([]);
    await world.vendor.clearFaults();
    await minutes(8);
    expect(await deals.leadNamed(crmId)).toMatchObject({ description: 'ours' });
    await inSync();
  });

  it('answers in a way that nobody documents for hours becomes a person’s', LIMIT, async () => {
    await world.vendor.fault({ operation: 'updateLeadOpportunity', status: 422 });
    await world.crm.edit(crmId, { Description: 'ours' });
    await deals.sweep();
    const before = await deals.asked('updateLeadOpportunity');
    for (const [more, tries] of [
      [3, 1],
      [7, 2],
      [20, 3],
      [70, 4],
    ] as const) {
      await minutes(more);
      expect((await deals.asked('updateLeadOpportunity')) - before).toBe(tries);
    }
    await waiting('422');
    await minutes(360);
    expect(await deals.link(crmId)).toMatchObject({ state: 'parked', issues: [{ code: 'vendor-refused' }] });
    await world.vendor.clearFaults();
    expect(await settle(world)).toEqual([]);
    await inSync();
  });
});
describe('a write that the CRM', () => {
  it.each([
    ['INSERT_UPDATE_DELETE_NOT_ALLOWED_DURING_MAINTENANCE', {}],
    ['ENTITY_IS_LOCKED', {}],
    ['NEVER_HEARD_OF', {}],
    [
      'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY',
      { message: 'T: System.LimitException: Apex CPU time limit exceeded', shown: 'APEX_GOVERNOR_LIMIT' },
    ],
  ] as const)('refuses one part of with %s waits and goes through by itself', LIMIT, async (errorCode, extra) => {
    const { shown = errorCode, ...chosen } = extra as { shown?: string; message?: string };
    await world.crm.fault({ operation: 'sobject.update', status: 400, errorCode, ...chosen });
    const lead = await deals.leadNamed(crmId);
    await world.vendor.edit(String(lead?.['id']), { description: 'theirs' });
    await minutes(3);
    await waiting(shown);
    await world.crm.clearFaults();
    await minutes(8);
    expect(await deals.row('Opportunity', crmId)).toMatchObject({ Description: 'theirs' });
    await inSync();
  });

  it('answers 406 to as a whole waits and goes through by itself', LIMIT, async () => {
    await world.crm.fault({ operation: 'composite', status: 406, body: '', times: 1 });
    const lead = await deals.leadNamed(crmId);
    await world.vendor.edit(String(lead?.['id']), { description: 'theirs' });
    await minutes(10);
    expect(await deals.row('Opportunity', crmId)).toMatchObject({ Description: 'theirs' });
    await inSync();
  });
});

/** A record whose write never gets an answer: reported after an hour, and retried rarely. The real engine on ledger and simulators. */
/** Time with a poll an hour, which wakes what is due. */
async function hours(count: number): Promise<void> {
  for (let hour = 0; hour < count; hour += 1) {
    world.startStream('pollVendor');
    await deals.time(60 * MINUTE_MS);
  }
}

/** A change that waits for a vendor that answers this operation by 500. */
async function unanswered(operation: string): Promise<void> {
  await world.vendor.fault({ operation, status: 500 });
  await world.crm.edit(crmId, { Description: 'new' });
  await deals.sweep();
  await hours(2);
  expect(await deals.link(crmId)).toMatchObject({ state: 'parked', issues: [{ code: 'no-answer' }] });
  expect(await deals.syncRow(crmId)).toMatchObject({ Sync_State__c: 'Parked' });
  expect(String((await deals.syncRow(crmId))?.['Message__c'])).toContain('500');
  expect(world.scheduler.running()).toEqual([]);
}

it.each([
  [429, '<html>Too many requests</html>'],
  [503, ''],
  [200, '<html>Maintenance</html>'],
])(
  'a proxy’s answer of %i with the body "%s" is asked again later each time, until it passes',
  async (status, body) => {
    await world.vendor.fault({ operation: 'updateLeadOpportunity', status, body, times: 6 });
    await world.crm.edit(crmId, { Description: 'new' });
    const from = world.clock.readMs();
    world.startStream('sweepSalesforce');
    await deals.time(240_000);
    expect(await deals.leadNamed(crmId)).toMatchObject({ description: 'new' });
    expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync', issues: [] });
    const updates = (await world.vendor.requests()).filter(
      ({ operation, time }) => operation === 'updateLeadOpportunity' && Date.parse(time) >= from,
    );
    const gaps = updates.slice(1).map(({ time }, place) => Date.parse(time) - Date.parse(updates[place]?.time ?? ''));
    expect(gaps.at(-1)).toBeGreaterThan(2 * (gaps[0] ?? 0));
  },
);

it(
  'a read that fails for an hour is shown with its cause, and tried at once when anything changes',
  LIMIT,
  async () => {
    await unanswered('readLeadOpportunity');
    await world.vendor.clearFaults();
    await world.crm.edit(crmId, { Vendor_Next_Milestone__c: 'call' });
    await deals.sweep();
    expect(await deals.leadNamed(crmId)).toMatchObject({ description: 'new', nextMilestone: 'call' });
    expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync', issues: [] });
    expect(await settle(world)).toEqual([]);
  },
);

/** How long a throttled vendor is left alone. The real engine on ledger and simulators. */
async function requestsSince(ms: number): Promise<number> {
  return (await world.vendor.requests()).filter(({ time }) => Date.parse(time) > ms).length;
}

async function throttled(fault: Readonly<Record<string, unknown>>): Promise<number> {
  await world.vendor.fault({ operation: 'updateLeadOpportunity', times: 1, ...fault });
  await world.crm.edit(crmId, { Description: 'ours' });
  world.startStream('sweepSalesforce');
  for (let second = 0; second < 60; second += 1) {
    await deals.time(1_000);
    const answered = (await world.vendor.requests()).filter(({ status }) => status === 429);
    const [first] = answered;
    if (first !== undefined) return Date.parse(first.time);
  }
  throw new Error('nothing was throttled');
}

const isThere = async () => (await deals.leadNamed(crmId))?.['description'] === 'ours';

it('waits for the later of Retry-After and the reset', async () => {
  const at = await throttled({ retryAfterSeconds: 40, resetSeconds: 0 });
  await deals.time(at + 39_000 - world.clock.readMs());
  expect(await requestsSince(at)).toBe(0);
  await deals.time(20_000);
  expect(await isThere()).toBe(true);
});

it('never comes back at once', async () => {
  const at = await throttled({ resetSeconds: 0 });
  await deals.time(20_000);
  const after = (await world.vendor.requests()).filter(({ time }) => Date.parse(time) > at);
  expect(Date.parse(after[0]?.time ?? '') - at).toBeGreaterThanOrEqual(1_000);
  expect(await isThere()).toBe(true);
});

it('caps an absurd wait by what the vendor usually says', async () => {
  await throttled({ retryAfterSeconds: 3_600 });
  await deals.time(5 * 60_000);
  expect(await isThere()).toBe(true);
});

it('ends a wait where a person says so', async () => {
  await throttled({ retryAfterSeconds: 110 });
  await deals.time(10_000);
  expect(await isThere()).toBe(false);
  const { tenant, ledger, scheduler } = world;
  const guards = { maxDetachShare: 0.2, minimum: 20, windowMs: 3_600_000 };
  const endWaits = async (_: string, keys: readonly string[]) => {
    for (const key of keys) scheduler.signal(workflowIds.syncOpportunity(tenant, key), 'probeNow', undefined);
  };
  const watching = async () => ({ probeNow: async () => {}, endWaits });
  await resumeTenant(ledger, { tenant, guards }, world.clock.now(), watching, true);
  await deals.time(5_000);
  expect(await isThere()).toBe(true);
});

/** Keys that may do some things and not others: the pause lasts as long as the fault, and asks little. On ledger and simulators. */
const HOUR_MS = 3_600_000;
const SALES = 'vendor-sales';

async function pauses(): Promise<readonly string[]> {
  return (await world.ledger.pauses(world.tenant)).map(({ group, reason }) => `${group}: ${reason}`);
}

it('a key that may search and not write is not taken for one that works', async () => {
  await world.vendor.fault({ operation: 'updateLeadOpportunity', status: 403 });
  await world.crm.edit(crmId, { Description: 'ours' });
  await deals.sweep();
  expect(await pauses()).toEqual([
    expect.stringMatching(new RegExp(`^${SALES}: refused our sign-in or key \\(.*scope`)),
  ]);
  const [updates, reads] = [await deals.asked('updateLeadOpportunity'), await deals.asked('readLeadOpportunity')];
  await deals.time(6 * HOUR_MS);
  const probes = (await deals.asked('updateLeadOpportunity')) - updates;
  // Doubling from five seconds to five minutes; each reads once as well, and the record itself is not looked at.
  expect(probes).toBeGreaterThan(60);
  expect(probes).toBeLessThan(90);
  expect((await deals.asked('readLeadOpportunity')) - reads).toBe(probes);
  expect(await pauses()).toEqual([
    expect.stringMatching(new RegExp(`^${SALES}: refused our sign-in or key \\(.*scope`)),
  ]);
  const leads = (await deals.leads()).length;
  await world.vendor.clearFaults();
  await deals.time(10 * 60_000);
  expect(await pauses()).toEqual([]);
  expect(await deals.leadNamed(crmId)).toMatchObject({ description: 'ours' });
  expect((await deals.leads()).length).toBe(leads);
});

const WORDS = 'union select';

async function neighbour(name = 'Other'): Promise<string> {
  const other = await deals.opportunity(await deals.account({ Name: name }), { Name: name });
  await deals.line(other, 100);
  return other;
}

it('one record that is refused in the words of a dead key is set aside, and the others go on', async () => {
  const other = await neighbour();
  await deals.sweep();
  await world.vendor.fault({ operation: 'updateLeadOpportunity', status: 403, words: WORDS });
  await world.crm.edit(crmId, { Description: WORDS });
  await world.crm.edit(other, { Description: 'harmless' });
  world.startStream('sweepSalesforce');
  await deals.time(30_000);
  expect(await deals.leadNamed(other)).toMatchObject({ description: 'harmless' });
  await deals.time(60_000);
  expect(await pauses()).toEqual([]);
  expect(await deals.link(crmId)).toMatchObject({ state: 'parked', issues: [{ code: 'refused-alone' }] });
  expect(String((await deals.syncRow(crmId))?.['Message__c'])).toMatch(/accepts others.*tries again at 20/);
  const updates = await deals.asked('updateLeadOpportunity');
  for (let hour = 0; hour < 6; hour += 1) {
    world.startStream('pollVendor');
    await deals.time(HOUR_MS);
    expect(await pauses()).toEqual([]);
  }
  // Each try of it is one request, with three probes.
  expect((await deals.asked('updateLeadOpportunity')) - updates).toBeLessThanOrEqual(2 * 6);
  await world.vendor.clearFaults();
  expect(await settle(world)).toEqual([]);
  expect(await deals.leadNamed(crmId)).toMatchObject({ description: WORDS });
});

it('a pause names the record that met the refusal', async () => {
  await world.vendor.fault({ status: 403 });
  await world.crm.edit(crmId, { Description: 'ours' });
  await deals.sweep();
  expect(await pauses()).toEqual([expect.stringContaining(`met by record ${crmId}`)]);
});

it.each([401, 403])('five refusals of the key in a row (%i) are over in minutes', async (status) => {
  await world.vendor.fault({ status, times: 5 });
  await world.crm.edit(crmId, { Description: 'ours' });
  const from = world.clock.readMs();
  world.startStream('sweepSalesforce');
  while ((await deals.leadNamed(crmId))?.['description'] !== 'ours') await deals.time(5_000);
  expect(world.clock.readMs() - from).toBeLessThan(200_000);
  expect(await pauses()).toEqual([]);
  expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync', issues: [] });
});

it('a key that may not create parks what is to be created, one by one, and holds up nothing else', async () => {
  await world.vendor.fault({ operation: 'createLeadOpportunity', status: 403 });
  const others = [await neighbour('A'), await neighbour('B'), await neighbour('C')];
  await deals.sweep();
  await deals.time(120_000);
  for (const other of others)
    expect(await deals.link(other)).toMatchObject({ state: 'parked', issues: [{ code: 'refused-alone' }] });
  expect(await pauses()).toEqual([]);
  await world.crm.edit(crmId, { Description: 'ours' });
  await deals.sweep();
  expect(await deals.leadNamed(crmId)).toMatchObject({ description: 'ours' });
  await world.vendor.clearFaults();
  expect(await settle(world)).toEqual([]);
  for (const other of others) expect(await deals.link(other)).toMatchObject({ state: 'in-sync' });
});
