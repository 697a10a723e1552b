import { describe, expect, it } from 'vitest';
import type { CrmFields } from '../../src/domain/record/crm-graph.ts';
import { withOrg } from '../support/salesforce/with-org.ts';

/** Rows of an object by an external id, as streams into the CRM write them. */

const org = await withOrg();

const KEY = 'Vendor_Id__c';
const deal = (vendorId: string, more: CrmFields = {}): CrmFields => ({
  Name: `Deal ${vendorId}`,
  StageName: 'Qualification',
  CloseDate: '2027-03-01',
  [KEY]: vendorId,
  ...more,
});
const upsert = (rows: readonly CrmFields[]) => org.crm.upsertRows('Opportunity', KEY, rows);
const names = async (like: string): Promise<readonly unknown[]> => {
  const rows = await org.query(`SELECT Name FROM Opportunity WHERE ${KEY} LIKE '${like}' ORDER BY ${KEY}`);
  return rows.map((row) => row['Name']);
};

describe('upserting rows', () => {
  it('makes those that are new, changes those that are there, and may be repeated', async () => {
    expect(await upsert([deal('MADE-1'), deal('MADE-2')])).toEqual([null, null]);
    const again = [deal('MADE-2', { Name: 'Renamed' }), deal('MADE-3')];
    expect(await upsert(again)).toEqual([null, null]);
    expect(await upsert(again)).toEqual([null, null]);
    expect(await names('MADE-%')).toEqual(['Deal MADE-1', 'Renamed', 'Deal MADE-3']);
  });

  it('sends 200 a request', async () => {
    await org.drain();
    const rows = Array.from({ length: 401 }, (_, n) => deal(`MANY-${String(n).padStart(3, '0')}`));
    expect(await upsert(rows)).toEqual(rows.map(() => null));
    expect((await org.drain()).filter((operation) => operation === 'collections.upsert')).toHaveLength(3);
    expect(await names('MANY-%')).toHaveLength(401);
  });

  it('sends rows with which the org’s automation meets a limit again in halves, and remembers what went', async () => {
    const limited = {
      errorCode: 'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY',
      message: 'DealTrigger: System.LimitException: Too many SOQL queries: 101',
    };
    await org.admin('POST', 'faults', { operation: 'collections.upsert', mostRows: 10, ...limited });
    await org.drain();
    const rows = Array.from({ length: 40 }, (_, n) => deal(`HALF-${String(n).padStart(2, '0')}`));
    expect(await upsert(rows)).toEqual(rows.map(() => null));
    // 40, 20 and four of 10.
    expect((await org.drain()).filter((operation) => operation === 'collections.upsert')).toHaveLength(6);
    expect(await names('HALF-%')).toHaveLength(40);
    expect(await upsert(rows.slice(0, 20))).toEqual(rows.slice(0, 20).map(() => null));
    expect((await org.drain()).filter((operation) => operation === 'collections.upsert')).toHaveLength(2);
    await org.admin('DELETE', 'faults');
  });

  it('blames the org’s automation where one row alone meets its limit', async () => {
    const words = 'OrderTrigger: System.LimitException: Apex CPU time limit exceeded';
    await org.admin('POST', 'faults', {
      operation: 'collections.upsert',
      row: 0,
      errorCode: 'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY',
      message: words,
    });
    const result = await upsert([deal('CPU-1')]);
    expect(result).toMatchObject([{ kind: 'governor', code: 'APEX_GOVERNOR_LIMIT', fields: [] }]);
    expect(result[0]?.message).toContain("org's automation");
    await org.admin('DELETE', 'faults');
  });

  it('tells the row that was refused from those that were taken', async () => {
    const long = deal('BAD-2', { Name: 'x'.repeat(300) });
    const result = await upsert([deal('BAD-1'), long, deal('BAD-3')]);
    expect(result).toMatchObject([null, { kind: 'permanent', code: 'STRING_TOO_LONG', fields: ['Name'] }, null]);
    expect(await names('BAD-%')).toEqual(['Deal BAD-1', 'Deal BAD-3']);
  });

  it('takes the later one of two rows with one external id, whatever characters that has', async () => {
    const id = "A/B?ä 'C' %20";
    const result = await upsert([deal(id, { Name: 'first' }), deal(id, { Name: 'second' })]);
    expect(result).toEqual([null, null]);
    expect(await names('A/B%')).toEqual(['second']);
  });

  it('names the object, or its field, that the org does not have', async () => {
    const unknown = org.crm.upsertRows('Vendor_Thing__c', 'Key__c', [{ Key__c: 'K' }]);
    await expect(unknown).rejects.toMatchObject({ kind: 'schema-mismatch', fields: ['Vendor_Thing__c'] });
    const noKey = org.crm.upsertRows('Opportunity', 'None__c', [{ None__c: 'K' }]);
    await expect(noKey).rejects.toMatchObject({ kind: 'schema-mismatch' });
    const [result] = await upsert([deal('NOFIELD', { None__c: 'x' })]).catch((error: unknown) => [error]);
    expect(result).toMatchObject({
      kind: 'schema-mismatch',
      code: 'INVALID_FIELD',
      fields: ['Opportunity.None__c'],
    });
  });

  it('throws when nothing of it was taken, and asks nothing for no rows', async () => {
    await org.admin('POST', 'faults', { operation: 'collections.upsert', status: 503, times: 1 });
    await expect(upsert([deal('X')])).rejects.toMatchObject({ kind: 'transient' });
    await org.drain();
    expect(await upsert([])).toEqual([]);
    expect(await org.drain()).toEqual([]);
  });
});
