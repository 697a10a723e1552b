import { request } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { proxySignIn } from '../../src/console/access/proxy.ts';
import { RATES } from '../../src/console/access/rate-limits.ts';
import { LINK_MS, SESSION_MS } from '../../src/console/access/sessions.ts';
import { ENDPOINTS } from '../../src/console/api/endpoints.ts';
import { csrfOf, grant, openConsole, send, type TestConsole } from '../support/console.ts';
import { queryOnce } from '../support/ledger/postgres.ts';

/** What a page of another site, a person without the right, a thief of a link or a writer of the database gets out of the console. */

const ALL = [grant('*', 'administrator', true)];
const MARKUP = '<img src=x onerror=alert(1)>';
const CRM = '006Hs00001ABCDEIA5';

let console: TestConsole;
beforeAll(async () => {
  console = await openConsole();
  const { ledger } = console;
  const at = new Date().toISOString();
  await ledger.resolveLink('acme', { crmId: CRM, vendorId: 'V1' }, at);
  const issue = { code: 'vendor-refused', field: MARKUP, message: MARKUP, said: 'a secret of the vendor' } as const;
  await ledger.settle('acme', CRM, { at, state: 'parked', issues: [issue] } as never);
  const summary = { reason: MARKUP };
  await ledger.addToJournal('acme', CRM, { at, kind: 'decision', summary, decisions: [] });
}, 60_000);

/** Pauses of the tenant, which every attack here tries to make. */
const pauses = async (): Promise<number> => (await console.ledger.pauses('acme')).length;

/** A pause as the console's own page sends it, with what the attack changes. */
async function pauseWith(
  headers: Readonly<Record<string, string>>,
  token: string,
  body: object = { reason: 'r' },
): Promise<number> {
  const answer = await send(console, '/api/v1/tenants/acme/pause', { token, body, headers });
  await answer.body?.cancel();
  return answer.status;
}

/** The status of a request that names this host. */
function statusUnder(host: string, path: string, token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(`${console.url}${path}`, { headers: { host, cookie: `lockstep=${token}` } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    call.once('error', reject);
    call.end();
  });
}

describe('a page of another site', () => {
  it.each([
    ['of another origin', { origin: 'https://evil.example' }],
    ['of another port', { origin: 'http://127.0.0.1:9' }],
    ['without an origin', { origin: 'null' }],
    ['that names another site', { 'sec-fetch-site': 'cross-site' }],
    ['of the same site', { 'sec-fetch-site': 'same-site' }],
    ['without the token of the session', { 'x-lockstep-csrf': '' }],
    ['with another token', { 'x-lockstep-csrf': 'A'.repeat(43) }],
  ])('%s changes nothing', async (_, headers) => {
    const token = await console.signIn(ALL);
    expect(await pauseWith(headers, token)).toBe(403);
    expect(await pauses()).toBe(0);
  });

  it('changes nothing with the token of another session, or with a body that no form can forbid', async () => {
    const [token, other] = [await console.signIn(ALL), await console.signIn(ALL)];
    expect(await pauseWith({ 'x-lockstep-csrf': await csrfOf(console, other) }, token)).toBe(403);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      expect(await pauseWith({ 'content-type': type }, token)).toBe(400);
    expect(await pauses()).toBe(0);
  });

  it('sends no form of a page: actions and sign-out need the token in the form', async () => {
    const token = await console.signIn(ALL);
    const form = 'tenant=acme&reason=r&back=/';
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const path of ['/actions/tenants-pause', '/actions/mapping-take-back', '/tenants/acme/mapping', '/sign-out'])
      expect([path, (await send(console, path, { token, body: form, headers })).status]).toEqual([path, 403]);
    expect(await pauses()).toBe(0);
    const csrf = await csrfOf(console, token);
    for (const back of ['//evil.example', 'https://evil.example', '/\\evil.example', 'evil']) {
      const body = `${form.replace('back=/', `back=${encodeURIComponent(back)}`)}&csrf=${csrf}`;
      const answer = await send(console, '/actions/keys-abort', { token, body, headers });
      expect([back, answer.headers.get('location')]).toEqual([back, null]);
    }
  });

  it('shows nothing under another name, and no page in a frame, with an inline script, or from a cache', async () => {
    const token = await console.signIn(ALL);
    for (const host of ['evil.example', '127.0.0.1.evil.example', '10.0.0.7', '[2001:db8::1]'])
      for (const path of ['/', '/sign-in', '/api/v1/tenants']) expect(await statusUnder(host, path, token)).toBe(403);
    expect(await statusUnder('localhost:4050', '/', token)).toBe(200);
    const paths = ['/', '/tenants/acme', '/tenants/acme/inbox', '/sign-in', '/api/v1/tenants', '/nothing'];
    for (const path of paths) {
      const { headers } = await send(console, path, { token });
      const csp = headers.get('content-security-policy') ?? '';
      expect([path, csp]).toEqual([path, expect.stringContaining("default-src 'none'")]);
      expect([path, csp]).toEqual([path, expect.stringContaining("frame-ancestors 'none'")]);
      expect(csp).not.toMatch(/unsafe|\*|https?:|data:/);
      expect([path, headers.get('x-frame-options'), headers.get('cache-control')]).toEqual([path, 'DENY', 'no-store']);
    }
  });

  it('puts no markup of a record into a page', async () => {
    const token = await console.signIn(ALL);
    for (const path of [
      '/tenants/acme',
      '/tenants/acme/inbox',
      `/tenants/acme/records/${CRM}`,
      `/?query=${encodeURIComponent(MARKUP)}`,
    ]) {
      const page = await (await send(console, path, { token })).text();
      expect([path, page.includes('<img')]).toEqual([path, false]);
      expect([path, /<(script|style)[^>]*>[^<]/.test(page), /<[^>]* on\w+=/.test(page)]).toEqual([path, false, false]);
    }
  });
});

