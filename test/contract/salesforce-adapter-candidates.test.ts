import { describe, expect, it } from 'vitest';
import { withOrg } from '../support/salesforce/with-org.ts';

const org = await withOrg();

const DEAL = { StageName: 'Prospecting', CloseDate: '2027-05-31', Vendor_Share__c: true };
const NAME = "O'Hara \\ \"Sons\"\n' OR Name != '";

describe('findCandidates', () => {
  it('asks once, for open deals without a vendor id, the shared ones first, by texts as they are', async () => {
    const AccountId = await org.create('Account', { Name: 'Initech', Vendor_DUNS__c: '123456789' });
    const unshared = await org.create('Opportunity', {
      ...DEAL,
      Name: NAME,
      AccountId,
      Vendor_Share__c: false,
    });
    for (const other of [
      { Name: 'Other' },
      { Name: NAME, AccountId: null },
      { Name: NAME, Vendor_Id__c: 'V-1' },
      { Name: NAME, StageName: 'Closed Lost' },
      { Name: NAME, CloseDate: '2027-06-01' },
    ]) {
      await org.create('Opportunity', { ...DEAL, AccountId, ...other });
    }
    const id = await org.create('Opportunity', { ...DEAL, Name: NAME, AccountId });
    await org.crm.probe();
    await org.drain();
    const rows = await org.crm.findCandidates([
      [
        { field: 'Account.Vendor_Site_Id__c', value: 'S-1' },
        { field: 'Account.Vendor_DUNS__c', value: '123456789' },
      ],
      [{ field: 'Name', value: NAME }],
      [{ field: 'CloseDate', value: '2027-05-31' }],
    ]);
    const shared = {
      Id: id,
      IsDeleted: false,
      IsClosed: false,
      Vendor_Share__c: true,
      Vendor_Id__c: null,
      'Account.Vendor_Site_Id__c': null,
      'Account.Vendor_DUNS__c': '123456789',
      Name: NAME,
      CloseDate: '2027-05-31',
    };
    expect(rows).toEqual([shared, { ...shared, Id: unshared, Vendor_Share__c: false }]);
    expect(await org.drain()).toHaveLength(1);
  });

  it('finds the deal with the vendor id among more than the query returns', async () => {
    const held = { ...DEAL, Name: 'Held', Vendor_Share__c: false, Vendor_Id__c: 'V-2' };
    for (let n = 0; n < 51; n += 1) await org.create('Opportunity', { ...DEAL, Name: 'Same' });
    const id = await org.create('Opportunity', held);
    const rows = await org.crm.findCandidates([[{ field: 'Name', value: 'Same' }]], { vendorId: 'V-2' });
    expect([rows.length, rows[0]?.['Id']]).toEqual([50, id]);
  });
});
