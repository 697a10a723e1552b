import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Crm } from '../../src/salesforce/crm.ts';
import { type SalesforceOrg, startSalesforceOrg } from '../support/salesforce/salesforce-org.ts';

/** An org with person accounts: a person of the same name is no company, and new companies are business accounts. */

const COMPANY = { Name: 'Ada Lovelace', BillingCountry: 'FR' };
let org: SalesforceOrg;
let business: string;
let person: string;
let next = 0;
const opened: Crm[] = [];

beforeAll(async () => {
  org = await startSalesforceOrg({ personAccounts: 'person' });
  const types = await org.query("SELECT Id, DeveloperName FROM RecordType WHERE SobjectType = 'Account'");
  business = String(types.find((row) => row['DeveloperName'] === 'Business_Account')?.['Id']);
  person = await org.create('Account', { FirstName: 'Ada', LastName: 'Lovelace', BillingCountry: 'FR' });
});
afterAll(async () => {
  for (const crm of opened) await crm.close();
  await org.close();
});

function open(accountRecordType: string | null): Crm {
  const crm = org.open({ imports: { owner: null, recordType: null, accountRecordType } });
  opened.push(crm);
  return crm;
}

function deal(account: Readonly<Record<string, string>>) {
  next += 1;
  const opportunity = {
    Name: `Deal ${next}`,
    StageName: 'Prospecting',
    CloseDate: '2026-12-31',
    Vendor_Share__c: true,
  };
  return { vendorId: `V-${next}`, opportunity, account, lines: [], contacts: [] };
}

async function accountOf(id: string): Promise<Readonly<Record<string, unknown>>> {
  const [row] = await org.query(
    `SELECT AccountId, Account.IsPersonAccount, Account.RecordTypeId FROM Opportunity WHERE Id = '${id}'`,
  );
  return row?.['Account'] as Readonly<Record<string, unknown>>;
}

describe('an import', () => {
  it('that needs a new account names the account that the org refuses', async () => {
    await expect(open(null).createFromVendor(deal(COMPANY))).rejects.toMatchObject({
      code: 'INVALID_FIELD_FOR_INSERT_UPDATE',
      fields: ['Name'],
      part: { of: 'account' },
    });
  });

  it('makes a business account beside the person of that name, and finds it again', async () => {
    const crm = open('Business_Account');
    const { opportunityId } = await crm.createFromVendor(deal(COMPANY));
    expect(await accountOf(opportunityId)).toMatchObject({ IsPersonAccount: false, RecordTypeId: business });
    await crm.createFromVendor(deal(COMPANY));
    const named = await org.query("SELECT Id FROM Account WHERE Name = 'Ada Lovelace'");
    expect(named).toHaveLength(2);
  });

  it('says which record type of accounts the org lacks', async () => {
    await expect(
      open('No_Such_Type').createFromVendor(deal({ Name: 'Hooli', BillingCountry: 'FR' })),
    ).rejects.toMatchObject({ code: 'UNKNOWN_ACCOUNT_RECORD_TYPE', fields: ['RecordTypeId'] });
  });
});

it('a deal is matched by the name of a company only', async () => {
  await org.create('Opportunity', {
    Name: 'Private',
    AccountId: person,
    StageName: 'Prospecting',
    CloseDate: '2026-12-31',
    Vendor_Share__c: true,
  });
  const criteria = [[{ field: 'Account.Name', value: 'Ada Lovelace' }], [{ field: 'Name', value: 'Private' }]];
  expect(await open(null).findCandidates(criteria)).toEqual([]);
});

it('an order is linked by the name of a company only', async () => {
  const found = await open(null).findUnique({ object: 'Account', by: 'Name' }, ['Ada Lovelace']);
  expect(found.get('Ada Lovelace')).not.toBe(person);
});
