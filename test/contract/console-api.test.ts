import { beforeAll, expect, it } from 'vitest';
import { CONNECTOR_VERBS } from '../../src/cli/connector-verbs.ts';
import { runVerbs } from '../../src/cli/run-verbs.ts';
import { type Grant, ROLES } from '../../src/console/access/roles.ts';
import { ENDPOINTS } from '../../src/console/api/endpoints.ts';
import { fakeContext } from '../support/cli-context.ts';
import { grant, openConsole, send, type TestConsole, THIRD } from '../support/console.ts';
import { NEEDS } from '../support/console-needs.ts';
import { at, BASE, DECISION, ISSUE, PRIVATE_VALUES } from '../support/ledger/ledger-samples.ts';

/** `/api/v1`: each endpoint is a command of the command line, with its answer; who may do what; and what is noted. */

const CRM = '006Hs00001ABCDEIA5';
const VENDOR = 'LO-00000005';

let console: TestConsole;
let administrator: string;
beforeAll(async () => {
  console = await openConsole();
  administrator = await console.signIn([grant('*', 'administrator', true)], 'ada');
  const { ledger } = console;
  for (const tenant of ['acme', 'other']) {
    await ledger.resolveLink(tenant, { crmId: CRM, vendorId: VENDOR }, at(0));
    await ledger.settle(tenant, CRM, {
      ...{ at: at(1), state: 'conflict', base: { ...BASE, held: { description: null } } },
      issues: [ISSUE, { code: 'conflict', field: 'description', message: 'Both sides changed it.' }],
    } as never);
    await ledger.addToJournal(tenant, CRM, {
      at: at(1),
      kind: 'decision',
      summary: { next: 'nothing' },
      decisions: [DECISION],
    });
  }
}, 60_000);

const INPUT: Readonly<Record<string, unknown>> = {
  ids: [CRM],
  code: 'vendor-refused',
  field: 'description',
  take: 'crm',
  channel: 'ops',
  since: '2026-01-01',
  value: 'A value',
  crmId: CRM,
  vendorId: 'LO-00000099',
  orders: ['1000001'],
  name: 'a program',
  id: '0123456789ab',
  ...{ text: '{}', version: 0, basedOn: 0, key: 'another-key', tenant: 'third' },
  reason: 'because of a test',
};
const QUERIES: Readonly<Record<string, string>> = {
  '/tenants/{tenant}/relink': '?field=Former_Id__c',
  '/tenants/{tenant}/orders': '?open=true',
};
const pathOf = (path: string, tenant = 'acme') =>
  `/api/v1${path.replace('{tenant}', tenant).replace('{id}', path.startsWith('/tokens') ? '0123456789ab' : CRM)}`;

/** The registry takes tenant files, other endpoints mapping files. */
function inputFor({ path }: (typeof ENDPOINTS)[number]) {
  return path.startsWith('/registry/') ? { ...INPUT, ...THIRD } : INPUT;
}

/** What a person's request for an endpoint is answered with, by status. */
async function statusOf(
  endpoint: (typeof ENDPOINTS)[number],
  token: string | undefined,
  tenant = 'acme',
): Promise<number> {
  const own = token === undefined ? {} : { token };
  const isPost = endpoint.method === 'POST';
  const path = `${pathOf(endpoint.path, tenant)}${isPost ? '' : (QUERIES[endpoint.path] ?? '')}`;
  // `relink` takes a field of the org, the others one of the record.
  const body = endpoint.verb === 'relink' ? { reason: INPUT['reason'], field: 'Former_Id__c' } : inputFor(endpoint);
  return (await send(console, path, { ...own, ...(isPost ? { body } : {}) })).status;
}

const PEOPLE: Readonly<Record<string, readonly Grant[]>> = {
  'a viewer of all': [grant('*', 'viewer')],
  'a viewer of the tenant': [grant('acme', 'viewer')],
  'an operator of all': [grant('*', 'operator')],
  'an operator of the tenant': [grant('acme', 'operator')],
  'an administrator of all': [grant('*', 'administrator')],
  'an administrator of the tenant': [grant('acme', 'administrator')],
  'an administrator of another tenant': [grant('other', 'administrator')],
  'somebody without a right': [],
};

it.each(Object.entries(PEOPLE))('answers %s what the table of needs allows, and nothing else', async (_, grants) => {
  const [own] = grants;
  const token = await console.signIn(grants);
  const found = await Promise.all(ENDPOINTS.map((endpoint) => statusOf(endpoint, token)));
  const answered = ENDPOINTS.map(({ method, path }, n) => [method, path, found[n] !== 403]);
  const allowed = ENDPOINTS.map(({ verb, method, path }) => {
    const needed = ['/audit-log', '/notices'].includes(path) ? 'administrator' : (NEEDS[verb]?.[0] ?? 'administrator');
    const reaches = own?.tenant === '*' || (own?.tenant === 'acme' && path.includes('{tenant}'));
    const mayDo = reaches && ROLES.indexOf(own.role) >= ROLES.indexOf(needed);
    return [method, path, path === '/tenants' || mayDo];
  });
  expect(answered).toEqual(allowed);
  for (const status of found) expect([200, 403, 404, 409, 502, 503]).toContain(status);
});

it('answers nobody who is not signed in', async () => {
  for (const endpoint of ENDPOINTS)
    expect([endpoint.path, await statusOf(endpoint, undefined)]).toEqual([
      endpoint.path,
      endpoint.method === 'GET' ? 401 : 401,
    ]);
});

/** Instants and ages differ between two reads. */
const settled = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer, (name, value) => (['observedAt', 'seconds', 'at', 'until'].includes(name) ? 0 : value)),
  );

