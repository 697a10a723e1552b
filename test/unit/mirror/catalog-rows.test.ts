import { describe, expect, it } from 'vitest';
import { type CatalogRow, shownRows } from '../../../src/mirror/catalog/catalog-mirror.ts';
import { offerRows } from '../../../src/mirror/catalog/offer-rows.ts';
import { priceListRows, priceRows } from '../../../src/mirror/catalog/price-rows.ts';
import { componentRow, informationRows, rankOf } from '../../../src/mirror/catalog/product-rows.ts';
import {
  packageContent,
  priceListCountry,
  productInformation,
  productPrice,
} from '../../../src/partner-api/order/catalog-schemas.ts';

/** What the CRM shows of what the vendor answered. */

const information = (wire: object) =>
  informationRows(productInformation.parse({ number: 'N-1', type: 'NU', release: 'R2026x', ...wire }));
const prices = (list: readonly object[], more: object = {}) =>
  priceRows(
    productPrice.parse({ number: 'N-1', prices: list }),
    { id: 4, status: 'C', currency: 'USD', ...more },
    { preferred: [], wanted: null },
  );
const price = (revenueType: string, dsListPrice = 100) => ({
  revenueType,
  dsListPrice,
  distributorDiscountPercentage: 35.123,
  distributorPrice: 64.88,
});
const ofKind = (rows: readonly CatalogRow[], kind: string) => rows.filter((row) => row.kind === kind);

describe('a product', () => {
  it('is its number, codes raw, and keeps 120 letters of any script', () => {
    const name = '株'.repeat(120);
    const [product, release] = information({
      name,
      licensingScheme: 'NAM',
      availabilityStatus: 2,
      remoteAccess: true,
    });
    expect(product).toMatchObject({
      kind: 'product',
      id: 'N-1',
      fields: {
        Name: name,
        ProductCode: 'N-1',
        Vendor_Product_Number__c: 'N-1',
        Vendor_Product_Type__c: 'NU',
        Vendor_Licensing_Scheme__c: 'NAM',
        Vendor_Availability__c: '2',
        Vendor_Remote_Access__c: 'Yes',
        Vendor_Extended_Enterprise_User__c: null,
        IsActive: true,
      },
    });
    expect(release).toMatchObject({
      kind: 'release',
      id: 'N-1/R2026x',
      needs: [{ kind: 'product', id: 'N-1' }],
    });
  });

  it('is called by its number where it has no name, and has no release where none is shown', () => {
    const rows = information({ name: ' ', release: null });
    expect(rows).toHaveLength(1);
    expect(rows[0]?.fields).toMatchObject({ Name: 'N-1', Vendor_Release__c: null });
  });

  it('has a content to be read where it is a package or an offer', () => {
    expect(information({ type: 'P' })[0]).toMatchObject({ follow: 'R2026x' });
    expect(information({ type: 'O' })[0]).toMatchObject({ follow: 'R2026x' });
    expect(information({ type: 'NU' })[0]).not.toHaveProperty('follow');
    expect(information({ type: 'P', release: '' })[0]).not.toHaveProperty('follow');
  });

  it('without a number that tells it apart is none', () => {
    for (const number of ['', ' N', 'N\u0000', 'x'.repeat(81)]) expect(information({ number })).toEqual([]);
  });
});

describe('the latest release', () => {
  it.each([
    ['R2024x', 'R2025x'],
    ['R9', 'R10'],
    ['r2024', 'R2025'],
    ['', 'R1'],
    ['R2025x FP9', 'R2025x FP10'],
  ])('%j comes before %j', (before, after) => {
    expect(rankOf(before) < rankOf(after)).toBe(true);
  });
});

