/** The owner and the record type that a vendor-created deal gets by the tenant's rules. */

import { elements, type MetadataSource, metadataSource, PACKAGE_DIR } from 'lockstep-simulators/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CrmCreate } from '../../src/domain/record/crm-graph.ts';
import type { ImportAssignment } from '../../src/domain/record/import-assignment.ts';
import type { Crm } from '../../src/salesforce/crm.ts';
import { type SalesforceOrg, startSalesforceOrg } from '../support/salesforce/salesforce-org.ts';

const offer = (fullName: string): string => `<values>${elements({ fullName, default: false })}</values>`;

const recordType = (fullName: string, active: boolean, businessProcess?: string): readonly [string, string] => [
  'RecordType',
  elements({ fullName, active, label: fullName, ...(businessProcess && { businessProcess }) }) +
    `<picklistValues>${elements({ picklist: 'Vendor_Forecast_Category__c' })}${offer('SAFE')}</picklistValues>`,
];

const SOURCE = {
  'objects/Opportunity/recordTypes/Vendor_Deal.recordType-meta.xml': recordType('Vendor_Deal', true, 'Short'),
  'objects/Opportunity/recordTypes/Other_Deal.recordType-meta.xml': recordType('Other_Deal', true),
  'objects/Opportunity/businessProcesses/Short.businessProcess-meta.xml': [
    'BusinessProcess',
    `${elements({ fullName: 'Short', isActive: true })}${offer('Qualification')}${offer('Closed Won')}`,
  ],
  'objects/Opportunity/recordTypes/Old_Deal.recordType-meta.xml': recordType('Old_Deal', false),
  'permissionsets/Deals.permissionset-meta.xml': [
    'PermissionSet',
    `${elements({ label: 'Deals' })}<recordTypeVisibilities>${elements({ recordType: 'Opportunity.Vendor_Deal', visible: true })}</recordTypeVisibilities>`,
  ],
} as const;

let source: MetadataSource;
let org: SalesforceOrg;
let opened: readonly Crm[] = [];
const users: Record<string, string> = {};

beforeAll(async () => {
  source = metadataSource(SOURCE);
  org = await startSalesforceOrg({ packageDirs: [PACKAGE_DIR, source.dir] });
  const [profile] = await org.query('SELECT Id FROM Profile LIMIT 1');
  for (const name of ['ann', 'bob', 'gone'])
    users[name] = await org.create('User', {
      Username: `${name}@reseller.example`,
      Email: `${name}@reseller.example`,
      LastName: name,
      Alias: name,
      ProfileId: profile?.['Id'],
      IsActive: name !== 'gone',
    });
  const queue = await org.create('Group', { Name: 'Deals', DeveloperName: 'Deals', Type: 'Queue' });
  for (const UserOrGroupId of Object.values(users)) await org.create('GroupMember', { GroupId: queue, UserOrGroupId });
  await org.create('Group', { Name: 'Empty', DeveloperName: 'Empty', Type: 'Queue' });
});

afterAll(async () => {
  for (const crm of opened) await crm.close();
  await org.close();
  source.remove();
});

let next = 0;

async function made(
  imports: Partial<ImportAssignment>,
  account: CrmCreate['account'] = null,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const crm = org.open({ imports: { owner: null, recordType: null, ...imports } });
  opened = [...opened, crm];
  next += 1;
  const opportunity = {
    Name: `Deal ${next}`,
    StageName: 'Prospecting',
    CloseDate: '2026-12-31',
    Vendor_Share__c: true,
  };
  const create = { vendorId: `V-${next}`, opportunity, account, lines: [], contacts: [] };
  const { opportunityId } = await crm.createFromVendor(create);
  // Again, as after a lost answer.
  expect(await crm.createFromVendor(create)).toEqual({ opportunityId, isNew: false });
  const [row] = await org.query(
    `SELECT OwnerId, CreatedById, RecordType.DeveloperName FROM Opportunity WHERE Id = '${opportunityId}'`,
  );
  return row;
}

