/** What one answer means: what passes or is not documented is tried again before a person is asked. The real engine on ledger and simulators. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import { settle } from '../support/engine/settle.ts';
import { withDeal } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

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

async function asked(operation: string): Promise<number> {
  return (await world.vendor.requests()).filter((one) => one.operation === operation).length;
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
    ['answers 423 to', { status: 423 }, '423'],
    ['answers 425 to', { status: 425 }, '425'],
    ['answers 406 with an empty body to', { status: 406, body: '' }, '406'],
    ['answers 404 with a page to', { status: 404, body: PAGE }, '404'],
    ['answers 403 with a page to', { status: 403, body: PAGE }, '403'],
    ['answers 401 with a page to', { status: 401, body: PAGE }, '401'],
    ['answers 400 with a page to', { status: 400, body: PAGE }, '400'],
    ['answers 404 as JSON to', { status: 404 }, '404'],
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
    const before = await asked('updateLeadOpportunity');
    for (const [more, tries] of [
      [3, 1],
      [7, 2],
      [20, 3],
      [70, 4],
    ] as const) {
      await minutes(more);
      expect((await asked('updateLeadOpportunity')) - before).toBe(tries);
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
    ['TOO_MANY_APEX_REQUESTS', {}],
    ['LIMIT_EXCEEDED', {}],
    ['ENTITY_IS_LOCKED', {}],
    ['NEVER_HEARD_OF', {}],
    [
      'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY',
      { message: 'T: System.LimitException: Apex CPU time limit exceeded', shown: 'APEX_GOVERNOR_LIMIT' },
    ],
  ] as const)(
    'refuses one part of with %s waits and goes through by itself',
    LIMIT,
    async (errorCode, extra) => {
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
    },
  );

  it('answers 406 to as a whole waits and goes through by itself', LIMIT, async () => {
    await world.crm.fault({ operation: 'composite', status: 406, body: '', times: 1 });
    const lead = await deals.leadNamed(crmId);
    await world.vendor.edit(String(lead?.['id']), { description: 'theirs' });
    await minutes(10);
    expect(await deals.row('Opportunity', crmId)).toMatchObject({ Description: 'theirs' });
    await inSync();
  });
});
