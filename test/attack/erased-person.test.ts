/** One person is erased from what the ledger keeps: the real engine on ledger and simulators. */
import { expect, it, vi } from 'vitest';
import { personLines } from '../../src/cli/commands/erase-person.ts';
import type { FieldDecision } from '../../src/domain/record/field-decision.ts';
import { erasePerson } from '../../src/operator/ledger/erase-person.ts';
import * as workflows from '../../workflows/index.ts';
import { settle } from '../support/engine/settle.ts';
import { withDeal } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';
import { at, PRIVATE_VALUES, savePlan } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

const openDeal = withDeal(workflows);
const EMAIL = 'erika.muster@customer.example';

/** All that the ledger has of the tenant, opened. */
async function exported(world: World): Promise<string> {
  const rows: string[] = [];
  for await (const row of world.ledger.exportTenant(world.tenant)) rows.push(JSON.stringify(row));
  return rows.join('\n').toLowerCase();
}

function erase(world: World, yes: boolean, given = ` ${EMAIL.toUpperCase()}\n`) {
  const ports = {
    ledger: world.ledger,
    workflows: { holding: async () => ({ read: 1, found: 0 }) },
    now: world.clock.now,
  };
  return erasePerson(ports, world.tenant, given, { yes });
}

it('is counted first, kept while a side shows the person, and gone from journal and plans in the end', async () => {
  const { world, deals, crmId } = await openDeal();
  const account = String((await deals.row('Opportunity', crmId))['AccountId']);
  const contact = await deals.contact(account, crmId, EMAIL);
  await deals.contact(account, crmId, 'max@customer.example');
  await world.crm.edit(crmId, { Description: `Ask ${EMAIL} first` });
  expect(await settle(world)).toEqual([]);
  expect(JSON.stringify(await deals.leads())).toContain(EMAIL);

  const live = await erase(world, true);
  expect(live).toMatchObject({
    applied: true,
    live: { links: 1 },
    liveKeys: [crmId],
    remaining: { rows: 0 },
  });
  await world.crm.edit(crmId, { Vendor_Next_Milestone__c: 'Flows on' });
  expect(await settle(world)).toEqual([]);
  expect(await deals.leadNamed(crmId)).toMatchObject({ nextMilestone: 'Flows on' });
  expect(JSON.stringify(await deals.leads())).toContain(EMAIL);

  await world.crm.remove(contact);
  await world.crm.edit(crmId, { Description: 'Nobody' });
  expect(await settle(world)).toEqual([]);
  expect(JSON.stringify(await deals.leads())).not.toContain(EMAIL);
  expect(await exported(world)).toContain(EMAIL);
  const counted = await erase(world, false);
  expect(counted).toMatchObject({ applied: false, live: {} });
  expect(counted.remaining.rows).toBeGreaterThan(0);
  expect(await exported(world)).toContain(EMAIL);

  const erased = await erase(world, true);
  expect(erased).toMatchObject({
    applied: true,
    rows: counted.rows,
    live: {},
    remaining: { rows: 0, histories: 0 },
  });
  const left = await exported(world);
  expect(left).not.toContain(EMAIL);
  expect(left).toContain('max@customer.example');
  for (const text of [JSON.stringify(erased), ...personLines(erased)])
    expect(text.toLowerCase()).not.toContain('erika');
  expect(await settle(world)).toEqual([]);
  expect((await world.ledger.journal(world.tenant, crmId, 50)).length).toBeGreaterThan(2);
});

it('is searched in the histories of all records, and only there, and deleted with them', async () => {
  const { ledger } = await withLedger();
  const keys = Array.from({ length: 120 }, (_, n) => `C${n}`);
  await ledger.markDue(
    'acme',
    [...keys, 'OTHER'].map((crmId) => ({ crmId })),
    at(0),
  );
  for (const key of [...keys, 'OTHER']) {
    const email = key === 'OTHER' ? `jo.${EMAIL}` : EMAIL;
    const decisions = [{ field: 'description', crm: `Ask ${email}` } as unknown as FieldDecision];
    await ledger.settle('acme', key, { at: at(1), journal: [{ at: at(1), kind: 'decision', summary: {}, decisions }] });
  }
  const asked: string[][] = [];
  const deletes: boolean[] = [];
  const holding = async (_: string, of: readonly string[], __: string, yes: boolean) => {
    asked.push(of.toSorted());
    deletes.push(yes);
    return { read: of.length, found: asked.length === 1 ? 3 : 0 };
  };
  const ports = { ledger, workflows: { holding }, now: () => at(2) };
  expect(await erasePerson(ports, 'acme', EMAIL, { yes: true })).toMatchObject({
    ...{ rows: { journal: 120 }, histories: { read: 120, found: 3 }, remaining: { rows: 0, histories: 0 } },
  });
  expect(asked).toEqual([keys.toSorted(), keys.toSorted()]);
  expect(deletes).toEqual([true, false]);
  expect(await ledger.journal('acme', 'OTHER', 1)).toMatchObject([{ decisions: [{ crm: `Ask jo.${EMAIL}` }] }]);
});

it('is kept in a plan that is under way', async () => {
  const { ledger } = await withLedger();
  await ledger.markDue('acme', [{ crmId: 'C1' }], at(0));
  await savePlan(ledger, 'acme', 'C1');
  const person = PRIVATE_VALUES.find((value) => value.includes('@')) ?? '';
  const ports = { ledger, workflows: { holding: async () => ({ read: 0, found: 0 }) }, now: () => at(2) };
  expect(await erasePerson(ports, 'acme', person, { yes: true })).toMatchObject({ rows: {}, live: { plans: 1 } });
});

it('takes no text that is no address', async () => {
  const { world } = await openDeal({ isAgreed: false });
  await expect(erase(world, true, 'a')).rejects.toThrow('no e-mail address');
});
