import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { consolePorts } from '../../src/cli/console-ports.ts';
import { followRoster, openOwnLedger, usableFiles } from '../../src/cli/runtime.ts';
import { createApiTokens } from '../../src/console/access/api-tokens.ts';
import type { Identity } from '../../src/console/access/identity.ts';
import type { Grant, Role } from '../../src/console/access/roles.ts';
import { createSessions } from '../../src/console/access/sessions.ts';
import { type ConsoleOptions, createConsole } from '../../src/console/app.ts';
import type { ConsolePorts } from '../../src/console/ports.ts';
import { listen } from '../../src/platform/http-listen.ts';
import { silentLogger } from '../../src/platform/logger.ts';
import { loadSealingKeys } from '../../src/platform/sealing-key.ts';
import { fakeContext } from './cli-context.ts';
import { migratedDatabase } from './ledger/postgres.ts';
import { env, GOOD } from './stack/tenant-files.ts';

/** A console over a real ledger and two tenants, acme and other, whose remote systems and Temporal do not answer. */

export const grant = (tenant: string, role: Role, values = false): Grant => ({ tenant, role, values });

/** A tenant that the registry can be given, and its secrets. */
export const THIRD = {
  text: `tenant: third
vendor: { baseUrl: https://vendor.example, partnerId: P000123 }
salesforce:
  loginUrl: https://third.my.salesforce.com
  auth: { flow: client-credentials, clientId: an-id }
currency: EUR
`,
  secrets: { 'vendor.apiKey': 'canary-key-4711', 'salesforce.auth.clientSecret': 'canary-client-secret-4712' },
};

export const OTHER = GOOD.replace('tenant: acme', 'tenant: other').replaceAll('ACME_', 'OTHER_');
const OTHER_ENV = Object.fromEntries(
  Object.entries(env).map(([name, value]) => [name.replace('ACME_', 'OTHER_'), `${value}`]),
);
const KEY = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;

type Given = Partial<Pick<ConsoleOptions, 'oidc' | 'proxy' | 'site' | 'failedChecks'>> & {
  readonly ports?: (own: ConsolePorts) => ConsolePorts;
};

/** The settings of an installation with a database, keys and the files of both tenants. */
async function installation(folder: string) {
  const url = await migratedDatabase();
  const sealing = join(folder, 'sealing.key');
  await loadSealingKeys(sealing, { create: true });
  writeFileSync(join(folder, 'acme.yaml'), GOOD);
  writeFileSync(join(folder, 'other.yaml'), OTHER);
  return {
    ...env,
    ...{ ...OTHER_ENV, OTHER_HOOK_PATH: 'o'.repeat(64), OTHER_NEXT_PATH: 'n'.repeat(64), OTHER_HOOK_KEY: KEY },
    ...{ DATABASE_URL: url, LOCKSTEP_SEALING_KEY: `file:${sealing}`, LOCKSTEP_TENANTS: folder },
    ...{ LOCKSTEP_HOME: join(folder, 'home'), TEMPORAL_ADDRESS: '127.0.0.1:1' },
  };
}

export async function openConsole({ ports: changed = (own) => own, ...options }: Given = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-console-'));
  const settings = await installation(folder);
  const { context } = fakeContext(settings);
  const ledger = await openOwnLedger(context.settings(), { isWalled: true });
  const roster = await followRoster(context, 'console', { files: usableFiles(context), registry: ledger });
  const { ports, close } = consolePorts(context, { ledger, roster });
  let shiftMs = 0;
  const own = changed({ ...ports, now: () => new Date(Date.now() + shiftMs).toISOString() });
  const made = createConsole({
    ...{ ports: own, site: { origin: null }, oidc: null, proxy: null, log: silentLogger, version: '0.0.0' },
    failedChecks: async () => [],
    ...options,
  });
  const server = await listen(made.app, { host: '127.0.0.1', port: 0 });
  afterAll(async () => {
    made.close();
    await server.close();
    await close();
    await ledger.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const nowMs = (): number => Date.parse(own.now());
  const sessions = createSessions(ledger, nowMs);
  return {
    url: server.url,
    databaseUrl: settings.DATABASE_URL,
    settings,
    ledger,
    sessions,
    tokens: createApiTokens(ledger, nowMs),
    ports: own,
    /** Lets the console's clock go on. */
    advance: (ms: number) => {
      shiftMs += ms;
    },
    /** A session's token of a person with these rights. */
    signIn: (grants: readonly Grant[], user = `user-${randomUUID()}`, by: Identity['by'] = 'link') =>
      sessions.open({ user, by, grants }),
  };
}

export type TestConsole = Awaited<ReturnType<typeof openConsole>>;

/** Sends one request as a browser with this session would, from a page of the console itself. */
export async function send(
  { url }: Pick<TestConsole, 'url'>,
  path: string,
  { token, body, headers = {}, method }: Sent = {},
): Promise<Response> {
  const own = token === undefined ? {} : { cookie: `lockstep=${token}` };
  const csrf = token === undefined || body === undefined ? {} : { 'x-lockstep-csrf': await csrfOf({ url }, token) };
  return fetch(`${url}${path}`, {
    redirect: 'manual',
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...own,
      ...csrf,
      ...(body === undefined ? {} : { 'content-type': 'application/json', origin: url }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

type Sent = {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
};

/** The token that the pages of a session send with each change. */
export async function csrfOf({ url }: Pick<TestConsole, 'url'>, token: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/session`, { headers: { cookie: `lockstep=${token}` } });
  return ((await answer.json()) as { csrf?: string }).csrf ?? 'none';
}
