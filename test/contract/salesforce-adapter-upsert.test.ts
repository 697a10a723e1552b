import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CrmFields } from '../../src/domain/record/crm-graph.ts';
import { type SalesforceOrg, startSalesforceOrg } from '../support/salesforce/salesforce-org.ts';

/** Rows of an object by an external id, as streams into the CRM write them. */

let org: SalesforceOrg;

beforeAll(async () => {
  org = await startSalesforceOrg();
});
afterAll(() => org.close());

const OFFER = 'Vendor_Offer_Id__c';
const product = (offer: string, more: CrmFields = {}): CrmFields => ({
  Name: `Product ${offer}`,
  IsActive: true,
  [OFFER]: offer,
  ...more,
});
const upsert = (rows: readonly CrmFields[]) => org.crm.upsertRows('Product2', OFFER, rows);
const names = async (like: string): Promise<readonly unknown[]> => {
  const rows = await org.query(`SELECT Name FROM Product2 WHERE ${OFFER} LIKE '${like}' ORDER BY ${OFFER}`);
  return rows.map((row) => row['Name']);
};

describe('upserting rows', () => {
  it('makes those that are new, changes those that are there, and may be repeated', async () => {
    expect(await upsert([product('MADE-1'), product('MADE-2')])).toEqual([null, null]);
    const again = [product('MADE-2', { Name: 'Renamed' }), product('MADE-3')];
    expect(await upsert(again)).toEqual([null, null]);
    expect(await upsert(again)).toEqual([null, null]);
    expect(await names('MADE-%')).toEqual(['Product MADE-1', 'Renamed', 'Product MADE-3']);
  });

  it('sends 200 a request', async () => {
    await org.drain();
    const rows = Array.from({ length: 401 }, (_, n) => product(`MANY-${String(n).padStart(3, '0')}`));
    expect(await upsert(rows)).toEqual(rows.map(() => null));
    expect((await org.drain()).filter((operation) => operation === 'collections.upsert')).toHaveLength(3);
    expect(await names('MANY-%')).toHaveLength(401);
  });

  it('tells the row that was refused from those that were taken', async () => {
    const long = product('BAD-2', { Name: 'x'.repeat(300) });
    const told = await upsert([product('BAD-1'), long, product('BAD-3')]);
    expect(told).toMatchObject([
      null,
      { kind: 'permanent', code: 'STRING_TOO_LONG', fields: ['Name'] },
      null,
    ]);
    expect(await names('BAD-%')).toEqual(['Product BAD-1', 'Product BAD-3']);
  });

  it('takes the later one of two rows with one external id, whatever characters that has', async () => {
    const id = "A/B?ä 'C' %20";
    const told = await upsert([product(id, { Name: 'first' }), product(id, { Name: 'second' })]);
    expect(told).toEqual([null, null]);
    expect(await names('A/B%')).toEqual(['second']);
  });

  it('throws when nothing of it was taken, and asks nothing for no rows', async () => {
    await org.admin('POST', 'faults', { operation: 'collections.upsert', status: 503, times: 1 });
    await expect(upsert([product('X')])).rejects.toMatchObject({ kind: 'transient' });
    await org.drain();
    expect(await upsert([])).toEqual([]);
    expect(await org.drain()).toEqual([]);
  });
});
