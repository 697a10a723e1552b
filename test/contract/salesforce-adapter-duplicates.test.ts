/** Duplicate rules of an org, by rules of its own beside the package: some only alert, some block. */

import { elements, type MetadataSource, metadataSource, PACKAGE_DIR } from 'lockstep-simulators/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CrmCreate } from '../../src/domain/record/crm-graph.ts';
import type { Crm } from '../../src/salesforce/crm.ts';
import { type SalesforceOrg, startSalesforceOrg } from '../support/salesforce/salesforce-org.ts';

const ruleOf = (object: string, actionOnInsert: 'Allow' | 'Block'): readonly [string, string] => [
  'DuplicateRule',
  `${elements({ actionOnInsert, actionOnUpdate: 'Allow', alertText: 'There already?', isActive: true, masterLabel: 'Same name' })}<operationsOnInsert>Alert</operationsOnInsert><duplicateRuleMatchRules>${elements({ matchRuleSObjectType: object, matchingRule: 'Same' })}</duplicateRuleMatchRules>`,
];

const matchOn = (fieldName: string): readonly [string, string] => [
  'MatchingRules',
  `<matchingRules>${elements({ fullName: 'Same' })}<matchingRuleItems>${elements({ fieldName, matchingMethod: 'Exact', blankValueBehavior: 'NullNotAllowed' })}</matchingRuleItems></matchingRules>`,
];

const RULES = {
  'duplicateRules/Account.Same.duplicateRule-meta.xml': ruleOf('Account', 'Allow'),
  'matchingRules/Account.matchingRule-meta.xml': matchOn('Name'),
  'duplicateRules/Contact.Same.duplicateRule-meta.xml': ruleOf('Contact', 'Block'),
  'matchingRules/Contact.matchingRule-meta.xml': matchOn('LastName'),
  // An upsert by an external id that is not unique, as an account's is, takes it.
  'permissionsets/View_All.permissionset-meta.xml': [
    'PermissionSet',
    `<userPermissions>${elements({ enabled: true, name: 'ViewAllData' })}</userPermissions>`,
  ],
} as const;

let source: MetadataSource;
let org: SalesforceOrg;
let allowing: Crm;

beforeAll(async () => {
  source = metadataSource(RULES);
  org = await startSalesforceOrg({ packageDirs: [PACKAGE_DIR, source.dir] });
  allowing = org.open({ allowDuplicates: true });
  const account = await org.create('Account', { Name: 'Hooli', BillingCountry: 'France' });
  await org.create('Contact', { AccountId: account, LastName: 'Bond', Email: 'other@hooli.example' });
});

afterAll(async () => {
  await allowing.close();
  await org.close();
  source.remove();
});

/** A deal of a customer of the same name in another country: another company, as far as the adapter can tell. */
function deal(vendorId: string, change: Partial<CrmCreate> = {}): CrmCreate {
  return {
    vendorId,
    opportunity: { Name: vendorId, StageName: 'Prospecting', CloseDate: '2026-12-31', Vendor_Share__c: true },
    account: { Name: 'Hooli', BillingCountry: 'Japan' },
    lines: [],
    contacts: [],
    ...change,
  };
}

const DETECTED = { kind: 'permanent', code: 'DUPLICATES_DETECTED' };

describe('a duplicate rule that only alerts', () => {
  it('refuses a deal whose tenant says nothing of it, and makes nothing', async () => {
    await expect(org.crm.createFromVendor(deal('V-1'))).rejects.toMatchObject(DETECTED);
    expect(await org.query("SELECT Id FROM Account WHERE Name = 'Hooli'")).toHaveLength(1);
  });

  it('lets it pass where the tenant allows duplicates, in few parts and in many', async () => {
    await expect(allowing.createFromVendor(deal('V-2'))).resolves.toMatchObject({ isNew: true });
    const contacts = Array.from({ length: 15 }, (_, index) => ({
      Email: `${index}@hooli.example`,
      FirstName: 'A',
      LastName: `Person ${index}`,
    }));
    const large = deal('V-3', { account: { Name: 'Hooli', BillingCountry: 'Chile' }, contacts });
    await expect(allowing.createFromVendor(large)).resolves.toMatchObject({ isNew: true });
    expect(await org.query("SELECT Id FROM Account WHERE Name = 'Hooli'")).toHaveLength(3);
  });

  it('lets rows that go by themselves pass as well', async () => {
    const row = { Vendor_Site_Id__c: 'S-1', Name: 'Hooli' };
    const [refused] = await org.crm.upsertRows('Account', 'Vendor_Site_Id__c', [row]);
    expect(refused).toMatchObject(DETECTED);
    expect(await allowing.upsertRows('Account', 'Vendor_Site_Id__c', [row])).toEqual([null]);
  });
});

describe('a duplicate rule that blocks', () => {
  it('refuses, whatever the tenant says', async () => {
    const contacts = [{ Email: 'james@hooli.example', FirstName: 'James', LastName: 'Bond' }];
    await expect(allowing.createFromVendor(deal('V-4', { contacts }))).rejects.toMatchObject(DETECTED);
  });
});
