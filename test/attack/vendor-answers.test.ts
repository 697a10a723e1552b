import { MockActivityEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReadVendor } from '../../activities/opportunity/read-vendor.ts';
import { createUnmodifiedRecords } from '../../activities/opportunity/unmodified-records.ts';
import type { ActivityDeps } from '../../activities/support/deps.ts';
import { observeVendor } from '../../src/domain/mapping/index.ts';
import { flattenExtra, foundIds, type PartnerApi, PartnerApiError } from '../../src/partner-api/index.ts';
import type { HostileAnswer } from '../support/hostile/hostile-server.ts';
import { type HostileVendor, startHostileVendor, vendorBody } from '../support/hostile/hostile-vendor.ts';
import { mappingConfig } from '../support/mapping/fixtures.ts';
import { MINIMAL_CREATE } from '../support/partner-api/partner-api-fixture.ts';

/**
 * An answer that is no answer says nothing: not that a record is gone, not that there are none, not that a write was
 * taken. Each is an error that workflows know, and no crash.
 */

const ID = 'DS-1';
const RECORD = { dsLeadOpportunityId: ID, name: 'x', status: 'QUALIFIED', currency: 'EUR' };

let vendor: HostileVendor;
let result: HostileAnswer = {};
let api: PartnerApi;

beforeAll(async () => {
  vendor = await startHostileVendor(() => result);
  api = vendor.connect();
});
afterAll(() => vendor.close());

const all = async (rows: AsyncGenerator<unknown>): Promise<unknown> => {
  const found: unknown[] = [];
  for await (const row of rows) found.push(row);
  return found;
};
const products = { accreditationType: 'R', accreditationId: 'A1' } as const;
const OPERATIONS: Readonly<Record<string, () => Promise<unknown>>> = {
  createLeadOpportunity: () => api.createLeadOpportunity(MINIMAL_CREATE),
  readLeadOpportunity: () => api.readLeadOpportunity({ id: ID }),
  searchLeadOpportunities: () =>
    api.searchLeadOpportunities({ data: [{ partnerLeadOpportunityId: ['006000000000001AAA'] }] }),
  searchPortfolioItems: () => api.searchPortfolioItems(),
  allPortfolioItems: () => all(api.allPortfolioItems({})),
  generateApiKey: () => api.generateApiKey(),
  searchOrders: () => api.searchOrders({ installedBaseNumber: 'IB' }),
  allOrders: () => all(api.allOrders({ installedBaseNumber: 'IB' })),
  readOrder: () => api.readOrder({ id: 'PO-1' }),
  searchPriceLists: () => api.searchPriceLists(),
  searchAccreditations: () => api.searchAccreditations({}),
  searchProductPrices: () => api.searchProductPrices({ ...products, priceListId: 1 }),
  searchProductInformation: () => api.searchProductInformation(products),
  searchPackageContent: () => api.searchPackageContent({ number: 'N', release: 'R' }),
};

const NO_ANSWERS: readonly (readonly [string, unknown])[] = [
  ['null', null],
  ['a number', 0],
  ['a text', 'x'],
  ['true', true],
  ['a list', []],
  ['a list of answers', [{ data: [] }]],
  ['an object', {}],
  ['no data', { info: { success: true }, error: null }],
  ['data of null', { info: { success: true }, data: null }],
  ['data of a text', { info: {}, data: 'x' }],
  ['data of a number', { info: {}, data: 7 }],
  ['data of objects in numbers', { info: {}, data: { 0: {}, length: 1 } }],
  ['a row that is null', { info: {}, data: [null] }],
  ['a row that is a list', { info: {}, data: [[]] }],
  ['info that is a list', { info: [], data: [] }],
  ['info that is a text', { info: 'x', data: [] }],
  ['success that is a text', { info: { success: 'true' }, data: [] }],
  ['a count that is a text', { info: { estimatedSearchCount: '1' }, data: [] }],
  ['a failure told with data', { info: { success: false }, data: [], error: null }],
  ['an error told with data', { info: { success: true }, data: [], error: { code: 'ERR1', message: 'x' } }],
  ['errors told with data', { info: { success: true }, data: [], error: [{ type: 'x' }] }],
  ['names of ours', { __proto__: null, constructor: 1, toString: 1, hasOwnProperty: 1 }],
];

async function outcome(operation: () => Promise<unknown>, answer: HostileAnswer): Promise<unknown> {
  result = answer;
  return operation().catch((error: unknown) => error);
}

describe.each(Object.entries(OPERATIONS))('%s', (_, operation) => {
  test.each(NO_ANSWERS)('answered %s', async (_what, answer) => {
    const failed = await outcome(operation, { body: JSON.stringify(answer) });
    expect(failed).toBeInstanceOf(PartnerApiError);
    // Neither "gone" nor "refused": whoever reads this concludes nothing.
    expect(['protocol', 'server', 'unavailable', 'timeout']).toContain((failed as PartnerApiError).kind);
  });

  test.each<[string, HostileAnswer]>([
    ['HTML', { body: '<html>busy</html>' }],
    ['nothing', { body: '' }],
    ['no content', { status: 204 }],
    ['half of UTF-8', { body: Buffer.from([0x22, 0xc3, 0x22]) }],
    ['a status of none', { raw: 'HTTP/1.1 099 X\r\ncontent-length: 2\r\n\r\n{}' }],
    ['a page that a gateway has not', { status: 404, body: '<html>not found</html>' }],
    ['a gateway that knows no such path', { status: 410, body: '' }],
  ])('answered %s', async (_what, answer) => {
    const failed = await outcome(operation, answer);
    expect(failed).toBeInstanceOf(PartnerApiError);
    expect(['out-of-scope', 'duplicate']).not.toContain((failed as PartnerApiError).kind);
  });
});