describe('a one-time link', () => {
  const redeem = (token: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${console.url}/sign-in/link`, {
      ...{ method: 'POST', redirect: 'manual', body: new URLSearchParams({ token }) },
      headers: { origin: console.url, ...headers },
    });
  const offer = () => console.sessions.offer({ user: 'ada', by: 'link', grants: ALL });

  it('opens one session, also where many use it at once, and none by being looked at', async () => {
    const token = await offer();
    for (let n = 0; n < 3; n += 1) expect((await fetch(`${console.url}/sign-in/link/${token}`)).status).toBe(200);
    const opened = await Promise.all(Array.from({ length: 6 }, () => console.sessions.redeem(token)));
    expect(opened.filter((session) => session !== null)).toHaveLength(1);
    expect((await redeem(token)).status).toBe(403);
  });

  it('opens no session from another site’s page, after its time, or as a session', async () => {
    const token = await offer();
    expect((await redeem(token, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await send(console, '/api/v1/session', { token })).status).toBe(401);
    console.advance(LINK_MS + 1);
    expect((await redeem(token)).status).toBe(403);
  });

  it('gives a new session, whatever the browser brought along, and ends the one before', async () => {
    const before = await console.signIn([grant('acme', 'viewer')]);
    const planted = 'P'.repeat(43);
    for (const cookie of [before, planted]) {
      const answer = await redeem(await offer(), { cookie: `lockstep=${cookie}` });
      const [, given = ''] =
        /^lockstep=([\w-]{43}); .*HttpOnly; SameSite=Strict$/.exec(answer.headers.get('set-cookie') ?? '') ?? [];
      expect(given).not.toBe('');
      expect(given).not.toBe(cookie);
      expect((await send(console, '/api/v1/session', { token: cookie })).status).toBe(401);
      console.advance(60_000);
    }
  });

  it('cannot be guessed faster than the limit of attempts', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < RATES.link.burst + 5; n += 1) statuses.push((await redeem('A'.repeat(43))).status);
    expect(statuses.slice(-3)).toEqual([429, 429, 429]);
    console.advance(3_600_000);
  });
});

describe('a session', () => {
  it('is over at sign-out and after its time', async () => {
    const [out, old] = [await console.signIn(ALL), await console.signIn(ALL)];
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    await send(console, '/sign-out', { token: out, body: `csrf=${await csrfOf(console, out)}`, headers });
    expect((await send(console, '/api/v1/session', { token: out })).status).toBe(401);
    expect((await send(console, '/api/v1/session', { token: old })).status).toBe(200);
    console.advance(SESSION_MS + 1);
    expect((await send(console, '/api/v1/session', { token: old })).status).toBe(401);
  });

  it('is not made, extended or turned into another by a writer of the database', async () => {
    const [viewer, administrator] = [await console.signIn([grant('acme', 'viewer')]), await console.signIn(ALL)];
    const link = await console.sessions.offer({ user: 'ada', by: 'link', grants: ALL });
    const change = (statement: string) => queryOnce(console.databaseUrl, statement);
    await change('create table saved as select * from console_tokens');
    for (const statement of [
      `update console_tokens set identity = (select identity from saved where kind = 'session' order by expires_at desc limit 1)`,
      `update console_tokens set expires_at = expires_at + interval '1 year'`,
      `update console_tokens set kind = 'session'`,
    ]) {
      await change(statement);
      const answers = await Promise.all([viewer, link].map((token) => send(console, '/api/v1/audit-log', { token })));
      expect([statement, answers.map(({ status }) => [200].includes(status))]).toEqual([statement, [false, false]]);
      await change('delete from console_tokens');
      await change('insert into console_tokens select * from saved');
    }
    expect((await send(console, '/api/v1/audit-log', { token: administrator })).status).toBe(200);
  });

  it('makes no more requests than its limits', async () => {
    const token = await console.signIn(ALL);
    const path = `/api/v1/tenants/nobody/records/${CRM}/plan`;
    const answers = await Promise.all(
      Array.from({ length: RATES.costly.burst + 10 }, () => send(console, path, { token })),
    );
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(5);
  });
});

describe('a person without the right', () => {
  it('does not learn whether a tenant exists, nor what a side said', async () => {
    const token = await console.signIn([grant('acme', 'administrator')]);
    const of = async (tenant: string) => {
      const answer = await send(console, `/api/v1/tenants/${tenant}/status`, { token });
      return [answer.status, (await answer.text()).replaceAll(tenant, '')];
    };
    expect(await of('other')).toEqual(await of('nobody'));
    const status = await (await send(console, '/api/v1/tenants/acme/status', { token })).text();
    expect(status).toContain('vendor-refused');
    expect(status).not.toContain('a secret of the vendor');
  });

  it('follows no changes of another tenant, and reads nothing without a session', async () => {
    for (const path of [
      '/api/v1/events',
      '/api/v1/session',
      ...ENDPOINTS.filter(({ method }) => method === 'GET').map(({ path }) => `/api/v1${path}`),
    ])
      expect([path, (await send(console, path)).status]).toEqual([path, 401]);
    for (const path of ['/', '/tenants/acme', '/audit-log'])
      expect((await send(console, path)).headers.get('location')).toBe('/sign-in');
  });
});

describe('the header of a proxy', () => {
  const people = [{ user: 'ada', role: 'administrator' as const, values: true }];
  const header = (name: string) => ({ 'X-User': 'ada', 'X-Groups': 'a, b' })[name];
  const sign = (from: string[]) =>
    proxySignIn({ people, proxy: { userHeader: 'X-User', groupsHeader: 'X-Groups', from } });

  it.each([
    [['10.0.0.0/24'], '10.0.0.7', true],
    [['10.0.0.0/24'], '::ffff:10.0.0.7', true],
    [['10.0.0.0/24'], '10.0.1.7', false],
    [['10.0.0.1'], '10.0.0.10', false],
    [['fd00::/8'], 'fd00::1', true],
    [['fd00::/8'], '::1', false],
    [['127.0.0.1'], 'unknown', false],
  ])('counts from %j for a connection from %s: %s', (from, peer, counts) => {
    expect(sign(from)?.(peer, header)?.user ?? null).toBe(counts ? 'ada' : null);
  });

  it('signs in nobody by a connection from elsewhere, and ends a session whose header changes', async () => {
    const own = await openConsole({ proxy: sign(['127.0.0.1']) });
    const entered = await fetch(`${own.url}/sign-in/proxy`, { headers: { 'X-User': 'ada' } });
    const [, token = ''] = /lockstep=([\w-]+)/.exec(entered.headers.get('set-cookie') ?? '') ?? [];
    const status = async (user: string) =>
      (await send(own, '/api/v1/tenants', { token, headers: { 'X-User': user } })).status;
    expect([await status('ada'), await status('grace'), await status('')]).toEqual([200, 401, 401]);
    const elsewhere = await openConsole({ proxy: sign(['10.0.0.1']) });
    expect((await fetch(`${elsewhere.url}/sign-in/proxy`, { headers: { 'X-User': 'ada' } })).status).toBe(403);
  }, 60_000);
});

it('takes no body that is longer than any form', async () => {
  const token = await console.signIn(ALL);
  const large = await send(console, '/api/v1/tenants/acme/sync', { token, body: { ids: ['x'.repeat(300_000)] } });
  expect(large.status).toBe(413);
});
