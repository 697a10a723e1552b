import { Agent } from 'undici';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { failureOf, MINIMAL_CREATE, usePartnerApi } from '../support/partner-api/partner-api-fixture.ts';

const fixture = usePartnerApi();
afterEach(() => void vi.useRealTimers());
const create = (api = fixture.api, signal?: AbortSignal) =>
  failureOf(api.createLeadOpportunity(MINIMAL_CREATE, { signal }));

describe('a request without a usable answer', () => {
  it.each([301, 302, 303, 307, 308, 304])('refuses the redirect %i and does not follow it', async (status) => {
    fixture.server.script({ status, headers: { location: `${fixture.server.url}/elsewhere` } });
    expect(await create()).toMatchObject({ kind: 'protocol', code: 'REDIRECT', sent: 'unknown', status });
    expect(fixture.server.requests).toHaveLength(1);
  });

  it('times out when no answer comes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    fixture.server.script({ fault: 'never' });
    const call = create();
    await fixture.server.nextRequest();
    vi.advanceTimersByTime(30_000);
    expect(await call).toMatchObject({ kind: 'timeout', sent: 'unknown', status: null });
    expect(fixture.server.requests).toHaveLength(1);
  });

  it('counts the wait for the key into the time limit, and then nothing was sent', async () => {
    const apiKey = () => new Promise<string>(() => undefined);
    expect(await create(fixture.connect({ timeoutMs: 20, apiKey }))).toMatchObject({
      kind: 'timeout',
      sent: 'no',
    });
  });

  it('knows that nothing was sent while it waited for a connection', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const agent = new Agent({ connections: 1 });
    const queued = Promise.withResolvers<void>();
    const dispatcher = agent.compose((dispatch) => (options, handler) => {
      const free = dispatch(options, handler);
      if (fixture.server.requests.length === 1) queued.resolve();
      return free;
    });
    fixture.server.script({ fault: 'never' });
    const first = create(fixture.connect({ dispatcher }));
    await fixture.server.nextRequest();
    const second = create(fixture.connect({ dispatcher, timeoutMs: 100 }));
    await queued.promise;
    vi.advanceTimersByTime(100);
    expect(await second).toMatchObject({ kind: 'timeout', sent: 'no' });
    vi.advanceTimersByTime(30_000);
    expect(await first).toMatchObject({ kind: 'timeout', sent: 'unknown' });
    expect(fixture.server.requests).toHaveLength(1);
    await agent.destroy();
  });

  it('ends with the caller’s signal', async () => {
    const controller = new AbortController();
    fixture.server.script({ fault: 'never' });
    const call = create(fixture.api, controller.signal);
    await fixture.server.nextRequest();
    const reason = new Error('worker stops');
    controller.abort(reason);
    expect(await call).toMatchObject({ kind: 'aborted', sent: 'unknown', cause: reason });
  });

  it('sends nothing for a signal that is aborted already', async () => {
    expect(await create(fixture.api, AbortSignal.abort())).toMatchObject({ kind: 'aborted', sent: 'no' });
    expect(fixture.server.requests).toEqual([]);
  });

  it.each(['before', 'during'] as const)('sees a connection cut %s the answer', async (fault) => {
    fixture.server.script({ fault, body: { info: { success: true }, dsLeadOpportunityId: 'DS-1' } });
    expect(await create()).toMatchObject({ kind: 'network', sent: 'unknown', code: 'UND_ERR_SOCKET' });
    expect(fixture.server.requests).toHaveLength(1);
  });

  it('goes by the status of an error answer whose body is cut', async () => {
    fixture.server.script({ status: 429, fault: 'during', body: { message: 'Too many requests' } });
    expect(await create()).toMatchObject({ kind: 'throttled', sent: 'no', status: 429 });
  });

  it('knows that a refused connection sent nothing', async () => {
    const api = fixture.connect();
    await fixture.server.close();
    expect(await create(api)).toMatchObject({ kind: 'network', sent: 'no', code: 'ECONNREFUSED' });
  });

  it('wraps the error of a dispatcher of the caller’s, without what it says', async () => {
    const dispatcher = new Agent().compose(() => (_options, _handler) => {
      throw new Error('proxy says: data');
    });
    const error = await create(fixture.connect({ dispatcher }));
    expect(error).toMatchObject({ kind: 'network', sent: 'no', code: null });
    expect(error.cause).toBeUndefined();
    expect(error.message).not.toContain('data');
  });

  it('gives up on a body larger than the limit, and goes on with the next request', async () => {
    const api = fixture.connect({ maxBodyBytes: 1000 });
    const large = { dsLeadOpportunityId: 'x'.repeat(200_000) };
    fixture.server.script({ body: large }, { status: 503, body: large }, { body: { dsLeadOpportunityId: '1' } });
    expect(await create(api)).toMatchObject({ kind: 'protocol', code: 'BODY_TOO_LARGE', sent: 'unknown' });
    expect(await create(api)).toMatchObject({ kind: 'unavailable', status: 503 });
    expect((await api.createLeadOpportunity(MINIMAL_CREATE)).data.dsLeadOpportunityId).toBe('1');
  });

  it.each([
    ['text', Buffer.from('<html></html>')],
    ['nothing', Buffer.from('')],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ])('takes %s for a broken contract', async (_name, bytes) => {
    fixture.server.script({ bytes });
    expect(await create()).toMatchObject({ kind: 'protocol', code: 'BODY_NOT_JSON', fields: ['(body)'] });
  });
});

describe('options', () => {
  it.each([
    [{ salesBaseUrl: 'ftp://vendor.example' }, 'salesBaseUrl'],
    [{ salesBaseUrl: 'https://user:pass@vendor.example' }, 'salesBaseUrl'],
    [{ orderBaseUrl: 'https://vendor.example/?a=1' }, 'orderBaseUrl'],
    [{ keyHeader: 'two words' }, 'keyHeader'],
    [{ timeoutMs: 0 }, 'timeoutMs'],
    [{ maxBodyBytes: 1.5 }, 'maxBodyBytes'],
  ])('refuses %j', (options, name) => {
    expect(() => fixture.connect(options)).toThrow(new RegExp(`^${name} must be`));
  });
});
