/** The main job on the real stack: a deal travels from the CRM to the vendor and back. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CrmUser, crmUser } from '../support/crm-user.ts';
import { simulatorAdmin } from '../support/simulator-admin.ts';
import { type Stack, startStack, until } from '../support/stack.ts';

type VendorRecord = { readonly id: string; readonly fields: Readonly<Record<string, unknown>> };

let stack: Stack;
let user: CrmUser;
let vendor: ReturnType<typeof simulatorAdmin>;

beforeAll(async () => {
  stack = await startStack();
  user = crmUser(stack.salesforce.url, stack.salesforce.user.accessToken);
  vendor = simulatorAdmin(stack.vendor.adminUrl);
  await Promise.all([stack.startWorker(), stack.startReceiver()]);
}, 120_000);

afterAll(() => stack?.stop());

async function atVendor(reference: string): Promise<VendorRecord | undefined> {
  const records = await vendor.records<VendorRecord>('leadOpportunity');
  return records.find((record) => record.fields['partnerLeadOpportunityId'] === reference);
}

it('creates at the vendor what a CRM user shares, and tells the CRM about it', async () => {
  const id = await user.deal('Alpha');
  const record = await until('the deal is at the vendor', () => atVendor(id));
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
  const record = await until('the deal is at the vendor', () => atVendor(id));
  await user.update('Opportunity', id, { Name: 'Beta renamed', Vendor_Campaign_Code__c: 'CMP-7' });
  await until(
    'the vendor has the new name',
    async () => (await atVendor(id))?.fields['name'] === 'Beta renamed',
  );
  await vendor.edit(record.id, {
    nextMilestone: 'Workshop',
    closeDate: '2027-06-30T00:00:00.000Z',
  });
  await until('the CRM has the milestone', async () => {
    const row = await user.read<Readonly<Record<string, unknown>>>('Opportunity', id);
    return row['Vendor_Next_Milestone__c'] === 'Workshop' && row['CloseDate'] === '2027-06-30';
  });
  expect((await atVendor(id))?.fields['cometCampaignCode']).toBe('CMP-7');
});

it('brings a record created at the vendor into the CRM, once, and tells the vendor our reference', async () => {
  const { id } = await vendor.create('leadOpportunity', {
    name: 'Entered there',
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
  expect(row.Name).toBe('Entered there');
  await until('the vendor has our reference', async () => (await atVendor(row.Id)) !== undefined);
  const rows = await user.query(`SELECT Id FROM Opportunity WHERE Name = 'Entered there'`);
  expect(rows).toHaveLength(1);
});