describe('what a refresh shows', () => {
  const known = (row: object) => ({ id: 'N-1', fingerprint: 'x', seen: 'earlier', rank: null, ...row });
  const rows = [...information({ release: 'R2025x' }), ...information({ release: 'R2024x' })];
  const products = ofKind(rows, 'product');

  it('is of a product the latest release, whichever comes first, also on a page before', () => {
    for (const order of [products, products.toReversed()]) {
      const [shown, ...others] = shownRows([], order, 'now');
      expect(others).toEqual([]);
      expect(shown?.fields).toMatchObject({ Vendor_Release__c: 'R2025x' });
    }
    const later = known({ seen: 'now', rank: rankOf('R2026x') });
    expect(shownRows([later], products, 'now')).toEqual([]);
    const older = known({ seen: 'now', rank: rankOf('R2020x') });
    expect(shownRows([older], products, 'now')[0]?.fields).toMatchObject({ Vendor_Release__c: 'R2025x' });
    // What another refresh has shown says nothing of this one.
    const withdrawn = known({ rank: rankOf('R2026x') });
    expect(shownRows([withdrawn], products, 'now')[0]?.fields).toMatchObject({ Vendor_Release__c: 'R2025x' });
  });

  it('is nothing to write where the CRM has it, and all of it where a field differs', () => {
    const [first] = shownRows([], products, 'now');
    const same = known({ fingerprint: first?.fingerprint });
    expect(shownRows([same], products, 'now')[0]).toMatchObject({ id: 'N-1', fields: null });
    const other = ofKind(information({ release: 'R2025x', name: 'Other' }), 'product');
    expect(shownRows([same], other, 'now')[0]?.fields).toMatchObject({ Name: 'Other', IsActive: true });
  });

  it('is, of two equal numbers in one page, the first', () => {
    const twins = [...information({ name: 'One' }), ...information({ name: 'Two' })];
    expect(shownRows([], ofKind(twins, 'product'), 'now')).toMatchObject([{ fields: { Name: 'One' } }]);
  });
});

describe('price lists', () => {
  const list = (id: number, more: object = {}) => ({
    id,
    name: `List ${id}`,
    currency: 'EUR',
    hasFuturePriceList: false,
    effectiveDate: null,
    ...more,
  });
  const country = (countryCode: string, ...priceLists: readonly object[]) =>
    priceListCountry.parse({ countryCode, countryName: `In ${countryCode}`, priceLists });
  const future = { hasFuturePriceList: true, effectiveDate: '2027-02-18' };

  it('are one price book each, whichever countries they are for', () => {
    const { rows, versions } = priceListRows([country('FRA', list(1)), country('DEU', list(1), list(2))], '2027-01-01');
    expect(rows.map(({ id }) => id)).toEqual(['1', '2']);
    expect(rows[0]?.fields).toMatchObject({
      Name: 'List 1',
      Vendor_Price_List_Id__c: 1,
      Vendor_Country_Codes__c: 'DEU, FRA',
      Vendor_Countries__c: 'In DEU, In FRA',
      Vendor_Effective_Date__c: null,
      IsActive: true,
    });
    expect(versions).toEqual([
      { id: 1, status: 'C', currency: 'EUR' },
      { id: 2, status: 'C', currency: 'EUR' },
    ]);
  });

  it.each([
    ['2027-02-17', false, ['2027-02-18']],
    ['2027-02-18', true, []],
    ['2027-02-19', true, []],
  ])('of a future version are another, on %s active: %s', (today, isActive, awaited) => {
    const shown = priceListRows([country('FRA', list(1, future))], today);
    expect(shown.rows.map(({ id, fields }) => [id, fields['IsActive']])).toEqual([
      ['1', true],
      ['1-future', isActive],
    ]);
    expect(shown.rows[1]?.fields).toMatchObject({
      Name: 'Future: List 1',
      Vendor_Effective_Date__c: '2027-02-18',
    });
    expect(shown.awaited).toEqual(awaited);
    expect(shown.versions.map(({ status }) => status)).toEqual(['C', 'F']);
  });

  it('stay inactive where the day is none, and are none where the id is', () => {
    const shown = priceListRows(
      [country('FRA', list(1, { ...future, effectiveDate: 'soon' }), list(100), list(1.5))],
      '2027-01-01',
    );
    expect(shown.rows.map(({ id, fields }) => [id, fields['IsActive']])).toEqual([
      ['1', true],
      ['1-future', false],
    ]);
    expect(shown.unusable).toEqual(['1.5', '100']);
    expect(shown.awaited).toEqual([]);
  });
});

