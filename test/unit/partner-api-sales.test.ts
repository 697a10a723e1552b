import { describe, expect, it } from 'vitest';
import { flattenExtra, foundIds, type UpdateLeadOpportunityInput } from '../../src/partner-api/index.ts';
import { KEY, MINIMAL_CREATE, usePartnerApi } from '../support/partner-api/partner-api-fixture.ts';

const fixture = usePartnerApi();
const PREFIX = '/sales/api4partners';
const info = { success: true, statusCode: 200, timeStamp: '2026-11-21T10:00:00.000Z', traceId: 'trace-1' };

describe('createLeadOpportunity', () => {
  const created = {
    dsLeadOpportunityId: 'DS-1',
    partnerLeadOpportunityId: '006000000000001AAA',
    action: 'create',
    info: { success: true, statusCode: 201, timestamp: '2026-11-21T10:00:00.000Z', traceId: null },
    error: null,
  };

  it('posts the input as it is and gives the ids of the flat answer', async () => {
    fixture.server.script({ status: 201, body: { ...created, tenant: 1 } });
    const result = await fixture.api.createLeadOpportunity(MINIMAL_CREATE);
    expect(result.data).toEqual({
      dsLeadOpportunityId: 'DS-1',
      partnerLeadOpportunityId: '006000000000001AAA',
      action: 'create',
      extra: { tenant: 1 },
    });
    expect(result.status).toBe(201);
    expect(result.info.timestamp).toBe('2026-11-21T10:00:00.000Z');
    expect(fixture.server.requests).toMatchObject([
      { method: 'POST', path: `${PREFIX}/v1/leads-opportunities`, body: MINIMAL_CREATE },
    ]);
  });

  it('sends the key, JSON and no other credentials', async () => {
    fixture.server.script({ status: 201, body: created });
    await fixture.connect({ keyHeader: 'apikey' }).createLeadOpportunity(MINIMAL_CREATE);
    const headers = fixture.server.requests[0]?.headers;
    expect(headers).toMatchObject({
      apikey: KEY,
      'content-type': 'application/json',
      accept: 'application/json',
    });
    expect(headers).not.toHaveProperty('x-api-key');
    expect(headers).not.toHaveProperty('authorization');
  });

  it('asks for the key again for each request, so that a rotated one is picked up', async () => {
    const keys = ['first-key', 'second-key'];
    const api = fixture.connect({ apiKey: async () => keys.shift() ?? 'none' });
    fixture.server.script({ body: created }, { body: created });
    await api.createLeadOpportunity(MINIMAL_CREATE);
    await api.createLeadOpportunity(MINIMAL_CREATE);
    const sent = fixture.server.requests.map((request) => request.headers['x-api-key']);
    expect(sent).toEqual(['first-key', 'second-key']);
  });

  it('keeps a path of the base address', async () => {
    fixture.server.script({ body: created });
    const api = fixture.connect({ salesBaseUrl: `${fixture.server.url}/gateway/` });
    await api.createLeadOpportunity(MINIMAL_CREATE);
    expect(fixture.server.requests[0]?.path).toBe(`/gateway${PREFIX}/v1/leads-opportunities`);
  });
});

describe('updateLeadOpportunity', () => {
  it('puts the id into the path, encoded, and all else into the body', async () => {
    const body: Pick<UpdateLeadOpportunityInput, 'leadOpportunity'> = {
      leadOpportunity: { partnerLeadOpportunityId: '006000000000001AAA', name: 'Renamed', description: '' },
    };
    fixture.server.script({
      body: { info, error: null, data: { dsLeadOpportunityId: 'a/b?c', action: 'update' } },
    });
    const result = await fixture.api.updateLeadOpportunity({ id: 'a/b?c=1 ü', ...body });
    expect(result.data).toEqual({ dsLeadOpportunityId: 'a/b?c', action: 'update' });
    expect(fixture.server.requests).toMatchObject([
      { method: 'PATCH', path: `${PREFIX}/v1/leads-opportunities/a%2Fb%3Fc%3D1%20%C3%BC`, body },
    ]);
  });

  it('takes an update without data as done, since no member of it is documented as required', async () => {
    fixture.server.script({ body: { info, error: null } });
    const input = { id: 'DS-1', leadOpportunity: { partnerLeadOpportunityId: 'X' } };
    expect((await fixture.api.updateLeadOpportunity(input)).data).toEqual({});
  });
});

