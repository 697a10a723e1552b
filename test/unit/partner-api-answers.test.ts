import { describe, expect, it } from 'vitest';
import { failureOf, MINIMAL_CREATE, usePartnerApi } from '../support/partner-api/partner-api-fixture.ts';

const fixture = usePartnerApi();
const DATE = 'Sat, 21 Nov 2026 10:00:00 GMT';
const NONE = { limit: null, remaining: null, resetSeconds: null };
const search = () => fixture.api.searchPortfolioItems();

describe('info', () => {
  it.each([
    [{ timeStamp: 'T1' }, 'T1'],
    [{ timestamp: 'T2' }, 'T2'],
    [{ timeStamp: null, timestamp: 'T2' }, 'T2'],
    [{ timeStamp: 'T1', timestamp: 'T2' }, 'T1'],
    [{ timeStamp: null }, null],
    [{}, null],
    [null, null],
    [undefined, null],
  ])('%j has the timestamp %s, in one spelling', async (info, timestamp) => {
    fixture.server.script({ body: { info, data: [] } });
    const result = await search();
    expect(result.info).toMatchObject({ timestamp });
    expect(result.info).not.toHaveProperty('timeStamp');
  });

  it('keeps what it does not know, and gives the trace id', async () => {
    fixture.server.script({
      body: { info: { success: true, statusCode: 200, traceId: 't', node: 7 }, data: [] },
    });
    const result = await search();
    expect(result.traceId).toBe('t');
    expect(result.info).toEqual({
      success: true,
      statusCode: 200,
      timestamp: null,
      traceId: 't',
      estimatedSearchCount: null,
      extra: { node: 7 },
    });
  });

  it.each([
    [null, null],
    ['', null],
    ['garbage', null],
    [DATE, '2026-11-21T10:00:00.000Z'],
  ])('reads the Date header %j as %s', async (date, expected) => {
    fixture.server.script({ headers: { date }, body: { data: [] } });
    expect((await search()).date).toBe(expected);
  });
});

describe('rate-limit headers', () => {
  const headers = (limit: string, remaining: string, reset: string) => ({
    'X-RateLimit-Limit': limit,
    'X-RateLimit-Remaining': remaining,
    'X-RateLimit-Reset': reset,
  });
  it.each([
    [headers('100', '0', '17'), { limit: 100, remaining: 0, resetSeconds: 17 }],
    [headers('-1', '1.5', 'soon'), NONE],
    [headers('', '1e3', '99999999999999999999'), NONE],
    [{ 'X-RateLimit-Limit': ['1', '2'] }, NONE],
    [{}, NONE],
  ])('%j on an answer', async (given, rateLimit) => {
    fixture.server.script({ headers: given, body: { data: [] } }, { status: 400, headers: given });
    expect((await search()).rateLimit).toEqual(rateLimit);
    expect((await failureOf(search())).rateLimit).toEqual(rateLimit);
  });

  it.each([
    ['the later of reset and Retry-After', 429, { 'X-RateLimit-Reset': '17', 'Retry-After': '5' }, 17],
    ['Retry-After without a valid reset', 429, { 'X-RateLimit-Reset': '-3', 'Retry-After': '5' }, 5],
    ['a date', 429, { 'Retry-After': 'Sat, 21 Nov 2026 10:01:30 GMT', date: DATE }, 90],
    ['a date in the past', 429, { 'Retry-After': 'Sat, 21 Nov 2026 09:00:00 GMT', date: DATE }, 1],
    ['a date without a clock to hold it against', 429, { 'Retry-After': DATE, date: null }, null],
    ['nothing', 429, {}, null],
    ['Retry-After of a maintenance', 503, { 'X-RateLimit-Reset': '17', 'Retry-After': '5' }, 5],
    ['the window’s end, which says nothing of a maintenance', 503, { 'X-RateLimit-Reset': '17' }, null],
  ])('waits by %s', async (_name, status, given, resetSeconds) => {
    fixture.server.script({ status, headers: given, body: { message: 'wait' } });
    expect((await failureOf(search())).resetSeconds).toBe(resetSeconds);
  });
});

describe('an answer that breaks the contract', () => {
  it.each([
    [{ data: {} }, 'data'],
    [{}, 'data'],
    [[], '(body)'],
    [{ data: [{ salesPortfolioId: 7 }] }, 'data[0].salesPortfolioId'],
    [{ data: [], info: { success: 'yes' } }, 'info.success'],
    [{ data: [], info: 'fine' }, 'info'],
  ])('%j is a protocol error at %s', async (body, field) => {
    fixture.server.script({ body });
    const error = await failureOf(search());
    expect(error).toMatchObject({ kind: 'protocol', code: 'CONTRACT', status: 200, fields: [field] });
    expect(error.message).toContain(` at ${field}`);
  });

  it.each([
    [{ leadOpportunity: { offerLines: [{ amount: 'much' }] } }, 'data.leadOpportunity.offerLines[0].amount'],
    [{ leadOpportunity: { name: 'x', status: 3 } }, 'data.leadOpportunity.status'],
    [{ leadOpportunity: { competitors: 'one' } }, 'data.leadOpportunity.competitors'],
    [{ leadOpportunity: null }, 'data.leadOpportunity'],
    [null, 'data'],
  ])('read: %j is a protocol error at %s, without its value', async (data, field) => {
    fixture.server.script({ body: { info: { success: true, traceId: 't' }, error: null, data } });
    const error = await failureOf(fixture.api.readLeadOpportunity({ id: 'DS-1' }));
    expect(error).toMatchObject({ kind: 'protocol', sent: 'unknown', fields: [field], traceId: 't' });
    expect(JSON.stringify(error)).not.toMatch(/much|one/);
  });

  it('is a create that names no vendor id', async () => {
    fixture.server.script({ status: 201, body: { info: { success: true }, error: null } });
    const error = await failureOf(fixture.api.createLeadOpportunity(MINIMAL_CREATE));
    expect(error).toMatchObject({ kind: 'protocol', sent: 'unknown', fields: ['dsLeadOpportunityId'] });
  });

  it.each([[[{}]], [[{ dsLeadOpportunityId: null }]], [null]])('is a search with data %j', async (data) => {
    fixture.server.script({ body: { info: { success: true }, data } });
    const call = fixture.api.searchLeadOpportunities({ data: [{ partnerLeadOpportunityId: '' }] });
    expect((await failureOf(call)).kind).toBe('protocol');
  });
});
