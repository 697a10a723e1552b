import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CrmError } from '../../src/salesforce/errors.ts';
import { diesAt } from '../support/orders/dying-worker.ts';
import { type OrderBed, openOrderBed } from '../support/orders/order-bed.ts';

/** Renewal notifications show what future prices change, and get an opportunity once if the tenant wants it, whatever is lost. */

const RULES = { daysBefore: 120, stage: 'Qualification', share: false };
type Row = Readonly<Record<string, unknown>>;
const REFUSED = new CrmError('permanent', 'FIELD_CUSTOM_VALIDATION_EXCEPTION', 'refused');
let bed: OrderBed;
let site = 0;

beforeAll(async () => {
  bed = await openOrderBed();
});
afterEach(() => {
  bed.orders.renewalOpportunities = null;
});

const product = (quantity: number, amount: number, startDate: string) => ({
  licenseChargeConditions: [
    {
      sequenceNumber: 1,
      licenseChargeBreakdown: [
        {
          ...{ sequenceNumber: 1, revenueType: 'YLC', product: { number: 'P-1', name: 'Seat' }, quantity, startDate },
          ...{ unitListPrice: 100, distributorNetAmount: amount },
        },
      ],
    },
  ],
});
const notice = async (id: string, more: object = {}): Promise<string> => {
  site += 1;
  const account = await bed.org.create('Account', { Name: `Customer ${site}`, Vendor_Site_Id__c: `S-${site}` });
  await bed.addOrder({
    transaction: { id, type: 'RN', status: 'FRST' },
    ...{ currency: 'EUR', opportunityId: '', billToPoReference: '' },
    soldToSite: { id: `S-${site}`, name: `Customer ${site}`, localName: null, locationId: 1 },
    ...product(3, 180, '2027-03-01'),
    ...more,
  });
  await bed.run();
  return account;
};
const follow = () => bed.run('followRenewalNotices');
const orderRow = async (id: string): Promise<Row | undefined> =>
  (
    await bed.org.query(
      'SELECT Renewal_Price_Today__c, Renewal_Price_Future__c, Renewal_Price_Difference__c, Future_Prices_From__c, ' +
        `Opportunity__c, Renewal_Created__c FROM Vendor_Order__c WHERE Vendor_Order_Id__c = '${id}'`,
    )
  )[0];
const deals = (id: string): Promise<readonly Row[]> =>
  bed.org.query(
    'SELECT Id, Name, StageName, Amount, CloseDate, AccountId, OwnerId, Vendor_Share__c, Vendor_Renewal_State__c ' +
      `FROM Opportunity WHERE Vendor_Renewal_Id__c = '${id}'`,
  );
/** Time passes, and both sessions are used meanwhile, because a session that is not used ends. */
const hours = async (count: number): Promise<void> => {
  for (let hour = 0; hour < count; hour += 1) {
    bed.clock.ms += 3_660_000;
    await bed.org.query('SELECT Id FROM Organization LIMIT 1');
    await bed.org.crm.probe();
  }
};
/** A new day, on which every notice is read. */
const nextDay = (): Promise<void> => hours(24);

it('a renewal beyond the start of a future price list shows the effect until the list takes effect', async () => {
  const book = async (key: string, from: string | null): Promise<string> =>
    bed.org.create('Pricebook2', {
      ...{ Name: key, Vendor_Price_List_Key__c: key, Vendor_Currency__c: 'EUR', Vendor_Effective_Date__c: from },
      IsActive: true,
    });
  const price = async (key: string, own: string, partner: number): Promise<string> =>
    bed.org.create('Vendor_Price__c', {
      ...{ Name: key, Price_Key__c: `${key}/P-1/YLC`, Price_Book__c: own, Product_Number__c: 'P-1' },
      ...{ Revenue_Type__c: 'YLC', List_Price__c: 100, Partner_Price__c: partner, Active__c: true },
      Product__c: await bed.org.create('Product2', { Name: key }),
    });
  await price('1', await book('1', null), 60);
  const future = await book('1-future', '2027-02-01');
  await price('1-future', future, 61.8);
  await notice('E-1');
  await follow();
  const effect = { Renewal_Price_Today__c: 180, Renewal_Price_Future__c: 185.4, Renewal_Price_Difference__c: 5.4 };
  expect(await orderRow('E-1')).toMatchObject({ ...effect, Future_Prices_From__c: '2027-02-01' });
  const [line] = await bed.org.query(
    "SELECT Renewal_Price_Difference__c FROM Vendor_Order_Line__c WHERE Vendor_Order__r.Vendor_Order_Id__c = 'E-1'",
  );
  expect(line).toMatchObject({ Renewal_Price_Difference__c: 5.4 });
  const before = (await bed.crmRequests()).length;
  await follow();
  expect((await bed.crmRequests()).length - before).toBeLessThan(6);
  await bed.org.update('Pricebook2', future, { Vendor_Effective_Date__c: '2027-01-04' });
  await nextDay();
  await follow();
  expect(await orderRow('E-1')).toMatchObject({ Renewal_Price_Difference__c: null, Future_Prices_From__c: null });
  expect(await bed.differences()).toEqual([]);
});

