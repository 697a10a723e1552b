import { describe, expect, it } from 'vitest';
import type { SearchPackageContentInput, SearchProductPricesInput } from '../../src/partner-api/index.ts';
import { failureOf, usePartnerApi } from '../support/partner-api/partner-api-fixture.ts';

const fixture = usePartnerApi();
const PREFIX = '/order/api4partners';
const info = { success: true, statusCode: 200, estimatedSearchCount: 1 };
const connect = () => fixture.connect({ onDeprecated: () => undefined });
const of = { accreditationType: 'R', accreditationId: 'ABC123' } as const;

it('generateApiKey posts nothing and reads the answer without an envelope', async () => {
  const body = { hashed_key: 'h'.repeat(60), api_key: 'k'.repeat(64) };
  fixture.server.script({ body });
  const result = await connect().generateApiKey();
  expect(result.data).toEqual(body);
  expect(result.info).toMatchObject({ success: null, timestamp: null });
  expect(fixture.server.requests).toMatchObject([{ method: 'POST', path: `${PREFIX}/v0/apikeys`, body: undefined }]);
});

it('generateApiKey keeps a key out of the error when it has the wrong length', async () => {
  fixture.server.script({ body: { hashed_key: 'h'.repeat(60), api_key: 'secret-but-short' } });
  const error = await failureOf(connect().generateApiKey());
  expect(error).toMatchObject({ kind: 'protocol', sent: 'unknown', fields: ['api_key'] });
  expect(JSON.stringify(error) + error.message).not.toContain('secret-but-short');
});

it('searchPriceLists', async () => {
  const list = { id: 12, name: 'EUR list', currency: 'EUR', hasFuturePriceList: false, effectiveDate: null };
  const data = [{ countryCode: 'FRA', countryName: 'France', priceLists: [list] }];
  fixture.server.script({ body: { info, data } });
  expect((await connect().searchPriceLists()).data).toEqual(data);
  expect(fixture.server.requests).toMatchObject([{ method: 'GET', path: `${PREFIX}/v0/price-lists/search` }]);
});

it('searchAccreditations reads both versions alike', async () => {
  fixture.server.script(
    {
      body: {
        info,
        data: [{ id: 'A', name: 'N', accreditationType: 'Portfolio', deploymentType: 'Public Cloud' }],
      },
    },
    { body: { info, data: [{ id: 'A', name: 'N', accreditationType: 'R', deploymentType: '4' }] } },
  );
  const v0 = await connect().searchAccreditations({ skip: 1, top: 100 }, { apiVersion: 'v0' });
  const v1 = await connect().searchAccreditations({});
  const portfolio = { code: 'R', name: 'Portfolio', known: true };
  expect(v0.data[0]).toMatchObject({
    accreditationType: portfolio,
    deploymentType: { code: null, known: true },
  });
  expect(v1.data[0]).toMatchObject({
    accreditationType: portfolio,
    deploymentType: { code: '4', known: true },
  });
  const paths = fixture.server.requests.map((request) => request.path);
  expect(paths).toEqual([`${PREFIX}/v0/accreditations/search?skip=1&top=100`, `${PREFIX}/v1/accreditations/search`]);
});

it('searchProductPrices gives prices as decimals', async () => {
  const price = {
    revenueType: 'YLC',
    dsListPrice: 1000.0000000000001,
    distributorDiscountPercentage: 33.33333333333333,
    distributorPrice: 666.67,
  };
  const more = { ...price, firstYearDiscountPercentage: 5, firstYearDiscountPrice: 950 };
  fixture.server.script({ body: { info, data: [{ number: 'N1', prices: [price, more] }] } });
  const { data } = await connect().searchProductPrices({
    ...of,
    priceListId: 12,
    priceListStatus: 'F',
    top: 5,
  });
  expect(data[0]?.prices).toMatchObject([
    {
      revenueType: { code: 'YLC' },
      dsListPrice: '1000',
      distributorDiscountPercentage: '33.3333333333',
      firstYearDiscountPrice: null,
    },
    { firstYearDiscountPercentage: '5', firstYearDiscountPrice: '950' },
  ]);
  expect(fixture.server.requests).toMatchObject([
    {
      path: `${PREFIX}/v0/product-price-list/search?top=5`,
      body: { ...of, priceListId: 12, priceListStatus: 'F' },
    },
  ]);
});

it('searchProductInformation reads codes', async () => {
  const item = {
    number: 'N1',
    type: 'NU',
    licensingScheme: 'TBQ',
    defaultSupportLevel: 'Q',
    prerequisite: '',
  };
  fixture.server.script({ body: { info, data: [item] } });
  expect((await connect().searchProductInformation(of)).data[0]).toMatchObject({
    type: { name: 'Named User' },
    licensingScheme: { name: 'Token-based (query calls)' },
    defaultSupportLevel: { code: 'Q', known: false },
    prerequisite: null,
    dsOffering: null,
  });
  expect(fixture.server.requests[0]?.path).toBe(`${PREFIX}/v0/product-information/search`);
});

it('searchPackageContent', async () => {
  const data = [{ number: 'N2', portfolio: 'P', release: 'R1', quantity: 2 }];
  fixture.server.script({ body: { info, data } });
  expect((await connect().searchPackageContent({ number: 'N1', release: 'R1', top: 10 })).data).toEqual(data);
  expect(fixture.server.requests).toMatchObject([
    { path: `${PREFIX}/v0/package-offer-content/search?top=10`, body: { number: 'N1', release: 'R1' } },
  ]);
});

describe('an input that breaks a documented rule is refused before a request is spent', () => {
  it.each([
    [{ accreditationType: 'X' }, ['accreditationType']],
    [{ accreditationId: 'abc' }, ['accreditationId']],
    [{ accreditationId: 'A'.repeat(16) }, ['accreditationId']],
    [{ priceListId: 100 }, ['priceListId']],
    [{ priceListId: 1.5 }, ['priceListId']],
    [{ priceListStatus: 'CF' }, ['priceListStatus']],
    [{ top: 101 }, ['top']],
  ])('product prices with %j', async (change, fields) => {
    const input = { ...of, priceListId: 1, ...change } as SearchProductPricesInput;
    expect(await failureOf(connect().searchProductPrices(input))).toMatchObject({ kind: 'invalid', fields });
    expect(fixture.server.requests).toEqual([]);
  });

  it.each([
    [{ release: 'R' }, ['number']],
    [{ number: 'N'.repeat(21), release: 'R' }, ['number']],
    [{ number: 'N', release: 'R'.repeat(51) }, ['release']],
    [{ number: 'N', release: 'R', top: 11 }, ['top']],
  ])('package content with %j', async (input, fields) => {
    const call = connect().searchPackageContent(input as SearchPackageContentInput);
    expect(await failureOf(call)).toMatchObject({ kind: 'invalid', fields });
  });
});