describe('a read', () => {
  test.each<[string, object]>([
    ['another record', { ...RECORD, dsLeadOpportunityId: 'DS-2' }],
    ['a record with an id that is a number', { ...RECORD, dsLeadOpportunityId: 1 }],
    ['a name that is a list', { ...RECORD, name: ['x'] }],
    ['lines that are an object', { ...RECORD, offerLines: { 0: {} } }],
    ['a line that is null', { ...RECORD, offerLines: [null] }],
    ['an amount that is an object', { ...RECORD, offerLines: [{ amount: {} }] }],
    ['an amount that is no number', { ...RECORD, offerLines: [{ amount: '1,5' }] }],
    ['an entity that is a list', { ...RECORD, customerLegalEntity: [] }],
  ])('that shows %s is no reading', async (_what, leadOpportunity) => {
    const read = OPERATIONS['readLeadOpportunity'] ?? expect.unreachable;
    const failed = await outcome(read, { body: vendorBody({ leadOpportunity }) });
    expect(failed).toMatchObject({ kind: 'protocol', code: 'CONTRACT' });
  });

  test.each(['', '.', '..'])('of an id that would lead to another operation is not sent: %j', async (id) => {
    result = { body: vendorBody({ leadOpportunity: { dsLeadOpportunityId: id } }) };
    const failed = await api.readLeadOpportunity({ id }).catch((error: unknown) => error);
    expect(failed).toMatchObject({ kind: 'invalid', sent: 'no' });
  });

  test.each([{}, { dsLeadOpportunityId: ID }])('that shows no field has cleared none: %j', async (shown) => {
    result = { body: vendorBody({ leadOpportunity: shown }) };
    const { data } = await api.readLeadOpportunity({ id: ID });
    const { record } = observeVendor(flattenExtra(data.leadOpportunity), mappingConfig(), '2026-03-01');
    expect(record).toEqual({});
  });

  test('of what is asked for is one', async () => {
    const read = OPERATIONS['readLeadOpportunity'] ?? expect.unreachable;
    const answer = await outcome(read, { body: vendorBody({ leadOpportunity: RECORD }) });
    expect(answer).toMatchObject({ data: { leadOpportunity: RECORD } });
  });
});

describe('a search', () => {
  test.each<[string, unknown]>([
    ['an entry without ids', [{}]],
    ['ids of null', [{ dsLeadOpportunityId: null }]],
    ['one id that is no list', [{ dsLeadOpportunityId: 'DS-1' }]],
    ['an id that is a number', [{ dsLeadOpportunityId: [1] }]],
    ['an id that is null', [{ dsLeadOpportunityId: ['DS-1', null] }]],
  ])('that shows %s has not found nothing', async (_what, data) => {
    const search = OPERATIONS['searchLeadOpportunities'] ?? expect.unreachable;
    expect(await outcome(search, { body: vendorBody(data) })).toMatchObject({ kind: 'protocol' });
  });

  test('has where a whole answer says so', async () => {
    result = { body: vendorBody([{ dsLeadOpportunityId: [] }]) };
    const { data } = await api.searchLeadOpportunities({ data: [{ partnerLeadOpportunityId: '' }] });
    expect(foundIds(data)).toEqual([]);
  });
});

describe('a deal that only the vendor has', () => {
  const link = {
    tenant: 'acme',
    key: ID,
    crmId: null,
    vendorId: ID,
    generation: 1,
    observedGeneration: 0,
    issues: [],
  };
  const ledger = {
    findLink: async () => link,
    pauses: async () => [],
    reserveRequest: async () => ({ allowed: true }),
    reportQuota: async () => {},
  };
  const deps = {
    ledger,
    runtime: () => ({ tenant: { tenant: 'acme' }, vendor: api }),
    now: () => '2026-03-01T00:00:00.000Z',
  } as unknown as ActivityDeps;
  const read = () =>
    new MockActivityEnvironment().run(createReadVendor(deps, createUnmodifiedRecords(deps)), {
      tenant: 'acme',
      key: ID,
      planId: null,
      crmDue: false,
    });

  test.each<[string, HostileAnswer]>([
    ['a gateway has not', { status: 404, body: '<html>not found</html>' }],
    ['nobody says anything of', { status: 404 }],
  ])('is not gone because %s its page', async (_, answer) => {
    result = answer;
    await expect(read()).rejects.toMatchObject({ type: 'TRANSIENT', nonRetryable: false });
  });

  test('is where the vendor says so', async () => {
    const error = { code: 'ERROR_048', message: 'x' };
    result = { status: 500, body: JSON.stringify({ info: { success: false, statusCode: 500 }, error }) };
    expect(await read()).toMatchObject({ next: 'search-vendor', reportedMissing: true });
  });
});
