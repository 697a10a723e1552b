import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CatalogWatch } from '../../src/domain/streams/announced-changes.ts';
import { seenOf } from '../../src/domain/streams/catalog-refresh.ts';
import { type CatalogBed, openCatalogBed } from '../support/catalog/catalog-bed.ts';

/** The catalog of the vendor's simulator on its way into the CRM's, by the activities of its streams. */

let bed: CatalogBed;
const ALL = ['EUR', 'GBP', 'JPY', 'USD'];
const violations = async (): Promise<unknown> =>
  ((await bed.vendor.admin('GET', 'violations')).body as { violations: unknown[] }).violations;
const counts = () => bed.ledger.countCatalog(bed.tenant, ['entry', 'standard-entry', 'price', 'product']);

describe('a catalog in an org of several currencies', () => {
  beforeAll(async () => {
    bed = await openCatalogBed({
      multiCurrency: true,
      org: { currencies: ALL.map((code, nth) => (nth === 0 ? code : `${code}=2`)) },
    });
  });
  afterAll(() => bed.close());

  it('reaches the CRM, every field, and asks nothing against the documents', async () => {
    await bed.run();
    await bed.run('readVendorPortfolio');
    expect(await bed.differences(ALL)).toEqual([]);
    expect(await violations()).toEqual([]);
  });

  it('costs no write while nothing changes', async () => {
    const [written, asked] = [await bed.writes(), (await bed.vendorRequests()).length];
    await bed.refresh();
    await bed.run('readVendorPortfolio');
    expect(await bed.writes()).toBe(written);
    expect((await bed.vendorRequests()).length).toBeGreaterThan(asked);
  });

  it('is not read again before its time, and at once when somebody asks', async () => {
    const asked = async () => (await bed.vendorRequests()).length;
    const before = await asked();
    await bed.run();
    expect(await asked()).toBe(before);
    bed.clock.ms += 1_000;
    const at = new Date(bed.clock.ms).toISOString();
    await bed.ledger.saveCursor(bed.tenant, 'asked refreshCatalog', { at }, at);
    bed.clock.ms += 1_000;
    await bed.run();
    expect(await asked()).toBeGreaterThan(before);
  });

  it('is written where it changed, and nowhere else', async () => {
    const [product] = await bed.records('product');
    const written = await bed.writes();
    await bed.edit(product?.id ?? '', { name: '株'.repeat(120) });
    await bed.refresh();
    expect(await bed.differences(ALL)).toEqual([]);
    // The product, and each of its releases, which show its name.
    expect(await bed.writes()).toBe(written + 2);
  });
});

it('does not look through the rows that wait for a currency for each request of the kinds behind them', async () => {
  const small = await openCatalogBed();
  const asked: string[] = [];
  const readyRows: typeof small.ledger.readyRows = (...args) => {
    const [, kind, least] = args;
    if (least === 1) asked.push(kind);
    return small.ledger.readyRows(...args);
  };
  while ((await small.step('readVendorCatalog', { readyRows })).more);
  expect((await small.ledger.countCatalog(small.tenant, ['standard-entry']))[0]?.held).not.toEqual({});
  // When they are reached, when no more of them is ready, and at the end.
  expect(asked.filter((kind) => kind === 'standard-entry')).toHaveLength(3);
  await small.close();
});

