import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error: the package brings no types
import Provider from 'oidc-provider';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CONSOLE_FILE } from '../../src/console/access/console-file.ts';
import { claimedBy, oidcSignIn } from '../../src/console/access/oidc.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { SecretError } from '../../src/platform/secret.ts';
import { openConsole, send, type TestConsole } from '../support/console.ts';

/** Sign-in at a real OpenID Connect provider, on loopback. */

const CLIENT = { clientId: 'lockstep', clientSecret: 'file:secret' };
const ACCOUNTS: Readonly<Record<string, object>> = {
  ada: { email: 'ada@example.com', email_verified: true, groups: [] },
  grace: { email: 'grace@example.com', email_verified: true, groups: ['sales-ops', 'others'] },
  mallory: { email: 'mallory@example.com', email_verified: true, groups: [] },
  false: { email: 'ada@example.com', email_verified: false, groups: [] },
};
const FILE = (issuer: string) =>
  CONSOLE_FILE.parse({
    people: [
      { user: 'ada@example.com', role: 'administrator', values: true },
      { group: 'sales-ops', role: 'operator', tenants: ['acme'] },
    ],
    oidc: { issuer, ...CLIENT },
  });

const SECRET = 's'.repeat(40);
/** Reads the console's client secret. A test puts another reader in place. */
let readSecret = (): string => SECRET;
const logged: string[] = [];
const log = createLogger({
  ...{ level: 'info', format: 'json', component: 'console' },
  destination: { write: (line) => void logged.push(line) },
});

let console: TestConsole;
let issuer = '';
beforeAll(async () => {
  // The provider needs its address before it exists.
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { people, oidc } = FILE(issuer);
  if (oidc === undefined) throw new Error('no section oidc');
  console = await openConsole({ oidc: oidcSignIn({ people, oidc, clientSecret: () => readSecret(), log }) });
  const provider = new Provider(issuer, {
    clients: [
      { client_id: 'lockstep', client_secret: SECRET, redirect_uris: [`${console.url}/sign-in/oidc/callback`] },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['groups'] },
    pkce: { required: () => true },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: async () => ({ sub: id, ...ACCOUNTS[id] }) }),
  });
  provider.on('server_error', (_: unknown, error: Error) => process.stderr.write(`${error.stack}\n`));
  server.on('request', provider.callback());
  afterAll(() => server.close());
}, 60_000);

/** A browser's cookies by host and name. */
function browser() {
  const jar = new Map<string, string>();
  return async (address: string, init: RequestInit = {}): Promise<Response> => {
    const { host } = new URL(address);
    const own = [...jar]
      .filter(([name]) => name.startsWith(`${host} `))
      .map(([name, value]) => `${name.split(' ')[1]}=${value}`);
    const answer = await fetch(address, {
      redirect: 'manual',
      ...init,
      headers: { ...init.headers, cookie: own.join('; ') },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /Max-Age=0/i.test(line)) jar.delete(`${host} ${name}`);
      else jar.set(`${host} ${name}`, value);
    }
    return answer;
  };
}

/** Walks from the console to the provider, signs in there as this account, and comes back. Returns the last answer. */
async function walk(
  account: string,
  go = browser(),
  change: (callback: string) => string = (same) => same,
): Promise<Response> {
  let answer = await go(`${console.url}/sign-in/oidc`);
  let at = `${console.url}/sign-in/oidc`;
  for (let steps = 0; steps < 20; steps += 1) {
    const next = answer.headers.get('location');
    if (next !== null) {
      at = new URL(next, at).href;
      const isBack = at.startsWith(console.url);
      answer = await go(isBack ? change(at) : at);
      if (isBack) return answer;
      continue;
    }
    // The provider's own pages for development: one asks for the name, one for consent.
    const [, action = ''] = /action="([^"]+)"/.exec(await answer.text()) ?? [];
    const prompt = /name="prompt" value="(\w+)"/;
    const page = await (await go(at)).text();
    const body = new URLSearchParams({ prompt: prompt.exec(page)?.[1] ?? 'login', login: account, password: 'any' });
    answer = await go(new URL(action, at).href, { method: 'POST', body });
  }
  throw new Error(`the walk does not end: ${at}`);
}