it.each([
  ['tenants', '/tenants'],
  ['inbox --tenant acme', '/tenants/acme/inbox'],
  ['conflicts --tenant acme', '/tenants/acme/conflicts'],
  [`history ${CRM} --tenant acme`, `/tenants/acme/records/${CRM}/history`],
  [`explain ${CRM} --tenant acme`, `/tenants/acme/records/${CRM}/explanation`],
  [
    'what-if --rule name=vendor --since 2026-01-01 --tenant acme',
    '/tenants/acme/what-if?rules=name=vendor&since=2026-01-01',
  ],
  ['audit-log --tenant acme', '/tenants/acme/audit-log'],
])(
  'answers as lockstep %s --json does',
  async (typed, path) => {
    const { context, out } = fakeContext(console.settings);
    await runVerbs(CONNECTOR_VERBS, [...typed.split(' '), '--json'], context);
    const answer = await send(console, `/api/v1${path}`, { token: administrator });
    expect(settled(await answer.json())).toEqual(settled(JSON.parse(out.join(''))));
  },
  60_000,
);

it('answers with status as the command line does, but without what a side said', async () => {
  const { context, out } = fakeContext(console.settings);
  await runVerbs(CONNECTOR_VERBS, ['status', '--tenant', 'acme', '--json'], context);
  const answer = await (await send(console, '/api/v1/tenants/acme/status', { token: administrator })).json();
  expect(settled(answer)).toMatchObject({ shape: 'status/1', tenants: [{ tenant: 'acme', records: { conflict: 1 } }] });
  const keys = (of: unknown) => Object.keys((of as { tenants: object[] }).tenants[0] ?? {}).toSorted();
  expect(keys(answer)).toEqual(keys(JSON.parse(out.join(''))));
});

it('shows a person only the tenants of their rights, in lists and in the audit log', async () => {
  const token = await console.signIn([grant('other', 'operator')]);
  const { tenants } = (await (await send(console, '/api/v1/tenants', { token })).json()) as { tenants: object[] };
  expect(tenants).toMatchObject([{ tenant: 'other' }]);
  const action = {
    action: crypto.randomUUID(),
    at: at(9),
    phase: 'attempted',
    verb: 'tenants apply',
    details: {},
  } as const;
  await console.ledger.recordAction({
    ...action,
    tenants: ['acme', 'other'],
    reason: null,
    user: 'u',
    host: 'h',
    error: null,
  });
  const log = await (await send(console, '/api/v1/tenants/other/audit-log', { token })).text();
  expect(log).not.toContain('acme');
});

it('writes a change to the audit log with who and why, before and after', async () => {
  const token = await console.signIn([grant('acme', 'administrator')], 'grace');
  // The requests of the people above come in any order, and may leave the tenant paused.
  await console.ledger.resume('acme', 'by-hand', new Date().toISOString());
  const turned = await send(console, '/api/v1/tenants/acme/pause', { token, body: { reason: 'a holiday' } });
  expect(await turned.json()).toMatchObject({ shape: 'tenant-turned/1', changed: true, state: 'paused' });
  const { actions } = (await (await send(console, '/api/v1/tenants/acme/audit-log', { token })).json()) as {
    actions: object[];
  };
  expect(actions.at(-1)).toMatchObject({
    ...{ verb: 'tenants pause', tenants: ['acme'], user: 'grace', reason: 'a holiday', outcome: 'succeeded' },
    details: { via: 'console', signIn: 'link' },
  });
  await send(console, '/api/v1/tenants/acme/unpause', { token, body: { reason: 'over' } });
});

it('shows values only by a right of their own, and notes each look twice', async () => {
  const path = `/api/v1/tenants/acme/records/${CRM}/history`;
  const [viewer, reader] = [
    await console.signIn([grant('acme', 'administrator')]),
    await console.signIn([grant('acme', 'viewer', true)], 'joan'),
  ];
  const plain = await (await send(console, path, { token: viewer })).text();
  for (const value of PRIVATE_VALUES) expect(plain).not.toContain(value);
  expect((await send(console, `${path}?values=true`, { token: viewer })).status).toBe(403);
  const shown = await (await send(console, `${path}?values=true`, { token: reader })).text();
  expect(shown).toContain(PRIVATE_VALUES[0]);
  const [newest] = await console.ledger.journal('acme', CRM, 1);
  expect(newest).toMatchObject({ kind: 'view', summary: { verb: 'history' } });
  const { actions } = (await (await send(console, '/api/v1/audit-log', { token: administrator })).json()) as {
    actions: object[];
  };
  expect(actions.at(-1)).toMatchObject({ verb: 'history', user: 'joan', details: { id: CRM, values: true } });
});

it('says what is wrong with a request, and repeats no part of it', async () => {
  const wrong = await send(console, `/api/v1/tenants/acme/records/${CRM}/resolve`, {
    token: administrator,
    body: { field: '<script>', take: 'both', reason: '' },
  });
  expect(wrong.status).toBe(400);
  const { message } = (await wrong.json()) as { message: string };
  expect(message).toMatch(/field: .*take: .*reason: /);
  expect(message).not.toContain('<script>');
});

it('describes every endpoint in an OpenAPI document', async () => {
  const document = (await (await send(console, '/api/v1/openapi.json')).json()) as {
    paths: Record<string, Record<string, object>>;
  };
  for (const { path, method } of ENDPOINTS)
    expect(document.paths[path]?.[method.toLowerCase()], path).toMatchObject({
      responses: { 200: { content: { 'application/json': { schema: { type: 'object' } } } } },
    });
});
