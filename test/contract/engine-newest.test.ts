/** Both sides edit the same field while the vendor is unavailable: the newest value stays, and the losing value is reported. */
import { expect, it } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import { settle } from '../support/engine/settle.ts';
import { withDeal } from '../support/engine/with-test-bed.ts';

const openDeal = withDeal(workflows);

it.each([
  { last: 'vendor', prefer: 'later', stays: 'Theirs', reason: 'overruled the CRM' },
  { last: 'crm', prefer: 'later', stays: 'Ours', reason: 'overruled the vendor' },
  { last: 'vendor', prefer: 'crm', stays: 'Ours', reason: 'overruled the vendor' },
] as const)(
  'edited in an outage, last by the $last, with prefer $prefer: $stays stays, and the other is reported',
  async ({ last, prefer, stays, reason }) => {
    const { world, deals, crmId: deal } = await openDeal({ prefer });
    const lead = await deals.leadNamed(deal);
    const inCrm = () => world.crm.edit(deal, { Description: 'Ours' });
    const atVendor = () => world.vendor.edit(String(lead?.['id']), { description: 'Theirs' });

    await world.vendor.fault({ status: 503 });
    await (last === 'vendor' ? inCrm() : atVendor());
    await deals.time(60_000);
    await (last === 'vendor' ? atVendor() : inCrm());
    await deals.sweep();
    expect(await settle(world)).toEqual([]);

    expect(await deals.row('Opportunity', deal)).toMatchObject({ Description: stays });
    expect(await deals.leadNamed(deal)).toMatchObject({ description: stays });
    const message = async () => (await deals.syncRow(deal))?.['Message__c'];
    expect(await message()).toMatch(/^Overruled: description was changed on both sides: /);
    expect(await message()).toContain('newest');
    const values = (await deals.syncRow(deal))?.['Conflict_Values__c'];
    for (const word of ['"Ours" in the CRM (saved ', '"Theirs" at the vendor (saved ', 'newest'])
      expect(values).toContain(word);
    const journal = await world.ledger.journal(world.tenant, deal, 20);
    const writes = journal.filter(({ kind }) => kind === 'remote-write');
    expect(writes.map(({ summary }) => summary['reason'])).toContain(reason);

    await world.crm.edit(deal, { Description: 'Agreed' });
    await deals.sweep();
    expect(await settle(world)).toEqual([]);
    expect(await message()).toBeNull();
  },
);

const HISTORY = { user: 'integration', object: 'OpportunityFieldHistory', access: 'none' } as const;

it.each([
  { history: 'tracks the field', stays: 'Theirs', rule: 'newest: by field history' },
  { history: 'is hidden', stays: 'Ours', rule: 'newest: by the later record' },
] as const)(
  'the vendor’s later edit, and another field saved in the CRM after it, where the history $history: $stays stays',
  async ({ history, stays, rule }) => {
    const { world, deals, crmId: deal } = await openDeal({ prefer: 'later' });
    if (history === 'is hidden') await world.crm.access(HISTORY);
    const lead = await deals.leadNamed(deal);
    const asked = async () => (await world.crm.requests()).filter(({ query }) => query.includes('FieldHistory')).length;

    await world.crm.edit(deal, { Vendor_Next_Milestone__c: 'Usual' });
    await deals.sweep();
    expect(await settle(world)).toEqual([]);
    const before = await asked();

    await world.vendor.fault({ status: 503 });
    await world.crm.edit(deal, { Description: 'Ours' });
    await deals.time(60_000);
    await world.vendor.edit(String(lead?.['id']), { description: 'Theirs' });
    await deals.time(60_000);
    await world.crm.edit(deal, { Vendor_Next_Milestone__c: 'Other' });
    await deals.sweep();
    expect(await settle(world)).toEqual([]);

    expect(await deals.row('Opportunity', deal)).toMatchObject({ Description: stays });
    expect(await deals.leadNamed(deal)).toMatchObject({ description: stays, nextMilestone: 'Other' });
    expect((await deals.syncRow(deal))?.['Message__c']).toContain(`(${rule})`);
    expect(before, 'the usual change asks for no history').toBe(0);
    expect(await asked()).toBeGreaterThan(0);
  },
);