describe('readLeadOpportunity', () => {
  const read = (leadOpportunity: unknown, more = {}) => {
    fixture.server.script({ body: { error: null, info, data: { leadOpportunity, ...more } } });
    return fixture.api.readLeadOpportunity({ id: 'DS-1' });
  };

  it('reads singular contacts and keeps unknown codes, and unknown fields apart', async () => {
    const leadOpportunity = {
      dsLeadOpportunityId: 'DS-1',
      status: 'A_STATUS_OF_TOMORROW',
      reasonLost: ['EMPTY', 'ANOTHER'],
      offerLines: [{ offerNameId: 'O1', amount: 1234.5, revenueType: 'YEARLY?', discount: 3 }],
      customerContact: [{ email: 'a@example.com', firstName: 'A', lastName: 'B', fax: '1' }],
      partnerContact: null,
      customerLegalEntity: { id: 'S1', name: 'Acme', city: 'Paris', country: 'FR', segment: 'X' },
      newField: { deep: [1], extra: 'stays' },
    };
    const { data } = await read(leadOpportunity, { sibling: true });
    expect(data.extra).toEqual({ sibling: true });
    expect(data.leadOpportunity).toEqual({
      dsLeadOpportunityId: 'DS-1',
      status: 'A_STATUS_OF_TOMORROW',
      reasonLost: ['EMPTY', 'ANOTHER'],
      offerLines: [{ offerNameId: 'O1', amount: 1234.5, revenueType: 'YEARLY?', extra: { discount: 3 } }],
      customerContact: [{ email: 'a@example.com', firstName: 'A', lastName: 'B', extra: { fax: '1' } }],
      partnerContact: [],
      customerLegalEntity: { id: 'S1', name: 'Acme', city: 'Paris', country: 'FR', extra: { segment: 'X' } },
      extra: { newField: { deep: [1], extra: 'stays' } },
    });
    expect(flattenExtra(data.leadOpportunity)).toEqual({ ...leadOpportunity, partnerContact: [] });
    expect(fixture.server.requests).toMatchObject([
      { method: 'GET', path: `${PREFIX}/v1/leads-opportunities/DS-1`, body: undefined },
    ]);
    expect(fixture.server.requests[0]?.headers).not.toHaveProperty('content-type');
  });

  const names = ['name', 'closeDate', 'reasonWon', 'competitors', 'poNumber', 'createdDate', 'offerLines'];
  const fields = [...names, 'customerContact', 'partnerContact', 'customerLegalEntity', 'status'];
  const lists = ['reasonWon', 'competitors', 'offerLines', 'customerContact', 'partnerContact'];
  it.each(fields)(
    'reads null and the empty string of %s as unset, and keeps what is missing missing',
    async (field) => {
      const unset = lists.includes(field) ? [] : null;
      for (const record of [{ [field]: null }, { [field]: '' }]) {
        expect((await read(record)).data.leadOpportunity).toStrictEqual({ [field]: unset });
      }
      expect((await read({})).data.leadOpportunity).toStrictEqual({});
    },
  );

  it.each([
    ['a plain number', '12.30', 12.3],
    ['digits that a double prints again', '12.340000000000002', 12.340000000000002],
    ['digits that a double prints otherwise', '12.340000000000001', '12.340000000000001'],
    ['more digits than a double holds', '12345678901234567.89', '12345678901234567.89'],
    ['zeros only beyond the precision', '1500.0000000000000000', 1500],
    ['an empty string', '""', null],
  ])('keeps every digit of an amount: %s', async (_name, wire, expected) => {
    const body = `{"info":{"success":true},"data":{"leadOpportunity":{"offerLines":[{"amount":${wire}}]}}}`;
    fixture.server.script({ body });
    const { data } = await fixture.api.readLeadOpportunity({ id: 'DS-1' });
    expect(data.leadOpportunity.offerLines).toEqual([{ amount: expected }]);
  });

  it('does not let a field named __proto__ reach a prototype', async () => {
    fixture.server.script({ body: '{"data":{"leadOpportunity":{"__proto__":{"name":"x"}}}}' });
    const { data } = await fixture.api.readLeadOpportunity({ id: 'DS-1' });
    expect(data.leadOpportunity.name).toBeUndefined();
    expect(flattenExtra(data.leadOpportunity)['name']).toBeUndefined();
  });
});

describe('searchLeadOpportunities', () => {
  it('posts the criteria to v0 and gives the ids', async () => {
    const data = [{ dsLeadOpportunityId: ['DS-1', 'DS-2'] }, { dsLeadOpportunityId: ['DS-2'] }];
    const period = { fromDate: '2026-11-01T00:00:00.000Z', toDate: '2026-11-02T00:00:00.000Z' };
    const input = { data: [{ modifiedDate: period }, { partnerLeadOpportunityId: '' as const }] };
    fixture.server.script({ body: { info, error: null, data } });
    const result = await fixture.api.searchLeadOpportunities(input);
    expect(foundIds(result.data)).toEqual(['DS-1', 'DS-2']);
    expect(fixture.server.requests).toMatchObject([
      { method: 'POST', path: `${PREFIX}/v0/leads-opportunities/search`, body: input },
    ]);
  });

  it.each([[[]], [[{ dsLeadOpportunityId: [] }]]])('finds nothing in %j', async (data) => {
    fixture.server.script({ body: { info, error: null, data } });
    const result = await fixture.api.searchLeadOpportunities({ data: [{ partnerLeadOpportunityId: ['X'] }] });
    expect(foundIds(result.data)).toEqual([]);
  });
});

describe('searchPortfolioItems', () => {
  const item = { salesPortfolioId: '1', salesPortfolioisOrderable: true, salesPortfolioType: 'T', other: 1 };
  it.each([
    [undefined, ''],
    [{}, ''],
    [{ skip: 0, top: 5 }, '?skip=0&top=5'],
  ])('asks for the page %j', async (input, query) => {
    fixture.server.script({ body: { info: { ...info, estimatedSearchCount: 1 }, data: [item] } });
    const result = await fixture.api.searchPortfolioItems(input);
    const { other, ...known } = item;
    expect(result.data).toEqual([{ ...known, extra: { other } }]);
    expect(result.info.estimatedSearchCount).toBe(1);
    expect(fixture.server.requests[0]?.path).toBe(`${PREFIX}/v0/portfolio-items/search${query}`);
  });
});
