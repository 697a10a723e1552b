import { generateKeyPairSync, verify } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterEach, describe, expect, it } from 'vitest';
import { createCrm } from '../../src/salesforce/create-crm.ts';
import type { Crm } from '../../src/salesforce/crm.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import type { CrmOptions, CrmRequestInfo } from '../../src/salesforce/options.ts';
import {
  page,
  refusal,
  type SalesforceStub,
  STUB_ORGANIZATION,
  type StubAnswer,
  type StubRequest,
  startSalesforceStub,
} from '../support/salesforce/salesforce-stub.ts';

const AUTH = { flow: 'client-credentials', clientId: 'client', clientSecret: 'the-secret' } as const;
const ORGANIZATION = page([{ Id: STUB_ORGANIZATION }]);

let stub: SalesforceStub;
let crm: Crm;
let infos: CrmRequestInfo[];
let nowMs: number;

async function open(
  handle: (request: StubRequest, callNumber: number) => StubAnswer | undefined,
  options: Partial<CrmOptions> = {},
): Promise<void> {
  infos = [];
  nowMs = Date.parse('2026-01-31T10:00:00Z');
  stub = await startSalesforceStub(handle);
  crm = createCrm({
    loginUrl: stub.url,
    apiVersion: '67.0',
    auth: AUTH,
    onRequest: (info) => infos.push(info),
    now: () => nowMs,
    ...options,
  });
}

afterEach(async () => {
  await crm.close();
  await stub.close();
});

