import { generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SalesforceSimulator, startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { admin, assertionFor, restClient } from '../support/salesforce-simulator.ts';

let simulator: SalesforceSimulator;

beforeAll(async () => {
  simulator = await startSalesforceSimulator({ seed: 'empty' });
});

afterAll(() => simulator.close());

async function token(form: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(`${simulator.loginUrl}/services/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers,
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
}

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const bearer = async (claims: Parameters<typeof assertionFor>[2] = {}) =>
  token({ grant_type: GRANT, assertion: await assertionFor(simulator.integration, simulator.url, claims) });

const otherKey = () =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

describe('the token endpoint', () => {
  it('gives a session for a signed assertion', async () => {
    const { status, body } = await bearer();
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'Bearer', instance_url: simulator.url });
    expect(body['id']).toContain(`/id/${simulator.organizationId}/005`);
    expect((await restClient(simulator, body['access_token'])('GET', '/limits')).status).toBe(200);
  });

  it('takes the audience of a real org too', async () => {
    expect((await bearer({ aud: 'https://login.salesforce.com' })).status).toBe(200);
  });

  it.each([
    ['another audience', { aud: 'https://example.com' }, 'invalid_grant', 'audience is invalid'],
    ['an ended assertion', { lifetimeSeconds: -120 }, 'invalid_grant', 'expired authorization code'],
    ['one that lives too long', { lifetimeSeconds: 3600 }, 'invalid_grant', 'expiration'],
    ['an unknown client', { iss: 'nobody' }, 'invalid_client_id', 'client identifier invalid'],
    ['another user', { sub: 'someone@reseller.example' }, 'invalid_grant', "hasn't approved"],
  ])('refuses %s', async (_, claims, error, description) => {
    const { status, body } = await bearer(claims);
    expect([status, body['error']]).toEqual([400, error]);
    expect(body['error_description']).toContain(description);
  });

  it('refuses a signature by another key, and none at all', async () => {
    const invalid = { status: 400, body: { error: 'invalid_grant', error_description: 'invalid assertion' } };
    expect(await bearer({ privateKey: otherKey() })).toEqual(invalid);
    expect(await token({ grant_type: GRANT, assertion: 'not.a.token' })).toEqual(invalid);
    const { clientId, username, clientSecret } = simulator.integration;
    const symmetric = await new SignJWT({})
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(clientId)
      .setSubject(username)
      .setAudience(simulator.url)
      .setExpirationTime('2m')
      .sign(new TextEncoder().encode(clientSecret));
    expect(await token({ grant_type: GRANT, assertion: symmetric })).toEqual(invalid);
  });

  it('takes client credentials in the body and in the header', async () => {
    const { clientId, clientSecret } = simulator.user;
    const grant = { grant_type: 'client_credentials' };
    expect((await token({ ...grant, client_id: clientId, client_secret: clientSecret })).status).toBe(200);
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    expect((await token(grant, { authorization })).status).toBe(200);
    const wrong = await token({ ...grant, client_id: clientId, client_secret: 'x' });
    expect([wrong.status, wrong.body['error']]).toEqual([400, 'invalid_client']);
    expect((await token({ ...grant, client_id: 'x' })).body['error']).toBe('invalid_client_id');
    expect((await token({ grant_type: 'password' })).body['error']).toBe('unsupported_grant_type');
  });

  it('refuses an inactive user', async () => {
    const users = await admin(simulator, 'GET', 'records?type=User');
    const { records } = users.body as { records: { id: string; fields: { Username: string } }[] };
    const found = records.find(({ fields }) => fields.Username === simulator.user.username);
    await admin(simulator, 'PATCH', `records/${found?.id}`, { set: { IsActive: false } });
    const { clientId, clientSecret } = simulator.user;
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    expect((await token(form)).body['error']).toBe('inactive_user');
    await admin(simulator, 'PATCH', `records/${found?.id}`, { set: { IsActive: true } });
    expect((await token(form)).status).toBe(200);
  });

  it('hides secrets in the request log', async () => {
    await bearer();
    const { body } = await admin(simulator, 'GET', 'requests?operation=oauth.token');
    const text = JSON.stringify(body);
    expect(text).toContain('grant_type');
    expect(text).not.toContain(simulator.user.clientSecret);
    expect(text).not.toContain('eyJ');
  });
});

describe('sessions', () => {
  it('end two hours after their last use on the simulator’s clock, and when revoked', async () => {
    const first = String((await bearer()).body['access_token']);
    const rest = restClient(simulator, first);
    await admin(simulator, 'PUT', 'clock', { advanceMs: 7_100_000 });
    expect((await rest('GET', '/limits')).status).toBe(200);
    await admin(simulator, 'PUT', 'clock', { advanceMs: 7_300_000 });
    expect((await rest('GET', '/limits')).status).toBe(401);
    const second = String((await bearer()).body['access_token']);
    const revoked = await fetch(`${simulator.url}/services/oauth2/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ token: second }),
    });
    expect(revoked.status).toBe(200);
    expect((await restClient(simulator, second)('GET', '/limits')).status).toBe(401);
  });

  it('tell who they are', async () => {
    const answer = await fetch(`${simulator.url}/services/oauth2/userinfo`, {
      headers: { authorization: `Bearer ${simulator.integration.accessToken}` },
    });
    expect(await answer.json()).toMatchObject({
      organization_id: simulator.organizationId,
      preferred_username: simulator.integration.username,
    });
    expect((await fetch(`${simulator.url}/services/oauth2/userinfo`)).status).toBe(403);
  });
});
