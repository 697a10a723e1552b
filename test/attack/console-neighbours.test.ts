import { beforeAll, describe, expect, it } from 'vitest';
import { type Endpoint, isOfTenant } from '../../src/console/api/endpoint.ts';
import { ENDPOINTS } from '../../src/console/api/endpoints.ts';
import { actionName } from '../../src/console/pages/parts.ts';
import { csrfOf, grant, send, THIRD } from '../support/console.ts';
import {
  INPUT,
  type NeighbouredConsole,
  OTHER,
  OWN,
  openNeighbouredConsole,
  SECRETS,
} from '../support/console-neighbours.ts';

/** An administrator of one tenant at the console: no id, number, name or field of a request reaches another tenant, or forges an author. */

/** Who an attacker would like to be in the audit log. */
const FORGED = 'mallory-as-grace';
/** The attacker's own name, which is an e-mail address, as sign-in providers give it. */
const EVE = 'eve@reseller.example';

let console: NeighbouredConsole;
let token = '';
let csrf = '';
beforeAll(async () => {
  console = await openNeighbouredConsole();
  token = await console.signIn([grant('acme', 'administrator', true)], EVE);
  csrf = await csrfOf(console, token);
}, 60_000);

const pathOf = (path: string, id = OTHER.crmId): string =>
  path.replace('{id}', path.startsWith('/tokens') ? '0123456789ab' : id);

async function call(endpoint: Endpoint, path: string, more: object = {}): Promise<Response> {
  const isPost = endpoint.method === 'POST';
  const query = isPost ? '' : `${path.includes('?') ? '&' : '?'}field=Former_Id__c&po=1&values=true&since=2026-01-01`;
  const input = endpoint.verb === 'relink' ? { reason: 'r', pairs: [{ from: OTHER.crmId, to: OWN.crmId }] } : INPUT;
  const given = endpoint.path.startsWith('/registry/') ? { ...INPUT, ...THIRD, tenant: 'other' } : input;
  return send(console, `/api/v1${path}${query}`, { token, ...(isPost ? { body: { ...given, ...more } } : {}) });
}

/** Nothing of the other tenant is changed by the work, and its name goes to no workflow. */
async function withoutHarm(work: () => Promise<void>): Promise<void> {
  const before = await console.stateOfOther();
  console.takeSent();
  await work();
  expect(await console.stateOfOther()).toBe(before);
  expect(console.takeSent().filter((args) => args.includes('"other"'))).toEqual([]);
}

function expectNoSecret(text: string): void {
  for (const secret of SECRETS) expect(text.replaceAll(`${SECRETS[0]}: acme`, '')).not.toContain(secret);
}

const rowOf = (one: Endpoint) => [`${one.method} ${one.path}`, one] as const;
const ALL = ENDPOINTS.map(rowOf);
const OF_TENANT = ENDPOINTS.filter(isOfTenant).map(rowOf);
const WRITES = OF_TENANT.filter(([, { effect }]) => effect === 'writes');

describe('with ids of another tenant', () => {
  it.each(OF_TENANT)('nothing of it is shown or changed: %s', async (_, endpoint) => {
    await withoutHarm(async () => {
      const answer = await call(endpoint, pathOf(endpoint.path).replace('{tenant}', 'acme'));
      expectNoSecret(await answer.text());
    });
  });
});

describe('under the name of another tenant', () => {
  it.each(ALL)('nothing is shown or changed: %s', async (_, endpoint) => {
    const path = pathOf(endpoint.path);
    const ways = [path.replace('{tenant}', 'other'), path.replace('{tenant}', 'acme%2F..%2Fother')];
    if (isOfTenant(endpoint)) ways.push(`${path.replace('{tenant}', 'acme')}?tenant=other`);
    await withoutHarm(async () => {
      for (const way of ways)
        expectNoSecret(await (await call(endpoint, way, { tenant: 'other', tenants: ['other'] })).text());
    });
  });

  it.each(ALL.filter(([, { method }]) => method === 'POST'))('no form changes anything: %s', async (_, { verb }) => {
    const fields = Object.entries({ ...INPUT, text: THIRD.text }).map(([name, value]) => [name, [value].flat().join()]);
    const form = new URLSearchParams({ ...Object.fromEntries(fields), csrf, tenant: 'other', back: '/' });
    const headers = {
      ...{ 'content-type': 'application/x-www-form-urlencoded', origin: console.url },
      cookie: `lockstep=${token}`,
    };
    const own = { method: 'POST', body: form.toString(), redirect: 'manual', headers } as const;
    await withoutHarm(async () => {
      expectNoSecret(await (await fetch(`${console.url}/actions/${actionName(verb)}`, own)).text());
    });
  });
});

describe('the author in the audit log', () => {
  it.each(WRITES)('is the person of the session, and goes nowhere else: %s', async (_, endpoint) => {
    const forged = {
      ...{ by: FORGED, user: FORGED, author: FORGED, actor: { user: FORGED, host: FORGED }, madeBy: FORGED },
      ...{
        host: FORGED,
        via: FORGED,
        signIn: FORGED,
        at: '2001-01-01T00:00:00.000Z',
        grants: [grant('*', 'operator')],
      },
      ...{ id: OWN.crmId, ids: [OWN.crmId], crmId: OWN.crmId, vendorId: OWN.vendorId, basedOn: 0, version: 0 },
    };
    const path = pathOf(endpoint.path, OWN.crmId).replace('{tenant}', 'acme');
    const headers = { 'x-forwarded-user': FORGED, 'x-remote-user': FORGED, 'x-user': FORGED, from: FORGED };
    const body = { ...INPUT, ...forged, ...(endpoint.verb === 'relink' ? { pairs: undefined, field: 'F__c' } : {}) };
    console.takeSent();
    const answer = await send(console, `/api/v1${path}?by=${FORGED}&user=${FORGED}`, { token, body, headers });
    expect(await answer.text()).not.toContain(FORGED);
    const [last] = await console.ledger.lastActions(null, 'acme', 1);
    expect(last).toMatchObject({ user: EVE });
    expect(JSON.stringify(last)).not.toContain(FORGED);
    // Temporal keeps what it gets in clear, and its writers could name anybody.
    const sent = console.takeSent().join();
    for (const name of [FORGED, EVE]) expect(sent).not.toContain(name);
  });
});