describe('the opportunity of a renewal', () => {
  it('is created once on the tenant’s wish, has the order, and follows it', async () => {
    const account = await notice('D-1');
    await follow();
    expect(await deals('D-1')).toEqual([]);
    bed.orders.renewalOpportunities = RULES;
    await follow();
    await bed.run();
    const [deal, ...others] = await deals('D-1');
    expect(deal).toMatchObject({
      ...{ Name: expect.stringMatching(/^Renewal D-1 Customer/), StageName: 'Qualification', Amount: 180 },
      ...{ CloseDate: '2027-03-01', AccountId: account, Vendor_Share__c: false, Vendor_Renewal_State__c: 'Forecast' },
    });
    expect(others).toEqual([]);
    expect(await orderRow('D-1')).toMatchObject({
      Opportunity__c: deal?.['Id'],
      Renewal_Created__c: expect.anything(),
    });
    await bed.editOrder('D-1', { transaction: { status: 'HOL' }, ...product(4, 240, '2027-03-15') });
    await bed.run();
    await follow();
    expect(await deals('D-1')).toMatchObject([
      { Amount: 240, CloseDate: '2027-03-15', Vendor_Renewal_State__c: 'On hold' },
    ]);
  });

  it('keeps what the seller changed, says that the notice was withdrawn, and is not created again', async () => {
    bed.orders.renewalOpportunities = RULES;
    await notice('D-2');
    await follow();
    await bed.run();
    const id = String((await deals('D-2'))[0]?.['Id']);
    await bed.org.update('Opportunity', id, { Amount: 999 });
    await bed.editOrder('D-2', { transaction: { status: 'CAN' }, ...product(5, 300, '2027-04-01') });
    await bed.run();
    await follow();
    expect(await deals('D-2')).toMatchObject([
      { Amount: 999, CloseDate: '2027-04-01', Vendor_Renewal_State__c: 'Withdrawn' },
    ]);
    await bed.editOrder('D-2', { transaction: { status: 'DFT' } });
    await bed.org.remove('Opportunity', id);
    await bed.run();
    await nextDay();
    await follow();
    expect(await deals('D-2')).toEqual([]);
  });

  it('that Salesforce refuses is counted with the reason, and created when it can be', async () => {
    bed.orders.renewalOpportunities = RULES;
    await notice('D-3');
    const upsertRows: typeof bed.org.crm.upsertRows = async (_, __, rows) => rows.map(() => REFUSED);
    await bed.step('followRenewalNotices', {}, { upsertRows });
    const refusals = async () =>
      (await bed.ledger.figures()).refusedRows.filter((one) => one.stream === 'followRenewals');
    expect(await refusals()).toMatchObject([{ rows: 1 }]);
    await hours(1);
    await follow();
    expect(await deals('D-3')).toHaveLength(1);
    expect(await refusals()).toEqual([]);
  });

  it('that Salesforce refuses waits for its retry alone: the others go on, and nothing reads all renewals again', async () => {
    bed.orders.renewalOpportunities = RULES;
    await notice('D-5');
    const upsertRows: typeof bed.org.crm.upsertRows = async (object, key, rows, call) => {
      const answers = await bed.org.crm.upsertRows(
        object,
        key,
        rows.filter((row) => row[key] !== 'D-5'),
        call,
      );
      const left = [...answers];
      return rows.map((row) => (row[key] === 'D-5' ? REFUSED : (left.shift() ?? null)));
    };
    const read: string[][] = [];
    const renewalNotices: typeof bed.org.crm.renewalNotices = async (...args) => {
      const rows = await bed.org.crm.renewalNotices(...args);
      read.push(rows.map((row) => String(row['Vendor_Order_Id__c'])));
      return rows;
    };
    const pass = () => bed.step('followRenewalNotices', {}, { upsertRows, renewalNotices });
    await pass();
    bed.clock.ms += 1_800_000;
    await notice('D-6');
    read.length = 0;
    await pass();
    expect(await deals('D-6')).toHaveLength(1);
    expect(read.flat()).toContain('D-6');
    expect(read.flat()).not.toContain('D-1');
    await hours(2);
    read.length = 0;
    await pass();
    expect(read.flat()).toContain('D-5');
    expect(read.flat()).not.toContain('D-1');
    expect(await deals('D-5')).toEqual([]);
    await hours(5);
    await follow();
    expect(await deals('D-5')).toHaveLength(1);
  });

  it('has the record type of imports, and waits while the org has none with that name', async () => {
    bed.orders.renewalOpportunities = RULES;
    await notice('D-7');
    bed.imports.recordType = 'Renewal';
    const withTypes =
      (types: readonly Row[]): typeof bed.org.crm.rowsWith =>
      async (of, call) =>
        of.object === 'RecordType' ? types : bed.org.crm.rowsWith(of, call);
    const other = { Id: '012000000000001AAA', DeveloperName: 'Renewal', SobjectType: 'Account', IsActive: true };
    await bed.step('followRenewalNotices', {}, { rowsWith: withTypes([other]) });
    expect(await deals('D-7')).toEqual([]);
    const reasons = (await bed.ledger.streamReads(bed.tenant)).find(({ stream }) => stream === 'followRenewals');
    expect(reasons?.refusedRows).toEqual({ 'UNKNOWN_RECORD_TYPE RecordTypeId': 1 });
    const own = { ...other, Id: '012000000000002AAA', SobjectType: 'Opportunity' };
    const rowsWith = withTypes([other, own]);
    const written: Row[] = [];
    const upsertRows: typeof bed.org.crm.upsertRows = async (_, __, rows) => {
      written.push(...rows);
      return rows.map(() => REFUSED);
    };
    await hours(1);
    await bed.step('followRenewalNotices', {}, { rowsWith, upsertRows });
    expect(written).toMatchObject([{ Vendor_Renewal_Id__c: 'D-7', RecordTypeId: '012000000000002AAA' }]);
    bed.imports.recordType = null;
    await hours(2);
    await follow();
    expect(await deals('D-7')).toHaveLength(1);
  });

  const CRM = ['futurePriceLists', 'renewalNotices', 'rowsWith', 'activeUsers', 'upsertRows', 'updateRows'] as const;
  const LEDGER = ['settleRows', 'chooseOpportunity', 'saveCursor'] as const;

  /** Runs the stream, whose worker dies at its n-th call, before or after the call has had its effect. False if it never came so far. */
  function dies(at: number, when: 'before' | 'after'): Promise<boolean> {
    return diesAt({ at, when }, async (deadly) => {
      while ((await bed.step('followRenewalNotices', deadly(bed.ledger, LEDGER), deadly(bed.org.crm, CRM))).more);
    });
  }

  it.each(['before', 'after'] as const)(
    'is created once, whichever call is the last %s which a worker dies',
    async (when) => {
      bed.orders.renewalOpportunities = RULES;
      const id = `K-${when}`;
      await notice(id);
      for (let at = 1; await dies(at, when); at += 1) expect(at).toBeLessThan(60);
      expect(await deals(id)).toHaveLength(1);
      await bed.editOrder(id, product(6, 360, '2027-03-20'));
      await bed.run();
      for (let at = 1; await dies(at, when); at += 1) expect(at).toBeLessThan(60);
      await bed.run();
      const [deal, ...others] = await deals(id);
      expect([deal, others]).toMatchObject([{ Amount: 360, CloseDate: '2027-03-20' }, []]);
      expect(await orderRow(id)).toMatchObject({ Opportunity__c: deal?.['Id'], Renewal_Created__c: expect.anything() });
    },
  );
});
