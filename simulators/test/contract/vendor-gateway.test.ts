import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBody, field, type Sandbox, startSandbox } from '../support/vendor-sandbox.ts';

let sandbox: Sandbox;
const ORDER_ONLY_KEY = 'o'.repeat(64);
const SECOND_KEY = 's'.repeat(64);
const LIMIT_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
const PORTFOLIO = 'v0/portfolio-items/search';
const CREATE = 'v1/leads-opportunities';

beforeEach(async () => {
  sandbox = await startSandbox({
    keys: [
      { apiKey: ORDER_ONLY_KEY, partnerId: 'P000123', scopes: ['order'] },
      { apiKey: SECOND_KEY, partnerId: 'P000123' },
    ],
  });
});
afterEach(() => sandbox.close());

const limitsOf = (headers: Headers) => LIMIT_HEADERS.map((name) => headers.get(name));

describe('keys (sales spec 5)', () => {
  it.each([
    ['no key', null, 401],
    ['an empty key', '', 401],
    ['an unknown key', 'x'.repeat(64), 403],
    ['a key without the scope', ORDER_ONLY_KEY, 403],
  ])('%s answers {message} and no rate-limit headers', async (_what, apiKey, status) => {
    const answer = await sandbox.api('GET', PORTFOLIO, undefined, { apiKey });
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ message: expect.any(String) });
    expect(limitsOf(answer.headers)).toEqual([null, null, null]);
  });

  it('takes several keys, of 64 characters when it makes one', async () => {
    expect((await sandbox.api('GET', PORTFOLIO, undefined, { apiKey: SECOND_KEY })).status).toBe(200);
    expect(sandbox.apiKey).toHaveLength(64);
  });

  it('reads the key from the header that is given', async () => {
    const other = await startSandbox({ keyHeader: 'Authorization-Key', apiKey: 'the-key' });
    const address = `${other.url}/sales/api4partners/${PORTFOLIO}`;
    expect((await fetch(address, { headers: { 'Authorization-Key': 'the-key' } })).status).toBe(200);
    expect((await fetch(address, { headers: { 'X-API-Key': 'the-key' } })).status).toBe(401);
    await other.close();
  });
});

describe('rate limit (sales spec 8)', () => {
  it('answers 429 {message} when the window is spent, and serves again after the reset', async () => {
    await sandbox.admin('PUT', 'quota', { limit: 2, windowSeconds: 60 });
    const first = await sandbox.api('GET', PORTFOLIO);
    expect([first.status, ...limitsOf(first.headers).slice(0, 2)]).toEqual([200, '2', '1']);
    const bad = await sandbox.api('POST', CREATE, createBody('q0', { core: { closeDate: 'x' } }));
    expect([bad.status, ...limitsOf(bad.headers).slice(0, 2)]).toEqual([406, '2', '0']);
    expect((await sandbox.api('GET', PORTFOLIO)).status).toBe(429);
    const refused = await sandbox.api('POST', CREATE, createBody('q1'));
    expect(refused.body).toEqual({ message: expect.any(String) });
    expect(limitsOf(refused.headers).slice(0, 2)).toEqual(['2', '0']);
    await sandbox.admin('PUT', 'clock', {
      advanceMs: Number(refused.headers.get('X-RateLimit-Reset')) * 1000,
    });
    const made = await sandbox.api('POST', CREATE, createBody('q1'));
    expect([made.status, ...limitsOf(made.headers).slice(0, 2)]).toEqual([201, '2', '1']);
  });

  it('counts each key apart, and neither refused keys nor admin calls', async () => {
    await sandbox.admin('PUT', 'quota', { limit: 1, windowSeconds: 60 });
    await sandbox.api('GET', PORTFOLIO, undefined, { apiKey: 'wrong' });
    await sandbox.admin('GET', 'health');
    expect((await sandbox.api('GET', PORTFOLIO)).status).toBe(200);
    expect((await sandbox.api('GET', PORTFOLIO)).status).toBe(429);
    expect((await sandbox.api('GET', PORTFOLIO, undefined, { apiKey: SECOND_KEY })).status).toBe(200);
  });
});