describe('prices', () => {
  it('are a row each, at their precision, and one of them is in the price book', () => {
    const rows = prices([price('YLC', 12.5), price('PLC', 99)]);
    expect(ofKind(rows, 'price').map(({ id }) => id)).toEqual(['4/N-1/YLC', '4/N-1/PLC']);
    expect(ofKind(rows, 'price')[0]?.fields).toMatchObject({
      Product_Number__c: 'N-1',
      Currency__c: 'USD',
      List_Price__c: 12.5,
      Partner_Discount__c: 35.123,
      Partner_Price__c: 64.88,
      First_Year_Price__c: null,
    });
    expect(ofKind(rows, 'entry')).toMatchObject([
      {
        id: '4/N-1',
        fields: { UnitPrice: 99, Vendor_Revenue_Type__c: 'PLC', Pricebook2Id: '4', IsActive: true },
      },
    ]);
    expect(ofKind(rows, 'standard-entry')).toMatchObject([
      { id: 'standard/N-1/USD', fields: { UnitPrice: 99, CurrencyIsoCode: 'USD' } },
    ]);
  });

  it('come after the standard price, which comes after the product and the currency', () => {
    const [entry] = ofKind(prices([price('YLC')]), 'entry');
    expect(entry?.needs).toEqual([
      { kind: 'price-list', id: '4' },
      { kind: 'standard-entry', id: 'standard/N-1/USD' },
      { kind: 'currency', id: 'USD' },
    ]);
  });

  it('show the type that the tenant prefers', () => {
    const product = productPrice.parse({
      number: 'N-1',
      prices: [price('ALC'), price('PLC'), price('YLC', 7)],
    });
    const rows = priceRows(
      product,
      { id: 4, status: 'C', currency: 'USD' },
      { preferred: ['XXX', 'YLC'], wanted: null },
    );
    expect(ofKind(rows, 'entry')).toMatchObject([{ fields: { UnitPrice: 7 } }]);
  });

  it.each([
    [null, 1],
    [['USD', 'EUR'], 1],
    [['EUR'], 0],
    [[], 0],
  ])('are entries in the currencies that are wanted: %j', (wanted, entries) => {
    const product = productPrice.parse({ number: 'N-1', prices: [price('YLC', 7)] });
    const rows = priceRows(product, { id: 4, status: 'C', currency: 'USD' }, { preferred: [], wanted });
    expect(ofKind(rows, 'entry')).toHaveLength(entries);
    expect(ofKind(rows, 'price')).toHaveLength(1);
  });

  it('are no entry where the list has no currency, or the product no price', () => {
    expect(prices([price('YLC')], { currency: null }).map(({ kind }) => kind)).toEqual(['price']);
    expect(prices([])).toEqual([]);
  });
});

describe('a part of a package', () => {
  const part = packageContent.parse({ number: 'N-2', portfolio: 'P', release: 'R1', quantity: 3 });
  const of = { number: 'N-1', release: 'R2' };

  it('leads to its product where the catalog has it', () => {
    expect(componentRow(of, part, new Set(['N-2']))).toMatchObject({
      id: 'N-1/N-2/R1',
      master: 'N-1',
      fields: { Package__c: 'N-1', Package_Release__c: 'R2', Component__c: 'N-2', Quantity__c: 3 },
    });
    expect(componentRow(of, part, new Set())?.fields).toMatchObject({
      Component__c: null,
      Component_Number__c: 'N-2',
    });
  });
});

describe('an offer', () => {
  const item = {
    salesPortfolioId: 'OFR-1',
    salesPortfolioLevel1: 'A',
    salesPortfolioLevel2: 'B',
    salesPortfolioLevel3: '',
  };

  it('is a product that lines can be of, called by its finest level, in each currency of the org', () => {
    const rows = offerRows(item, ['EUR', 'USD']);
    expect(rows[0]).toMatchObject({
      kind: 'offer',
      id: 'OFR-1',
      fields: { Name: 'B', Vendor_Offer_Id__c: 'OFR-1', IsActive: true, Vendor_Orderable__c: null },
    });
    expect(rows.slice(1).map(({ fields }) => fields['CurrencyIsoCode'])).toEqual(['EUR', 'USD']);
  });

  it('has an entry in each mirrored price book, after its standard entry and the price book', () => {
    const rows = offerRows(item, ['EUR'], [{ id: '3', currency: 'EUR' }]);
    const standard = ofKind(rows, 'offer-entry')[0]?.id;
    expect(ofKind(rows, 'offer-book-entry')).toMatchObject([
      {
        needs: [
          { kind: 'offer-entry', id: standard },
          { kind: 'price-list', id: '3' },
        ],
        fields: { Pricebook2Id: '3', Product2Id: 'OFR-1', CurrencyIsoCode: 'EUR', UnitPrice: 0, IsActive: true },
      },
    ]);
  });

  it('that cannot be ordered is inactive, and without an id it is none', () => {
    expect(offerRows({ ...item, salesPortfolioisOrderable: false }, [])[0]?.fields).toMatchObject({
      IsActive: false,
    });
    expect(offerRows({ ...item, salesPortfolioId: null }, ['EUR'])).toEqual([]);
  });
});