const tokenOf = (answer: Response): string =>
  /lockstep=([\w-]{43})/.exec(answer.headers.getSetCookie().join(' '))?.[1] ?? '';

describe('a person whom the provider signs in', () => {
  it('is who the file says, by name or by group', async () => {
    for (const [account, role, tenant] of [
      ['ada', 'administrator', '*'],
      ['grace', 'operator', 'acme'],
    ] as const) {
      const entered = await walk(account);
      expect(entered.status).toBe(200);
      const session = await (await send(console, '/api/v1/session', { token: tokenOf(entered) })).json();
      expect(session).toMatchObject({ user: `${account}@example.com`, by: 'oidc', grants: [{ role, tenant }] });
    }
  });

  it.each(['mallory', 'false'])(
    'gets nothing as %s, whom the file does not name or whose address is not verified',
    async (account) => {
      const answer = await walk(account);
      expect([answer.status, tokenOf(answer)]).toEqual([403, '']);
    },
  );

  it('gets nothing with a state, code or browser that is not of this sign-in', async () => {
    const wrong = (name: string) => (callback: string) => {
      const url = new URL(callback);
      url.searchParams.set(name, 'x'.repeat(43));
      return url.href;
    };
    for (const change of [wrong('state'), wrong('code'), wrong('iss')]) {
      const answer = await walk('ada', browser(), change);
      expect([answer.status, tokenOf(answer)]).toEqual([403, '']);
    }
    const stranger = browser();
    let callback = '';
    await walk('ada', browser(), (own) => {
      callback = own;
      return `${console.url}/healthz`;
    });
    expect((await stranger(callback)).status).toBe(403);
    await stranger(`${console.url}/sign-in/oidc`);
    expect((await stranger(callback)).status).toBe(403);
  });
});

describe('the client secret', () => {
  afterEach(() => {
    readSecret = () => SECRET;
    logged.length = 0;
  });

  it('is read at each sign-in, so that a rotated file takes effect', async () => {
    expect((await walk('ada')).status).toBe(200);
    readSecret = () => 'another-secret-4713';
    expect((await walk('ada')).status).toBe(502);
    readSecret = () => SECRET;
    expect((await walk('ada')).status).toBe(200);
  });

  it('that the provider refuses is logged in plain words, without the secret', async () => {
    readSecret = () => 'another-secret-4713';
    const page = await (await walk('ada')).text();
    expect(page).toContain('an administrator');
    expect(logged.join('')).toContain('the sign-in provider refuses the client secret of the console');
    expect(`${page}${logged.join('')}`).not.toContain('another-secret-4713');
  });

  it('that cannot be read is logged, too', async () => {
    readSecret = () => {
      throw new SecretError('/run/secrets/console is empty');
    };
    expect((await walk('ada')).status).toBe(502);
    expect(logged.join('')).toContain('the client secret of the console cannot be read');
  });

  it.each([
    ['a code that the provider refuses', `code=${'x'.repeat(43)}`],
    ['an error that the browser brings', 'error=invalid_client'],
  ])('is not blamed for %s', async (_, brought) => {
    const wrong = (callback: string) => callback.replace(/code=[^&]+/, brought);
    expect((await walk('ada', browser(), wrong)).status).toBe(403);
    expect(logged).toEqual([]);
  });
});

it.each([
  [{ email: 'a@b.c' }, 'a@b.c'],
  [{ email: 'a@b.c', email_verified: true }, 'a@b.c'],
  [{ email: 'a@b.c', email_verified: 'true' }, 'a@b.c'],
  [{ email: 'a@b.c', email_verified: false }, null],
  [{ email: 'a@b.c', email_verified: 'false' }, null],
  [{ email: 'a@b.c', email_verified: 0 }, null],
  [{ email: '' }, null],
  [{ email: 7 }, null],
  [{}, null],
])('takes the claims %j as %s', (claims, user) => {
  expect(claimedBy(claims, { userClaim: 'email', groupsClaim: 'groups' })?.user ?? null).toBe(user);
});
