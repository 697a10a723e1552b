/** One conflict decided by an operator: the real engine on ledger and simulators. */
import { beforeEach, expect, it } from 'vitest';
import type { FieldName } from '../../src/domain/record/canonical.ts';
import { isConflict } from '../../src/domain/record/issue.ts';
import { resolveConflict, type Take } from '../../src/operator/records/resolve-conflict.ts';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import { intakeOf } from '../support/engine/operator.ts';
import { settle } from '../support/engine/settle.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

const openWorld = withWorlds(workflows);
let world: World;
let deals: Deals;
let crmId: string;
let vendorId: string;

const CRM = { Description: 'By the CRM', Vendor_Next_Milestone__c: 'CRM call' };
const VENDOR = { description: 'By the vendor', nextMilestone: 'Vendor call' };

/** A deal with two fields that were changed on both sides and wait. */
beforeEach(async () => {
  ({ world, deals } = await openWorld({ rules: { description: 'manual', nextMilestone: 'manual' } }));
  crmId = await deals.shared();
  expect(await settle(world)).toEqual([]);
  vendorId = String((await deals.link(crmId)).vendorId);
  await conflict();
});

async function conflict(suffix = ''): Promise<void> {
  const of = (fields: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, `${value}${suffix}`]));
  await deals.time(2_000);
  await world.crm.edit(crmId, of(CRM));
  await world.vendor.edit(vendorId, of(VENDOR));
  await deals.poll();
  expect((await deals.link(crmId)).state).toBe('conflict');
}

async function resolve(field: FieldName, take: Take, id = crmId): Promise<void> {
  const ports = {
    ledger: world.ledger,
    intake: intakeOf(world),
    setInCrm: async (which: string, name: string, value: string) =>
      void (await world.crm.edit(which, { [name]: value })),
    mapping: {},
    pause: async () => {},
  };
  await resolveConflict(ports, world.tenant, { id, field, take, waitMs: 0 }, world.clock.now());
  await deals.time(30_000);
}

const waiting = async () => (await deals.link(crmId)).issues.filter(isConflict).map(({ field }) => field);

async function shown(): Promise<unknown> {
  const row = await deals.row('Opportunity', crmId);
  const lead = await deals.leadNamed(crmId);
  return {
    description: [row['Description'], lead?.['description']],
    nextMilestone: [row['Vendor_Next_Milestone__c'], lead?.['nextMilestone']],
  };
}

it('decides each field by itself, one for each side, until nothing waits', async () => {
  await resolve('nextMilestone', 'vendor', vendorId);
  expect(await waiting()).toEqual(['description']);
  await resolve('description', 'crm');
  expect(await shown()).toEqual({
    description: ['By the CRM', 'By the CRM'],
    nextMilestone: ['Vendor call', 'Vendor call'],
  });
  expect((await deals.link(crmId)).state).toBe('in-sync');
  expect(await settle(world)).toEqual([]);
});

it('gives both sides another value', async () => {
  await resolve('description', { value: 'By an operator' });
  expect(await waiting()).toEqual(['nextMilestone']);
  expect(await shown()).toMatchObject({ description: ['By an operator', 'By an operator'] });
});

it('journals the word and the rule', async () => {
  await resolve('description', 'vendor');
  const journal = await world.ledger.journal(world.tenant, crmId, 100);
  expect(journal.map(({ summary }) => summary['reason'])).toContain('picked vendor for description');
  const rules = journal.flatMap(({ decisions }) =>
    decisions.filter(({ verdict }) => verdict === 'conflict-vendor').map(({ field, rule }) => [field, rule]),
  );
  expect(rules).toContainEqual(['description', 'picked by a person']);
});

it.each(['crm', 'vendor'] as const)('decides no later conflict of the field by what was said for %s', async (side) => {
  await resolve('description', side);
  await conflict(' again');
  expect(await waiting()).toEqual(['description', 'nextMilestone']);
});