describe('faults', () => {
  const plan = (fault: object) => sandbox.admin('POST', 'faults', fault);
  const count = async () => field((await sandbox.admin('GET', 'health')).body, 'counts', 'leadOpportunity');
  const applied = async () => field((await sandbox.admin('GET', 'faults')).body, 'faults', '0', 'applied');
  /** Longer than a busy machine takes for a request or two. */
  const DELAY_MS = 1_500;
  const WITH_TIME = { timeout: 20_000 };

  /** A create whose client goes once the planned fault has its request, and not before. */
  async function leaveOnceItApplies(reference: string): Promise<void> {
    const client = new AbortController();
    const call = sandbox.api('POST', CREATE, createBody(reference), { signal: client.signal });
    const left = expect(call).rejects.toThrow(/abort/i);
    await expect.poll(applied, WITH_TIME).toBe(1);
    client.abort();
    await left;
  }

  it('503 answers ERR899 with timestamp and null data, and changes nothing', async () => {
    await plan({ operation: 'createLeadOpportunity', status: 503, times: 1 });
    const answer = await sandbox.api('POST', CREATE, createBody('f1'));
    expect(answer.status).toBe(503);
    expect(answer.body).toEqual({
      info: { success: false, statusCode: 503, timestamp: expect.any(String), traceId: expect.any(String) },
      error: { code: 'ERR899', message: expect.any(String) },
      data: { partnerLeadOpportunityId: null, dsLeadOpportunityId: null, action: null },
    });
    expect(limitsOf(answer.headers)).not.toContain(null);
    expect(await count()).toBe(0);
    expect((await sandbox.api('POST', CREATE, createBody('f1'))).status).toBe(201);
  });

  it('429 tells the planned reset', async () => {
    await plan({ status: 429, resetSeconds: 7, times: 1 });
    const answer = await sandbox.api('GET', PORTFOLIO);
    expect(answer.status).toBe(429);
    expect(answer.body).toEqual({ message: expect.any(String) });
    expect(limitsOf(answer.headers).slice(1)).toEqual(['0', '7']);
  });

  it.each([401, 403])('%i comes without rate-limit headers', async (status) => {
    await plan({ status, times: 1 });
    const answer = await sandbox.api('GET', PORTFOLIO);
    expect(answer.status).toBe(status);
    expect(limitsOf(answer.headers)).toEqual([null, null, null]);
  });

  it.each([
    ['after', 1],
    ['before', 0],
  ])('cut %s drops the connection, and %i record exists', async (cut, records) => {
    await plan({ operation: 'createLeadOpportunity', cut, times: 1 });
    await expect(sandbox.api('POST', CREATE, createBody('f2'))).rejects.toThrow('fetch failed');
    expect(await count()).toBe(records);
    const again = await sandbox.api('POST', CREATE, createBody('f2'));
    expect(again.status).toBe(records === 1 ? 400 : 201);
  });

  it('hang never answers and applies nothing', async () => {
    await plan({ hang: true, times: 1 });
    await leaveOnceItApplies('f3');
    expect(await count()).toBe(0);
  });

  it('cut early drops the connection at once, and the write is applied later, after one that was sent since', async () => {
    await plan({ operation: 'createLeadOpportunity', cut: 'early', delayMs: DELAY_MS, times: 1 });
    await expect(sandbox.api('POST', CREATE, createBody('f5'))).rejects.toThrow('fetch failed');
    expect(await count()).toBe(0);
    expect((await sandbox.api('POST', CREATE, createBody('f6'))).status).toBe(201);
    await expect.poll(count, WITH_TIME).toBe(2);
  });

  it('a delayed write is applied although the client has gone', async () => {
    await plan({ delayMs: DELAY_MS, times: 1 });
    await leaveOnceItApplies('f4');
    expect(await count()).toBe(0);
    await expect.poll(count, WITH_TIME).toBe(1);
  });

  it('applies to its operation only, as often as planned, and not to refused keys', async () => {
    await plan({ operation: 'searchPortfolioItems', status: 503, times: 2 });
    await sandbox.api('GET', PORTFOLIO, undefined, { apiKey: 'wrong' });
    expect((await sandbox.api('POST', CREATE, createBody('f5'))).status).toBe(201);
    const statuses = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await sandbox.api('GET', PORTFOLIO)).status);
    expect(statuses).toEqual([503, 503, 200]);
    expect(await applied()).toBe(2);
  });

  it('is over after DELETE', async () => {
    await plan({ status: 503 });
    expect((await sandbox.api('GET', PORTFOLIO)).status).toBe(503);
    expect((await sandbox.admin('DELETE', 'faults')).status).toBe(204);
    expect((await sandbox.api('GET', PORTFOLIO)).status).toBe(200);
  });
});

describe('addresses that do not exist', () => {
  it.each([
    ['GET', 'v2/leads-opportunities/x', 404],
    ['PUT', 'v1/leads-opportunities/x', 405],
    ['DELETE', 'v1/leads-opportunities/x', 405],
  ])('%s %s answers %i', async (method, path, status) => {
    const answer = await sandbox.api(method, path);
    expect([answer.status, field(answer.body, 'error', 'code')]).toEqual([status, 'SANDBOX_INVALID']);
  });
});
