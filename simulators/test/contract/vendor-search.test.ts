import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CORE_TEXTS } from '../../src/vendor/lead-opportunity.ts';
import { createBody, field, type Sandbox, startSandbox } from '../support/vendor-sandbox.ts';

const OTHER_KEY = 'k'.repeat(64);
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ keys: [{ apiKey: OTHER_KEY, partnerId: 'P000999' }] });
});
afterAll(() => sandbox.close());

describe('read (sales spec 2.8, 4.3)', () => {
  it('answers the envelope and every documented field', async () => {
    const id = await sandbox.create('006-read-1');
    const { status, body } = await sandbox.api('GET', `v1/leads-opportunities/${id}`);
    expect(status).toBe(200);
    expect(Object.keys(body as object).sort()).toEqual(['data', 'error', 'info']);
    expect(field(body, 'error')).toBeNull();
    expect(Object.keys(field(body, 'info') as object)).toEqual(['success', 'statusCode', 'timeStamp', 'traceId']);
    expect(Object.keys(field(body, 'data', 'leadOpportunity') as object).sort()).toEqual(
      [...new Set([...READ_FIELDS, ...Object.keys(CORE_TEXTS)])].sort(),
    );
  });

  it('reads unset values as null, an empty string or EMPTY', async () => {
    const read = await sandbox.read(await sandbox.create('006-read-2'));
    expect(read).toMatchObject({
      poNumber: null,
      leadPriority: '',
      approvalStatus: 'EMPTY',
      partnerContact: null,
    });
  });

  it('is the same in v0', async () => {
    const id = await sandbox.create('006-read-3');
    const v0 = await sandbox.api('GET', `v0/leads-opportunities/${id}`);
    expect(field(v0.body, 'data', 'leadOpportunity')).toEqual(await sandbox.read(id));
  });

  it('hides records of another partner in read and search', async () => {
    const id = await sandbox.create('006-read-4');
    const asOther = { apiKey: OTHER_KEY };
    const read = await sandbox.api('GET', `v1/leads-opportunities/${id}`, undefined, asOther);
    expect([read.status, field(read.body, 'error', 'code')]).toEqual([500, 'ERROR_048']);
    const criteria = { data: [{ partnerLeadOpportunityId: ['006-read-4'] }] };
    const found = await sandbox.api('POST', 'v0/leads-opportunities/search', criteria, asOther);
    expect(field(found.body, 'data')).toEqual([{ dsLeadOpportunityId: [] }]);
    const made = await sandbox.api('POST', 'v1/leads-opportunities', createBody('006-read-4'), asOther);
    expect(made.status).toBe(201);
  });
});

/** What the document shows; what else a mapped field goes to is read as well. */
const READ_FIELDS = [
  ...['partnerLeadOpportunityId', 'name', 'dsOwnerEmail', 'status', 'forecastCategory', 'closeDate'],
  ...['cometCampaignCode', 'reasonWon', 'reasonLost', 'competitors', 'reasonWonLostComment', 'gtmTacticId'],
  ...['description', 'nextMilestone', 'nextMilestoneDate', 'currency', 'dsLeadOpportunityId', 'approvalStatus'],
  ...['engagementType', 'poInformation', 'poStatus', 'poNumber', 'sboIndicator', 'sboStatus', 'sboNumber'],
  ...['growthType', 'leadPriority', 'levelOfInterest', 'dsComment', 'partnerImportMode', 'createdDate'],
  ...['modifiedDate', 'offerLines', 'customerContact', 'partnerContact', 'customerLegalEntity'],
];

describe('search (sales spec 4.4)', () => {
  const at = (second: number): string => `2025-05-01T00:00:0${second}.000Z`;
  const period = (from: number, to: number) => ({ modifiedDate: { fromDate: at(from), toDate: at(to) } });

  beforeAll(async () => {
    for (const second of [1, 2, 3]) {
      const reference = second === 3 ? {} : { partnerLeadOpportunityId: `S${second}` };
      const fields = { dsLeadOpportunityId: `DS${second}`, modifiedDate: at(second), ...reference };
      await sandbox.admin('POST', 'records', { type: 'leadOpportunity', fields });
    }
  });

  it('answers ids in the documented envelope', async () => {
    const { status, body } = await sandbox.api('POST', 'v0/leads-opportunities/search', {
      data: [period(1, 3)],
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      info: { success: true, statusCode: 200, timeStamp: expect.any(String), traceId: expect.any(String) },
      error: null,
      data: [{ dsLeadOpportunityId: ['DS1', 'DS2', 'DS3'] }],
    });
  });

  it.each([
    ['both bounds are inclusive', [period(1, 2)], ['DS1', 'DS2']],
    ['a period of one instant', [period(2, 2)], ['DS2']],
    ['partner ids', [{ partnerLeadOpportunityId: ['S2', 'S1', 'nobody'] }], ['DS1', 'DS2']],
    ['no ids select nothing', [{ partnerLeadOpportunityId: [] }], []],
    ['an empty string selects records without one', [period(1, 3), { partnerLeadOpportunityId: '' }], ['DS3']],
    ['an empty string in the array selects none', [period(1, 3), { partnerLeadOpportunityId: [''] }], []],
    ['several are combined with AND', [period(2, 3), { partnerLeadOpportunityId: ['S1', 'S2'] }], ['DS2']],
    ['two kinds in one criterion', [{ ...period(2, 3), partnerLeadOpportunityId: ['S1', 'S2'] }], ['DS2']],
  ])('%s', async (_what, data, expected) => {
    expect(await sandbox.search(...data)).toEqual(expected);
  });

  it.each([
    ['a null period', { data: [{ modifiedDate: null }] }, 'ERROR_043'],
    ['an end before the start', { data: [period(3, 1)] }, 'ERROR_043'],
    ['only unknown criteria', { data: [{ colour: 'red' }] }, 'SANDBOX_INVALID'],
    ['no data', {}, 'SANDBOX_INVALID'],
    ['a criterion that is no object', { data: ['x'] }, 'SANDBOX_INVALID'],
    ['a text as partner ids', { data: [{ partnerLeadOpportunityId: 'S1' }] }, 'SANDBOX_INVALID'],
    ['numbers as partner ids', { data: [{ partnerLeadOpportunityId: [1] }] }, 'SANDBOX_INVALID'],
  ])('refuses %s', async (_what, body, code) => {
    const answer = await sandbox.api('POST', 'v0/leads-opportunities/search', body);
    expect([answer.status, field(answer.body, 'error', 'code')]).toEqual([400, code]);
  });
});

describe('portfolio items (sales spec 2.10, 4.5)', () => {
  const PORTFOLIO = 'v0/portfolio-items/search';

  it('answers items and the count in the documented envelope', async () => {
    const { status, body } = await sandbox.api('GET', PORTFOLIO);
    expect(status).toBe(200);
    const items = field(body, 'data') as readonly object[];
    expect(field(body, 'info')).toEqual({
      success: true,
      statusCode: 200,
      estimatedSearchCount: items.length,
      timeStamp: expect.any(String),
    });
    expect(items[0]).toEqual({
      salesPortfolioType: expect.any(String),
      salesPortfolioInfrastructure: expect.any(String),
      salesPortfolioisOrderable: expect.any(Boolean),
      salesPortfolioLevel1: expect.any(String),
      salesPortfolioLevel2: expect.any(String),
      salesPortfolioLevel3: expect.any(String),
      salesPortfolioId: expect.any(String),
    });
  });
});