describe('a catalog that changes', () => {
  beforeAll(async () => {
    bed = await openCatalogBed();
    await bed.run();
    await bed.run('readVendorPortfolio');
  });
  afterAll(() => bed.close());
  const active = async (number: string): Promise<readonly unknown[]> => {
    const rows = await Promise.all([
      bed.org.query(`SELECT IsActive FROM Product2 WHERE Vendor_Product_Number__c = '${number}'`),
      bed.org.query(`SELECT IsActive FROM PricebookEntry WHERE Product2.Vendor_Product_Number__c = '${number}'`),
      bed.org.query(`SELECT Active__c FROM Vendor_Price__c WHERE Product_Number__c = '${number}'`),
    ]);
    return rows.map((of) => [...new Set(of.map((row) => row['IsActive'] ?? row['Active__c']))]);
  };

  it('has the prices of a currency that the org lacks wait, and shows them all the same', async () => {
    expect(await bed.differences()).toEqual([]);
    const held = Object.fromEntries((await counts()).map(({ object, held: of }) => [object, of]));
    expect(Object.keys(held['entry'] ?? {}).sort()).toEqual(['currency JPY', 'currency USD']);
    expect(held['price']).toEqual({});
    const [row] = await bed.org.query("SELECT COUNT(Id) many FROM Vendor_Price__c WHERE Currency__c = 'JPY'");
    expect(Number(row?.['many'])).toBeGreaterThanOrEqual(16);
  });

  it('is reported where it changed, with its currencies, and not at its first reading', async () => {
    const result = async (stream: 'refreshCatalog' | 'refreshPortfolio') => {
      const watch = (await bed.ledger.cursor(bed.tenant, seenOf(stream))) as CatalogWatch | null;
      return watch?.changes.map(({ what }) => what) ?? [];
    };
    expect(await result('refreshCatalog')).toEqual([]);
    expect(await result('refreshPortfolio')).toEqual([]);
    const [item] = await bed.records('portfolioItem');
    const lists = await bed.records('priceList');
    const jpy = lists.filter(({ fields }) => fields['currency'] === 'JPY');
    expect(jpy).not.toHaveLength(0);
    const asked = (await bed.vendorRequests()).length;
    await bed.remove(item?.id ?? '');
    for (const { id } of jpy) await bed.edit(id, { currency: 'CHF' });
    await bed.refresh();
    const oneRefresh = (await bed.vendorRequests()).length - asked;
    await bed.run('readVendorPortfolio');
    expect(await result('refreshPortfolio')).toEqual([`the portfolio item ${item?.id} vanished`]);
    expect(await result('refreshCatalog')).toEqual(
      expect.arrayContaining(['prices in CHF appeared', 'prices in JPY vanished']),
    );
    await bed.add('portfolioItem', item?.fields ?? {});
    for (const { id } of jpy) await bed.edit(id, { currency: 'JPY' });
    const before = (await bed.vendorRequests()).length;
    await bed.refresh();
    expect((await bed.vendorRequests()).length - before).toBe(oneRefresh);
    await bed.run('readVendorPortfolio');
    expect((await result('refreshPortfolio'))[0]).toBe(`the portfolio item ${item?.id} appeared`);
  });

  it('has nothing wait in currencies that the tenant does not want, and takes none away', async () => {
    const before = (await counts()).find(({ object }) => object === 'price')?.shown;
    bed.settings.currencies = ['EUR'];
    await bed.refresh();
    expect((await counts()).map(({ held }) => held)).toEqual([{}, {}, {}, {}]);
    expect((await counts()).find(({ object }) => object === 'price')?.shown).toBe(before);
    expect(await bed.differences()).toEqual([]);
    bed.settings.currencies = null;
    await bed.refresh();
    expect(await bed.differences()).toEqual([]);
  });

  it('unticks a product that vanishes, deletes nothing, and shows it again when it returns', async () => {
    const [record] = await bed.records('product');
    const number = record?.id ?? '';
    const before = await bed.one('Product2', `Vendor_Product_Number__c = '${number}'`, 'Id');
    await bed.remove(number);
    await bed.refresh();
    expect(await active(number)).toEqual([[false], [false], [false]]);
    expect(await bed.differences()).toEqual([]);
    const written = await bed.writes();
    await bed.refresh();
    expect(await bed.writes()).toBe(written);
    await bed.add('product', record?.fields ?? {});
    await bed.refresh();
    expect(await active(number)).toEqual([[true], [true], [true]]);
    expect(await bed.one('Product2', `Vendor_Product_Number__c = '${number}'`, 'Id')).toEqual(before);
    expect(await bed.differences()).toEqual([]);
  });

  it('lets nothing leave by a page that fails, and goes on where it was when it answers', async () => {
    const [record, other] = await bed.records('product');
    await bed.remove(record?.id ?? '');
    const fault = { operation: 'searchProductPrices', status: 503, times: 1 };
    await bed.vendor.admin('POST', 'faults', fault);
    await expect(bed.refresh()).rejects.toThrow();
    expect(await active(record?.id ?? '')).toEqual([[true], [true], [true]]);
    const asked = (await bed.vendorRequests()).filter((operation) => operation === 'searchAccreditations').length;
    await bed.run();
    expect(await active(record?.id ?? '')).toEqual([[false], [false], [false]]);
    expect(await active(other?.id ?? '')).toEqual([[true], [true], [true]]);
    const now = (await bed.vendorRequests()).filter((operation) => operation === 'searchAccreditations').length;
    expect(now).toBe(asked);
    await bed.add('product', record?.fields ?? {});
    await bed.refresh();
    expect(await bed.differences()).toEqual([]);
  });

  it('lets nothing leave by a list that the vendor refuses, and says which', async () => {
    const [record] = await bed.records('product');
    await bed.remove(record?.id ?? '');
    for (const operation of ['searchProductInformation', 'searchProductPrices'])
      await bed.vendor.admin('POST', 'faults', { operation, status: 404, times: 1 });
    await bed.refresh();
    const cursor = (await bed.ledger.cursor(bed.tenant, 'refreshCatalog')) as { failed: readonly string[] };
    expect(cursor.failed).toEqual(['information', 'prices 1']);
    const of = await active(record?.id ?? '');
    expect(of[0]).toEqual([true]);
    await bed.add('product', record?.fields ?? {});
    await bed.refresh();
    expect(await bed.differences()).toEqual([]);
  });

  it('has a future price list inactive until its day', async () => {
    const future = () =>
      bed.one('Pricebook2', "Vendor_Price_List_Key__c = '1-future'", 'IsActive, Vendor_Effective_Date__c');
    expect(await future()).toEqual(
      expect.objectContaining({ IsActive: false, Vendor_Effective_Date__c: '2027-02-18' }),
    );
    bed.clock.ms = Date.parse('2027-02-17T22:30:00.000Z');
    await bed.run();
    bed.settings.everyMs = 86_400_000;
    bed.clock.ms = Date.parse('2027-02-17T23:00:00.000Z');
    await bed.run();
    expect(await future()).toMatchObject({ IsActive: false });
    bed.clock.ms = Date.parse('2027-02-18T00:00:01.000Z');
    await bed.run();
    expect(await future()).toMatchObject({ IsActive: true });
    bed.settings.everyMs = 60_000;
  });

  it('is replaced by a price list: the book keeps its id and has the new prices, the future one leaves', async () => {
    const of = "Vendor_Price_List_Key__c = '1'";
    const before = await bed.one('Pricebook2', of, 'Id');
    await bed.edit('PRICE-LIST-1-FRA', { hasFuturePriceList: false, effectiveDate: null });
    for (const { id, fields } of (await bed.records('product')).slice(0, 3)) {
      const dearer = (fields['prices'] as { listCents: number }[]).map((price) => ({
        ...price,
        listCents: price.listCents + 100,
      }));
      await bed.edit(id, { prices: dearer });
    }
    await bed.refresh();
    expect(await bed.one('Pricebook2', of, 'Id')).toEqual(before);
    expect(await bed.one('Pricebook2', "Vendor_Price_List_Key__c = '1-future'", 'IsActive')).toMatchObject({
      IsActive: false,
    });
    expect(await bed.differences()).toEqual([]);
  });

  it('loses a price list: its book and its prices leave', async () => {
    await bed.remove('PRICE-LIST-4-USA');
    await bed.refresh();
    expect(await bed.differences()).toEqual([]);
    expect(await bed.one('Pricebook2', "Vendor_Price_List_Key__c = '4'", 'IsActive')).toMatchObject({
      IsActive: false,
    });
  });

  it('loses an accreditation: what no other shows leaves', async () => {
    const shown = (
      await bed.org.query('SELECT Id FROM Product2 WHERE IsActive = true AND Vendor_Product_Number__c != null')
    ).length;
    await bed.remove('PF2');
    await bed.refresh();
    expect(await bed.differences()).toEqual([]);
    const now = (
      await bed.org.query('SELECT Id FROM Product2 WHERE IsActive = true AND Vendor_Product_Number__c != null')
    ).length;
    expect(now).toBe(shown - 4);
  });

  it('goes on where a worker died, whatever it was doing, and writes nothing twice', async () => {
    for (const { id } of (await bed.records('product')).slice(0, 5)) await bed.edit(id, { name: `New ${id}` });
    bed.clock.ms += 3_600_000;
    const died = new Error('died');
    const dying = ['keepShown', 'commitShown', 'settleMirrored', 'leaveUnseen', 'saveCursor'] as const;
    for (const call of dying) {
      const gone = {
        [call]: async () => {
          throw died;
        },
      };
      // What it had begun goes on until that call is met; a step that does not make it is a step further.
      let result: unknown;
      for (let steps = 0; steps < 40 && result !== died; steps += 1)
        result = await bed.step('readVendorCatalog', gone).catch((error: unknown) => error);
      expect(result, call).toBe(died);
    }
    await bed.run();
    await bed.refresh();
    expect(await bed.differences()).toEqual([]);
    const doubles = await bed.org.query(
      'SELECT Product_Number__c FROM Vendor_Price__c GROUP BY Product_Number__c, Price_Key__c HAVING COUNT(Id) > 1',
    );
    expect(doubles).toEqual([]);
  });

  it('stops alone where the key is refused for it, and pauses neither orders nor deals', async () => {
    for (const [operation, activity] of [
      ['searchPriceLists', 'readVendorCatalog'],
      ['searchPortfolioItems', 'readVendorPortfolio'],
    ] as const) {
      await bed.vendor.admin('POST', 'faults', { operation, status: 403, times: 1 });
      await expect(bed.refresh(activity)).rejects.toMatchObject({ type: 'REFUSED' });
      await bed.run(activity);
    }
    expect(await bed.differences()).toEqual([]);
  });

  it('has one row that the CRM refuses wait, while the others go', async () => {
    const [one, two] = await bed.records('product');
    await bed.edit(one?.id ?? '', { name: 'Refused' });
    await bed.edit(two?.id ?? '', { name: 'Taken' });
    const fault = {
      operation: 'collections.upsert',
      errorCode: 'FIELD_CUSTOM_VALIDATION_EXCEPTION',
      row: 0,
      times: 1,
    };
    await bed.org.admin('POST', 'faults', fault);
    await bed.refresh();
    expect((await bed.differences()).length).toBe(1);
    bed.clock.ms += 3_600_000;
    await bed.run();
    expect(await bed.differences()).toEqual([]);
  });
});

