import { beforeAll, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/console/api/endpoints.ts';
import { csrfOf, grant, openConsole, send, type TestConsole, THIRD } from '../support/console.ts';
import { queryOnce } from '../support/ledger/postgres.ts';

/** Secrets that a person enters at the console are stored sealed, and are shown nowhere again. */

const ALL = [grant('*', 'administrator', true)];
const [KEY, SECRET] = Object.values(THIRD.secrets) as [string, string];

let console: TestConsole;
let token = '';
beforeAll(async () => {
  const rotation = { status: async () => null } as never;
  console = await openConsole({ ports: (own) => ({ ...own, rotation: async () => rotation }) });
  token = await console.signIn(ALL, 'ada');
}, 60_000);

/** Everything that the database has in clear. */
async function database(): Promise<string> {
  const tables = await queryOnce(
    console.databaseUrl,
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const rows = await Promise.all(
    (tables as readonly { name: string }[]).map(({ name }) =>
      queryOnce(console.databaseUrl, `select row_to_json(t)::text as row from ${name} t`),
    ),
  );
  return JSON.stringify(rows);
}

it('shows a secret that a person entered nowhere again', async () => {
  const added = await send(console, '/api/v1/registry/add', { token, body: { ...THIRD, reason: 'new' } });
  expect([added.status, await added.json()]).toMatchObject([200, { changes: [{ tenant: 'third', action: 'add' }] }]);
  const set = await send(console, '/api/v1/tenants/acme/keys/set', { token, body: { key: KEY, reason: 'expired' } });
  expect([set.status, await set.json()]).toMatchObject([200, { shape: 'keys/1', inUse: 'ledger' }]);
  expect((await console.ledger.vendorKeys('acme'))?.inUse).toBe(KEY);
  expect(console.ports.tenant('third').vendor.apiKey.reveal()).toBe(KEY);
  const shown = await Promise.all(
    ['/tenants/third/declaration', '/tenants/acme/keys', '/audit-log', '/api/v1/audit-log', '/connect'].map(
      async (path) => (await send(console, path, { token })).text(),
    ),
  );
  for (const text of [...shown, await database()])
    for (const secret of [KEY, SECRET]) expect(text).not.toContain(secret);
  expect(shown[0]).toContain('sealed:vendor.apiKey');
});

it('shows it in no page or refusal about a mistake, and takes it in no address', async () => {
  const csrf = await csrfOf(console, token);
  const form = new URLSearchParams({ csrf, do: 'apply', text: 'tenant: [', 'secret.vendor.apiKey': KEY, reason: 'r' });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const page = await send(console, '/connect', { token, body: form.toString(), headers });
  const text = await page.text();
  expect([page.status, text.includes('repair this first'), text.includes(KEY)]).toEqual([200, true, false]);
  const refused = await send(console, '/api/v1/registry/add', {
    ...{ token, body: { ...THIRD, text: THIRD.text.replace('https://vendor.example', 'nowhere'), reason: 'r' } },
  });
  expect([refused.status, (await refused.text()).includes(KEY)]).toEqual([400, false]);
  for (const { method, takesSecrets } of ENDPOINTS) if (takesSecrets === true) expect(method).toBe('POST');
});
