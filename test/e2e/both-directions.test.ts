/** The main job on the real stack: a deal travels from the CRM to the vendor and back. */
import { expect, it } from 'vitest';
import { type VendorRecord, withStack } from '../support/stack/with-stack.ts';
import { until } from '../support/until.ts';

const { user, vendor, atVendor } = await withStack();

async function firstAtVendor(crmId: string): Promise<VendorRecord | undefined> {
  return (await atVendor(crmId))[0];
}

it('creates at the vendor what a CRM user shares, and tells the CRM about it', async () => {
  const id = await user.deal('Alpha');

  const record = await until('the deal is at the vendor', () => firstAtVendor(id));
  expect(record.fields).toMatchObject({ name: 'Alpha', status: 'OPPY_OPEN', currency: 'EUR' });
  await until('the CRM knows the vendor id', async () => {
    const row = await user.read<{ readonly Vendor_Id__c: string | null }>('Opportunity', id);
    return row.Vendor_Id__c === record.id;
  });
  const [child] = await user.query<{ readonly Sync_State__c: string }>(
    `SELECT Sync_State__c FROM Lockstep_Sync__c WHERE Opportunity__c = '${id}'`,
  );
  expect(child?.Sync_State__c).toBe('In sync');
});

it('sends an edit of the CRM to the vendor, and an edit of the vendor to the CRM', async () => {
  const id = await user.deal('Beta');
  const record = await until('the deal is at the vendor', () => firstAtVendor(id));

  await user.update('Opportunity', id, { Name: 'Beta renamed', Vendor_Campaign_Code__c: 'CMP-7' });
  await until(
    'the vendor has the new name',
    async () => (await firstAtVendor(id))?.fields['name'] === 'Beta renamed',
  );

  await vendor.edit(record.id, {
    nextMilestone: 'Workshop',
    closeDate: '2027-06-30T00:00:00.000Z',
  });
  await until('the CRM has the milestone', async () => {
    const row = await user.read<Readonly<Record<string, unknown>>>('Opportunity', id);
    return row['Vendor_Next_Milestone__c'] === 'Workshop' && row['CloseDate'] === '2027-06-30';
  });
  expect((await firstAtVendor(id))?.fields['cometCampaignCode']).toBe('CMP-7');
});

it('brings a record created at the vendor into the CRM, once, and tells the vendor our reference', async () => {
  const { id } = await vendor.create('leadOpportunity', {
    name: 'Robotics cell',
    status: 'OPPY_OPEN',
    closeDate: '2027-01-15T00:00:00.000Z',
    currency: 'EUR',
    customerLegalEntity: { name: 'Gamma SA', city: 'Lyon', country: 'FR' },
  });

  const row = await until('the CRM has the record', async () => {
    const rows = await user.query<{ readonly Id: string; readonly Name: string }>(
      `SELECT Id, Name FROM Opportunity WHERE Vendor_Id__c = '${id}'`,
    );
    return rows[0];
  });
  expect(row.Name).toBe('Robotics cell');
  await until('the vendor has our reference', async () => (await firstAtVendor(row.Id)) !== undefined);
  const rows = await user.query(`SELECT Id FROM Opportunity WHERE Name = 'Robotics cell'`);
  expect(rows).toHaveLength(1);
});
