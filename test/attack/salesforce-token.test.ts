import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CrmError } from '../../src/salesforce/errors.ts';
import { queryRows } from '../../src/salesforce/query.ts';
import { createSession } from '../../src/salesforce/session.ts';
import { createTrustedOrigins } from '../../src/salesforce/trusted-origins.ts';
import { crmOptions, grant, startHostileSalesforce } from '../support/hostile/hostile-salesforce.ts';
import { type HostileServer, startHostileServer } from '../support/hostile/hostile-server.ts';

/** The session token goes to the tenant's org, and to nobody whom an answer names. */

let thief: HostileServer;
beforeEach(async () => {
  thief = await startHostileServer(() => ({ body: '{"totalSize":0,"done":true,"records":[]}' }));
});
afterEach(() => thief.close());

describe('the next page of a query', () => {
  const places = (origin: string, host: string): readonly string[] => [
    `${origin}/services/data/v67.0/query/01g`,
    `${origin}/`,
    `//${host}/services/data/v67.0/query/01g`,
    `/\\${host}/services/`,
    `@${host}/services/`,
    `:x@${host}/services/`,
    `.${host}/services/`,
    `/services/../../steal`,
    `/services/%2e%2e/steal`,
    `/services/data/../../../steal`,
    `/steal`,
    `file:///services/etc`,
    `javascript:1`,
    `http://[`,
    `\u0000`,
    ``,
  ];
  test('is asked for at the org alone, and below its services', async () => {
    const result: unknown[] = [];
    const { host, origin } = new URL(thief.url);
    for (const nextRecordsUrl of places(origin, host)) {
      const org = await startHostileSalesforce((_, count) => ({
        body: JSON.stringify(
          count === 2
            ? { totalSize: 2, done: false, nextRecordsUrl, records: [{ Id: 'a' }] }
            : { totalSize: 2, done: true, records: [{ Id: 'b' }] },
        ),
      }));
      const session = createSession(crmOptions(org.url));
      result.push(await queryRows(session, 'x', { operation: 'query' }).catch((error: unknown) => error));
      const paths = org.requests.slice(2).map(({ path }) => path);
      expect(paths.filter((path) => !path.startsWith('/services/'))).toEqual([]);
      await session.close();
      await org.close();
    }
    expect(thief.requests).toEqual([]);
    for (const error of result.slice(0, 2)) expect(error).toMatchObject({ code: 'UNTRUSTED_ADDRESS' });
  });

  test('ends where pages have no rows', async () => {
    const page = {
      totalSize: 9,
      done: false,
      nextRecordsUrl: '/services/data/v67.0/query/01g',
      records: [],
    };
    const org = await startHostileSalesforce(() => ({ body: JSON.stringify(page) }));
    const session = createSession(crmOptions(org.url));
    await expect(queryRows(session, 'x', { operation: 'query' })).rejects.toMatchObject({
      code: 'MALFORMED_ANSWER',
    });
    expect(org.requests).toHaveLength(2);
    await session.close();
    await org.close();
  });
});

describe('the instance that a sign-in names', () => {
  test.each([
    ['another host', 'https://thief.example'],
    ['this machine by TLS', 'https://127.0.0.1:4443'],
    ['user info', 'http://user:pass@127.0.0.1'],
    ['a path', 'http://127.0.0.1/services/proxy'],
    ['a query', 'http://127.0.0.1/?x'],
    ['no address', 'salesforce'],
    ['nothing', ''],
    ['a number', 7],
    ['a list', ['http://127.0.0.1']],
  ])('is refused: %s', async (_, instance_url) => {
    const org = await startHostileServer((request) => grant(request, { instance_url }));
    const session = createSession(crmOptions(org.url));
    const result = await session
      .request({ method: 'GET', path: '/limits' }, { operation: 'x' })
      .catch((error: unknown) => error);
    expect(result).toBeInstanceOf(CrmError);
    expect(org.requests).toHaveLength(1);
    await session.close();
    await org.close();
  });

  test.each([
    ['https://login.salesforce.com', 'https://acme.my.salesforce.com', true],
    ['https://acme.my.salesforce.com', 'https://acme.my.salesforce.com/', true],
    ['https://acme--dev.sandbox.my.salesforce.com', 'https://acme--dev.sandbox.my.salesforce.com', true],
    ['https://crm.customer.example', 'https://crm.customer.example', true],
    ['http://127.0.0.1:4020', 'http://127.0.0.1:4021', true],
    ['https://login.salesforce.com', 'https://127.0.0.1', false],
    ['https://login.salesforce.com', 'http://127.0.0.1', false],
    ['https://login.salesforce.com', 'http://acme.my.salesforce.com', false],
    ['https://login.salesforce.com', 'https://acme.my.salesforce.com:8443', false],
    ['https://login.salesforce.com', 'https://salesforce.com.thief.example', false],
    ['https://login.salesforce.com', 'https://evilsalesforce.com', false],
    ['https://login.salesforce.com', 'https://acme.my.salesforce.com@thief.example', false],
    ['https://login.salesforce.com', 'https://acme.my.salesforce.com./', false],
    ['https://login.salesforce.com', 'https://169.254.169.254', false],
    ['http://127.0.0.1:4020', 'https://acme.my.salesforce.com', false],
    ['http://login.salesforce.com', 'https://acme.my.salesforce.com', false],
  ])('after a sign-in at %s, %s: %s', (login, instance, trusted) => {
    const origins = createTrustedOrigins(login);
    const admit = (): string => origins.admitInstance(instance);
    if (!trusted) return expect(admit).toThrow(CrmError);
    expect(origins.checked(`${admit()}/services/data`)).toBe(`${new URL(instance).origin}/services/data`);
    expect(() => origins.checked(`${admit()}/other`)).toThrow('UNTRUSTED_ADDRESS');
  });
});
