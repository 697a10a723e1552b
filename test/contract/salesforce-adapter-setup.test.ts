/** What of an org's setup the adapter reads, of users who see it and of one who does not. */

import { elements, type MetadataSource, metadataSource, PACKAGE_DIR } from 'lockstep-simulators/testing';
import { afterEach, expect, it } from 'vitest';
import { type SalesforceOrg, startSalesforceOrg } from '../support/salesforce/salesforce-org.ts';

const FLOWS = ['Lockstep_Opportunity_Changed', 'Drafted', 'Nobody_Made_This'];

let org: SalesforceOrg;
let source: MetadataSource | undefined;

afterEach(async () => {
  await org.close();
  source?.remove();
  source = undefined;
});

const granting = (...permissions: readonly string[]) =>
  permissions.map((name) => `<userPermissions>${elements({ enabled: true, name })}</userPermissions>`).join('');

const rule = (active: boolean, errorConditionFormula: string) =>
  ['ValidationRule', elements({ active, errorConditionFormula, errorMessage: 'No.' })] as const;

const duplicates = (isActive: boolean) =>
  [
    'DuplicateRule',
    elements({ actionOnInsert: 'Allow', actionOnUpdate: 'Allow', isActive, masterLabel: 'Same' }),
  ] as const;

async function openOrg(...permissions: readonly string[]): Promise<void> {
  source = metadataSource({
    'permissionsets/Extra.permissionset-meta.xml': ['PermissionSet', granting(...permissions)],
    'flows/Drafted.flow-meta.xml': ['Flow', elements({ label: 'Drafted', status: 'Draft' })],
    'objects/Account/validationRules/Phone.validationRule-meta.xml': rule(true, 'ISBLANK(Phone)'),
    'objects/Account/validationRules/Old.validationRule-meta.xml': rule(false, 'ISBLANK(Fax)'),
    'duplicateRules/Account.Same.duplicateRule-meta.xml': duplicates(true),
    'duplicateRules/Contact.Same.duplicateRule-meta.xml': duplicates(false),
  });
  org = await startSalesforceOrg({ seed: 'empty', packageDirs: [PACKAGE_DIR, source.dir] });
}

it('reads flows, permissions, and the rules that are active', async () => {
  await openOrg('ViewSetup');
  expect(await org.crm.setup(FLOWS)).toEqual({
    flows: new Map([
      ['Lockstep_Opportunity_Changed', 'active'],
      ['Drafted', 'inactive'],
      ['Nobody_Made_This', 'missing'],
    ]),
    sendingSets: [],
    duplicateRules: [{ object: 'Account', name: 'Same' }],
    validationRules: expect.arrayContaining([
      { object: 'Account', name: 'Phone', formula: 'ISBLANK(Phone)' },
      {
        object: 'Opportunity',
        name: 'Lockstep_Owned_Fields',
        formula: expect.stringContaining('$Permission.Lockstep_Owned_Fields'),
      },
    ]),
  });
});

it('finds that our user sends outbound messages, as it then does', async () => {
  await openOrg('ViewSetup', 'EnableNotifications');
  expect((await org.crm.setup(FLOWS)).sendingSets).toEqual([{ name: 'Extra', isProfile: false }]);
  const token = org.simulator.integration.accessToken;
  await fetch(`${org.simulator.url}/services/data/v67.0/sobjects/Opportunity`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ Name: 'A', StageName: 'B', CloseDate: '2027-01-31', Vendor_Share__c: true }),
  });
  expect(await org.admin('GET', 'outbound')).toMatchObject({ pending: [{}] });
});

it('learns nothing from an org that does not show its setup to our user', async () => {
  await openOrg();
  expect(await org.crm.setup(FLOWS)).toEqual({
    flows: null,
    sendingSets: null,
    duplicateRules: null,
    validationRules: null,
  });
});

it('shows sales persons what prices and orders leave out, as help beside the fields', async () => {
  await openOrg();
  const helpOf = async (object: string, name: string): Promise<unknown> => {
    const answer = await fetch(`${org.simulator.url}/services/data/v67.0/sobjects/${object}/describe`, {
      headers: { authorization: `Bearer ${org.simulator.user.accessToken}` },
    });
    const { fields } = (await answer.json()) as { readonly fields: readonly Record<string, unknown>[] };
    return fields.find((field) => field['name'] === name)?.['inlineHelpText'];
  };
  const standard = /standard discount.*adjustments are not applied/;
  expect(await helpOf('Vendor_Price__c', 'Partner_Price__c')).toMatch(standard);
  expect(await helpOf('PricebookEntry', 'Vendor_Partner_Price__c')).toMatch(standard);
  expect(await helpOf('Vendor_Order__c', 'Vendor_Created__c')).toMatch(/before 2020-07-20/);
  expect(await helpOf('Opportunity', 'Name')).toBeNull();
});