describe('the owner', () => {
  it('is who makes the deal, where the tenant says nothing', async () => {
    const row = await made({});
    expect(row?.['OwnerId']).toBe(row?.['CreatedById']);
  });

  it('is the owner of the account that was there, and of a new or an abandoned one who makes the deal', async () => {
    await org.create('Account', { Name: 'Hooli', BillingCountry: 'FR', OwnerId: users['ann'] });
    await org.create('Account', { Name: 'Pied', BillingCountry: 'FR', OwnerId: users['bob'] });
    await org.update('User', users['bob'] ?? '', { IsActive: false });
    const owner = { by: 'account' } as const;
    expect(await made({ owner }, { Name: 'Hooli', BillingCountry: 'FR' })).toMatchObject({
      OwnerId: users['ann'],
    });
    for (const Name of ['Pied', 'New one']) {
      const row = await made({ owner }, { Name, BillingCountry: 'FR' });
      expect(row?.['OwnerId']).toBe(row?.['CreatedById']);
    }
    await org.update('User', users['bob'] ?? '', { IsActive: true });
  });

  it('is one user, who has to be active', async () => {
    const owner = (name: string) => ({ owner: { by: 'user', username: `${name}@reseller.example` } }) as const;
    expect(await made(owner('bob'))).toMatchObject({ OwnerId: users['bob'] });
    await expect(made(owner('gone'))).rejects.toMatchObject({
      kind: 'permanent',
      code: 'UNKNOWN_OWNER',
      fields: ['OwnerId'],
    });
  });

  it('is each active user of a queue in turn', async () => {
    const owner = { by: 'queue', name: 'Deals' } as const;
    const owners = new Set<unknown>();
    for (let count = 0; count < 12; count += 1) owners.add((await made({ owner }))?.['OwnerId']);
    expect([...owners].sort()).toEqual([users['ann'], users['bob']].sort());
    for (const name of ['Empty', 'Nowhere'])
      await expect(made({ owner: { by: 'queue', name } })).rejects.toMatchObject({ code: 'UNKNOWN_OWNER' });
  });
});

describe('the record type', () => {
  it('is the one of that name, which has to be active', async () => {
    expect(await made({ recordType: 'Vendor_Deal' })).toMatchObject({
      RecordType: { DeveloperName: 'Vendor_Deal' },
    });
    await expect(made({ recordType: 'Old_Deal' })).rejects.toMatchObject({
      kind: 'permanent',
      code: 'UNKNOWN_RECORD_TYPE',
    });
  });
});

describe('what record types offer', () => {
  it('is read for each active one, with the stages of its sales process, in one request each', async () => {
    await org.drain();
    const { Opportunity, Account } = await org.crm.schema(['Opportunity', 'Account']);
    expect(Opportunity).toMatchObject({
      recordTypes: ['Vendor_Deal'],
      defaultRecordType: null,
      offered: {
        Vendor_Deal: { Vendor_Forecast_Category__c: ['SAFE'], StageName: ['Qualification', 'Closed Won'] },
        Other_Deal: {
          Vendor_Forecast_Category__c: ['SAFE'],
          StageName: expect.arrayContaining(['Prospecting']),
        },
      },
    });
    expect(Object.keys(Opportunity?.offered ?? {})).toHaveLength(2);
    expect(Account?.offered).toEqual({});
    // Both objects are described in one request.
    expect(await org.drain()).toEqual(['oauth.token', 'composite', 'picklistValues', 'picklistValues']);
  });

  it('is not known where the org does not tell', async () => {
    const refused = { status: 403, errorCode: 'INSUFFICIENT_ACCESS' };
    await org.admin('POST', 'faults', { operation: 'picklistValues', times: 2, ...refused });
    const { Opportunity } = await org.crm.schema(['Opportunity']);
    expect(Opportunity?.offered).toEqual({ Vendor_Deal: null, Other_Deal: null });
  });
});