describe('an offer', () => {
  beforeAll(async () => {
    bed = await openCatalogBed();
  });
  afterAll(() => bed.close());

  it('is found as a line by its id, and what users made of it stays', async () => {
    const [seeded] = await bed.org.query("SELECT Id, Name FROM Product2 WHERE Vendor_Offer_Id__c = 'OFR-DES-001'");
    await bed.org.update('Product2', String(seeded?.['Id']), { Name: 'Our own name' });
    await bed.add('portfolioItem', { salesPortfolioId: 'OFR-NEW', salesPortfolioLevel3: 'Brand new' });
    expect(await bed.org.crm.knownOffers(['OFR-NEW'])).toEqual(new Set());
    await bed.run('readVendorPortfolio');
    expect(await bed.org.crm.knownOffers(['OFR-NEW', 'OFR-DES-001'])).toEqual(new Set(['OFR-NEW', 'OFR-DES-001']));
    expect(await bed.one('Product2', "Vendor_Offer_Id__c = 'OFR-NEW'", 'Name')).toMatchObject({
      Name: 'Brand new',
    });
    const kept = await bed.one(
      'Product2',
      "Vendor_Offer_Id__c = 'OFR-DES-001'",
      'Id, Name, Vendor_Portfolio_Level_1__c',
    );
    expect(kept).toMatchObject({
      Id: seeded?.['Id'],
      Name: 'Our own name',
      Vendor_Portfolio_Level_1__c: 'Engineering',
    });
    const entries = await bed.org.query(
      "SELECT UnitPrice FROM PricebookEntry WHERE Product2.Vendor_Offer_Id__c = 'OFR-DES-001'",
    );
    expect(entries).toEqual([expect.objectContaining({ UnitPrice: 1200 })]);
  });

  it('whose id several products have is left to the org', async () => {
    for (const Name of ['One', 'Two']) await bed.org.create('Product2', { Name, Vendor_Offer_Id__c: 'OFR-TWICE' });
    await bed.add('portfolioItem', { salesPortfolioId: 'OFR-TWICE' });
    const result = await bed.refresh('readVendorPortfolio');
    expect(result.reduce((sum, { refused = 0 }) => sum + refused, 0)).toBe(0);
    const rows = await bed.org.query("SELECT Name FROM Product2 WHERE Vendor_Offer_Id__c = 'OFR-TWICE' ORDER BY Name");
    expect(rows.map(({ Name }) => Name)).toEqual(['One', 'Two']);
  });

  it('that leaves the portfolio is inactive, and the price that the partner gave it stays', async () => {
    const of = "Product2.Vendor_Offer_Id__c = 'OFR-NEW'";
    const entry = await bed.one('PricebookEntry', of, 'Id');
    await bed.org.update('PricebookEntry', String(entry['Id']), { UnitPrice: 777 });
    await bed.remove('OFR-NEW');
    await bed.refresh('readVendorPortfolio');
    expect(await bed.one('Product2', "Vendor_Offer_Id__c = 'OFR-NEW'", 'IsActive')).toMatchObject({
      IsActive: false,
    });
    await bed.add('portfolioItem', { salesPortfolioId: 'OFR-NEW', salesPortfolioLevel3: 'Brand new' });
    await bed.refresh('readVendorPortfolio');
    expect(await bed.one('PricebookEntry', of, 'UnitPrice, IsActive')).toMatchObject({
      UnitPrice: 777,
      IsActive: true,
    });
  });
});