async function errorOf(promise: Promise<unknown>): Promise<CrmError> {
  const error = await promise.then(
    () => new Error('it was expected to fail'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(CrmError);
  return error as CrmError;
}

describe('signing in', () => {
  it('asks for a token once, however many calls start at the same time', async () => {
    await open(() => undefined, {});
    await Promise.allSettled(Array.from({ length: 20 }, () => crm.probe()));
    expect(stub.signIns()).toBe(1);
    expect(stub.calls()).toHaveLength(20);
  });

  it('signs a short-lived RS256 assertion for the JWT flow', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const auth = {
      flow: 'jwt',
      clientId: 'client',
      username: 'lockstep@org.example',
      privateKey: pem,
    } as const;
    await open((request) => (request.body === '' ? ORGANIZATION : undefined), { auth });
    await crm.probe();
    const sent = new URLSearchParams(stub.requests[0]?.body);
    const assertion = sent.get('assertion') ?? '';
    const [head = '', payload = '', signature = ''] = assertion.split('.');
    expect(sent.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    expect(decodeProtectedHeader(assertion).alg).toBe('RS256');
    const signed = Buffer.from(`${head}.${payload}`);
    expect(verify('sha256', signed, publicKey, Buffer.from(signature, 'base64url'))).toBe(true);
    const claims = decodeJwt(assertion);
    expect(claims).toMatchObject({ iss: 'client', sub: 'lockstep@org.example', aud: stub.url });
    const lifeSeconds = (claims.exp ?? 0) - nowMs / 1000;
    expect(lifeSeconds).toBeGreaterThan(60);
    expect(lifeSeconds).toBeLessThanOrEqual(180);
  });

  it('refuses a key that cannot be read without quoting it', async () => {
    const auth = { flow: 'jwt', clientId: 'client', username: 'u', privateKey: 'not-a-key' } as const;
    await open(() => undefined, { auth });
    const error = await errorOf(crm.probe());
    expect([error.kind, error.code]).toEqual(['systemic', 'UNREADABLE_PRIVATE_KEY']);
    expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain('not-a-key');
    expect(stub.requests).toHaveLength(0);
  });

  it('refuses a session of another org', async () => {
    await open(() => undefined, { organizationId: '00Dyy0000001gPLEAY' });
    expect(await errorOf(crm.probe())).toMatchObject({ kind: 'systemic', code: 'WRONG_ORGANIZATION' });
    expect(stub.calls()).toHaveLength(0);
  });

  it('takes the 15-character form of the org id', async () => {
    await open((_, call) => (call > 0 ? ORGANIZATION : undefined), {
      organizationId: STUB_ORGANIZATION.slice(0, 15),
    });
    expect((await crm.probe()).organizationId).toBe(STUB_ORGANIZATION);
  });

  it('sends no token to an address that is not encrypted', async () => {
    const grant = { access_token: 't', instance_url: 'http://salesforce.example', id: '' };
    await open(() => ({ body: grant }));
    expect(await errorOf(crm.probe())).toMatchObject({ kind: 'systemic', code: 'UNSAFE_INSTANCE_URL' });
  });

  it('repeats a refused sign-in only after 30 seconds', async () => {
    await open(() => ({
      status: 400,
      body: { error: 'invalid_grant', error_description: 'user jane@org.example' },
    }));
    for (let round = 0; round < 5; round += 1) {
      const error = await errorOf(crm.probe());
      expect([error.kind, error.code]).toEqual(['systemic', 'invalid_grant']);
      expect(error.message).not.toContain('jane');
    }
    expect(stub.signIns()).toBe(1);
    nowMs += 30_000;
    await errorOf(crm.probe());
    expect(stub.signIns()).toBe(2);
  });

  it('signs in again at once after an outage of the sign-in', async () => {
    let down = true;
    await open((request, call) => {
      if (call > 0) return ORGANIZATION;
      return down && request.body !== '' ? refusal(503, 'SERVER_UNAVAILABLE') : undefined;
    });
    expect((await errorOf(crm.probe())).kind).toBe('transient');
    down = false;
    expect((await crm.probe()).organizationId).toBe(STUB_ORGANIZATION);
  });
});

describe('a lost session', () => {
  const lostUnless = (token: string) => (request: StubRequest) => {
    if (request.body !== '') return undefined;
    return request.headers.authorization === `Bearer ${token}` ? ORGANIZATION : refusal(401, 'INVALID_SESSION_ID');
  };

  it('is renewed once for all callers, and their requests are repeated once', async () => {
    await open(lostUnless('token-2'));
    const answers = await Promise.all(Array.from({ length: 10 }, () => crm.probe()));
    expect(answers).toHaveLength(10);
    expect(stub.signIns()).toBe(2);
    expect(stub.calls().length).toBeLessThanOrEqual(20);
  });

  it('is not what a page of a proxy with status 401 says', async () => {
    const sent = { status: 401, headers: { 'content-type': 'text/html' }, body: '<html>sign in</html>' };
    await open((request) => (request.body === '' ? sent : undefined));
    const kinds: string[] = [];
    for (let call = 0; call < 3; call += 1) kinds.push((await errorOf(crm.probe())).kind);
    expect([kinds, stub.signIns()]).toEqual([['unknown', 'unknown', 'unknown'], 1]);
  });

  it('that stays lost ends as one systemic failure, without a loop', async () => {
    await open(lostUnless('never'));
    const error = await errorOf(crm.probe());
    expect([error.kind, error.code]).toEqual(['systemic', 'INVALID_SESSION_ID']);
    expect([stub.signIns(), stub.calls().length]).toEqual([2, 2]);
    for (let round = 0; round < 20; round += 1) await errorOf(crm.probe());
    expect([stub.signIns(), stub.calls().length]).toEqual([2, 22]);
  });

  it('may be renewed again after 30 seconds', async () => {
    await open(lostUnless('token-3'));
    await errorOf(crm.probe());
    nowMs += 30_000;
    expect((await crm.probe()).organizationId).toBe(STUB_ORGANIZATION);
    expect(stub.signIns()).toBe(3);
  });
});

describe('one call', () => {
  const answering = (answer: StubAnswer) => (_: StubRequest, call: number) => (call > 0 ? answer : undefined);

  it('carries the headers that keep the org quiet, at the stated version', async () => {
    await open(answering(ORGANIZATION));
    await crm.probe();
    const [request] = stub.calls();
    expect(request?.address).toMatch(/^\/services\/data\/v67\.0\/query\?q=SELECT/);
    expect(request?.headers).toMatchObject({
      'sforce-call-options': 'client=lockstep',
      'sforce-auto-assign': 'FALSE',
      authorization: 'Bearer token-1',
    });
  });

  it('reports every request with the usage that the org tells', async () => {
    // For an app with its own limit, the header contains that limit too, in any order.
    const headers = {
      'sforce-limit-info': 'per-app-api-usage=17/250(appName=lockstep); api-usage=18/15000',
    };
    await open(answering({ ...(ORGANIZATION as object), headers, body: (ORGANIZATION as { body: unknown }).body }));
    await crm.probe();
    expect(infos).toEqual([
      { operation: 'login', status: 200, limitInfo: null, ms: expect.any(Number) },
      { operation: 'probe', status: 200, limitInfo: { used: 18, limit: 15_000 }, ms: expect.any(Number) },
    ]);
  });

  it.each([
    ['an outage', refusal(503, 'SERVER_UNAVAILABLE'), 'transient', 'SERVER_UNAVAILABLE'],
    ['a deleted org', { status: 420, body: '' }, 'transient', 'HTTP_420'],
    ['too many requests', { status: 429, headers: { 'retry-after': '7' }, body: '' }, 'throttled', 'HTTP_429'],
    ['a dropped connection', 'cut', 'transient', 'NETWORK'],
    ['a connection dropped inside the body', 'half', 'transient', 'NETWORK'],
    [
      'a page in place of JSON',
      { headers: { 'content-type': 'text/html' }, body: '<html>' },
      'transient',
      'MALFORMED_ANSWER',
    ],
    ['broken JSON', { body: '{"records":' }, 'transient', 'MALFORMED_ANSWER'],
  ] as const)('is tried once: %s', async (_, answer, kind, code) => {
    await open(answering(answer as StubAnswer));
    expect(await errorOf(crm.probe())).toMatchObject({ kind, code });
    expect(stub.calls()).toHaveLength(1);
  });

  it('hands on how long the org wants to be left alone', async () => {
    await open(answering({ status: 429, headers: { 'retry-after': '7' }, body: '' }));
    expect((await errorOf(crm.probe())).retryAfterMs).toBe(7_000);
  });

  it('follows no redirect, so that the token stays where it belongs', async () => {
    const other = await startSalesforceStub(() => ORGANIZATION);
    await open(answering({ status: 302, headers: { location: `${other.url}/services/data/v67.0/query` }, body: '' }));
    expect(await errorOf(crm.probe())).toMatchObject({ kind: 'systemic', code: 'REDIRECT' });
    expect(other.requests).toHaveLength(0);
    await other.close();
  });

  it('ends at its time limit', async () => {
    await open(answering('hang'), { timeoutMs: 60 });
    expect(await errorOf(crm.probe())).toMatchObject({ kind: 'transient', code: 'TIMEOUT' });
  });

  it('ends when its caller aborts', async () => {
    const abort = new AbortController();
    await open((_, call) => {
      if (call > 0) abort.abort();
      return call > 0 ? 'hang' : undefined;
    });
    expect(await errorOf(crm.probe({ signal: abort.signal }))).toMatchObject({
      kind: 'transient',
      code: 'ABORTED',
    });
  });

  it('quotes nothing of what the org said', async () => {
    const message = 'Name: Jane Roe already exists';
    await open(answering(refusal(400, 'FIELD_CUSTOM_VALIDATION_EXCEPTION', message, ['Name'])));
    const error = await errorOf(crm.probe());
    expect(error).toMatchObject({ kind: 'permanent', fields: ['Name'] });
    expect(`${error.stack} ${JSON.stringify(error)} ${JSON.stringify(error.cause)}`).not.toMatch(/Jane|the-secret/);
  });
});
