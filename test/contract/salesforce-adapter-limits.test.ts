/** Rows that are too many for the org's automation, in requests that many records share. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SalesforceOrg, startSalesforceOrg } from '../support/salesforce/salesforce-org.ts';

const LIMIT = {
  errorCode: 'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY',
  message: 'DealTrigger: System.LimitException: Too many SOQL queries: 101',
};
const DEALS = 40;

let org: SalesforceOrg;
let ids: readonly string[];

beforeAll(async () => {
  org = await startSalesforceOrg();
  const deals = Array.from({ length: DEALS }, (_, n) => ({
    ...{ Name: `Deal ${n}`, StageName: 'Qualification', CloseDate: '2027-03-01' },
    Vendor_Id__c: `OPP-${n}`,
  }));
  await org.crm.upsertRows('Opportunity', 'Vendor_Id__c', deals);
  ids = (await org.query("SELECT Id FROM Opportunity WHERE Vendor_Id__c LIKE 'OPP-%'")).map((row) => String(row['Id']));
});
afterAll(() => org.close());

const report = (opportunity: object, hasRow: boolean) =>
  Promise.all(
    ids.map((opportunityId) =>
      org.crm.report({
        opportunityId,
        opportunity: { ...opportunity },
        sync: { Sync_State__c: 'In sync' },
        hasRow,
      }),
    ),
  );
const requests = async () => (await org.drain()).filter((operation) => operation === 'composite').length;

it.each([
  ['sync rows', 'collections.upsert', {}, false],
  ['fields of opportunities', 'collections.update', { Vendor_Campaign_Code__c: 'C-1' }, true],
])(
  'reports go in halves until the org takes them, and the size that went is kept: %s',
  async (_, operation, opportunity, hasRow) => {
    await org.admin('POST', 'faults', { operation, mostRows: 10, ...LIMIT });
    await org.drain();
    await report(opportunity, hasRow);
    expect(await requests()).toBeGreaterThan(2);
    await report(opportunity, true);
    // Ten rows of an object in a part, five parts in a request.
    expect(await requests()).toBeLessThanOrEqual(2);
    await org.admin('DELETE', 'faults');
    expect(await org.query("SELECT Id FROM Lockstep_Sync__c WHERE Sync_State__c = 'In sync'")).toHaveLength(DEALS);
  },
);

it('a report that alone is too much blames the org’s automation, once', async () => {
  await org.admin('POST', 'faults', { operation: 'collections.upsert', row: 0, ...LIMIT });
  const [id = ''] = ids;
  const told = org.crm.report({
    opportunityId: id,
    opportunity: {},
    sync: { Sync_State__c: 'Parked' },
    hasRow: true,
  });
  await expect(told).rejects.toMatchObject({ kind: 'governor', code: 'APEX_GOVERNOR_LIMIT' });
  await org.admin('DELETE', 'faults');
});
