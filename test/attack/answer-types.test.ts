import { createRequire } from 'node:module';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { PartnerApiError } from '../../src/partner-api/index.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import { readSchema } from '../../src/salesforce/schema.ts';
import { createSession } from '../../src/salesforce/session.ts';
import { crmOptions, grant, isSignIn } from '../support/hostile/hostile-salesforce.ts';
import { type HostileServer, startHostileServer } from '../support/hostile/hostile-server.ts';
import { startHostileVendor, vendorBody } from '../support/hostile/hostile-vendor.ts';
import { MOST_HOLD_MS, shortestHold } from '../support/hostile/loop-hold.ts';

/**
 * Whoever answers does not choose who parses the answer: what is JSON by its type is parsed as JSON, and nothing else is parsed.
 * The bodies are harmless; what counts is that no other parser is called at all.
 */

const TYPES = [
  'text/xml',
  'text/xml; charset=UTF-8',
  'application/xml',
  'application/soap+xml',
  'text/csv',
  'text/csv;charset=utf-8',
  'text/html',
  'text/plain',
  'text/json',
  'application/jsonp',
  'application/x-ndjson',
  'application/octet-stream',
  'application/json, text/xml',
  'text/xml, application/json',
  'xml',
  'x'.repeat(4_000),
];

const MB = 1024 * 1024;
const BODIES: readonly (readonly [string, string])[] = [
  ['a small one', '<a><b>1</b></a>'],
  ['JSON', '{"totalSize":0,"done":true,"records":[]}'],
  ['rows', 'Id,Name\n1,x\n'],
  ['none', ''],
  ['one of 12 MB', 'x'.repeat(12 * MB)],
  ['rows of 12 MB', 'a,b\n'.repeat(3 * MB)],
];

/** The parsers that the library would choose from. */
const require = createRequire(import.meta.url);
const fromLibrary = createRequire(require.resolve('jsforce'));
const parsers = [
  vi.spyOn(fromLibrary('xml2js') as { parseStringPromise: () => unknown }, 'parseStringPromise'),
  vi.spyOn(require('jsforce/lib/csv.js') as { parseCSV: () => unknown }, 'parseCSV'),
];

let remote: HostileServer;
afterEach(async () => {
  vi.clearAllMocks();
  await remote.close();
});

const CALL = { operation: 'x' };

async function judged(work: () => Promise<unknown>): Promise<unknown> {
  const { result, holdMs } = await shortestHold(() => work().catch((error: unknown) => error));
  expect(holdMs).toBeLessThan(MOST_HOLD_MS);
  for (const parser of parsers) expect(parser).not.toHaveBeenCalled();
  return result;
}

describe.each(BODIES)('%s', (_, text) => {
  const body = Buffer.from(text);

  test.each(TYPES)('called %s is no answer of Salesforce’s', async (type) => {
    const headers = { 'content-type': type };
    for (const status of [200, 201, 400, 500]) {
      remote = await startHostileServer((request) => (isSignIn(request) ? grant(request) : { status, headers, body }));
      const session = createSession(crmOptions(remote.url));
      const error = await judged(() => session.request({ method: 'GET', path: '/query?q=x' }, CALL));
      expect(error).toBeInstanceOf(CrmError);
      if (status < 300) expect(error).toMatchObject({ kind: 'transient', code: 'MALFORMED_ANSWER' });
      await session.close();
      await remote.close();
    }
  });

  test.each(TYPES)('called %s is no sign-in and no description', async (type) => {
    const answer = { headers: { 'content-type': type }, body };
    remote = await startHostileServer(() => answer);
    const refused = createSession(crmOptions(remote.url));
    const told = await judged(() => refused.request({ method: 'GET', path: '/x' }, CALL));
    expect(told).toMatchObject({ name: 'CrmError', kind: 'transient' });
    await Promise.all([refused.close(), remote.close()]);
    remote = await startHostileServer((request) => (isSignIn(request) ? grant(request) : answer));
    const session = createSession(crmOptions(remote.url));
    const described = await judged(() => readSchema(session, ['Opportunity'], CALL));
    expect(described).toMatchObject({ name: 'CrmError', code: 'MALFORMED_ANSWER' });
    await session.close();
  });

  test.each(TYPES)('called %s is no answer of the vendor’s', async (type) => {
    for (const status of [200, 201, 400, 500]) {
      const vendor = await startHostileVendor(() => ({ status, headers: { 'content-type': type }, body }));
      remote = vendor;
      const error = await judged(() => vendor.connect({ timeoutMs: 20_000 }).readLeadOpportunity({ id: 'DS-1' }));
      expect(error).toBeInstanceOf(PartnerApiError);
      if (status < 300) expect(error).toMatchObject({ kind: 'protocol', code: 'BODY_NOT_JSON' });
      await remote.close();
    }
  });
});

test.each(['application/json', 'application/json;charset=UTF-8', 'Application/JSON ; charset=utf-8'])(
  '%s is JSON',
  async (type) => {
    const headers = { 'content-type': type };
    const rows = '{"totalSize":0,"done":true,"records":[]}';
    remote = await startHostileServer((request) => (isSignIn(request) ? grant(request) : { headers, body: rows }));
    const session = createSession(crmOptions(remote.url));
    const { body } = await session.request({ method: 'GET', path: '/query?q=x' }, CALL);
    expect(body).toEqual(JSON.parse(rows));
    await session.close();
    await remote.close();
    const deal = vendorBody({ leadOpportunity: { dsLeadOpportunityId: 'DS-1' } });
    const vendor = await startHostileVendor(() => ({ headers, body: deal }));
    remote = vendor;
    expect((await vendor.connect().readLeadOpportunity({ id: 'DS-1' })).data.leadOpportunity).toMatchObject({});
  },
);

test.each(['text/html', 'text/plain', 'text/xml'])(
  'an error called %s names no code, whatever its text',
  async (type) => {
    const [headers, body] = [{ 'content-type': type }, '[{"errorCode":"ENTITY_IS_DELETED","message":"x"}]'];
    const answer = { status: 404, headers, body };
    remote = await startHostileServer((request) => (isSignIn(request) ? grant(request) : answer));
    const session = createSession(crmOptions(remote.url));
    const error = await judged(() => session.request({ method: 'GET', path: '/x' }, CALL));
    expect(error).toMatchObject({ code: 'HTTP_404' });
    await session.close();
  },
);

test('half a JSON, or another text, is no answer by any type', async () => {
  for (const body of ['{"records":[', '"text"', 'null,', '']) {
    remote = await startHostileServer((request) => (isSignIn(request) ? grant(request) : { body }));
    const session = createSession(crmOptions(remote.url));
    const error = await judged(() => session.request({ method: 'GET', path: '/x' }, CALL));
    expect(error).toMatchObject({ kind: 'transient', code: 'MALFORMED_ANSWER' });
    await session.close();
    await remote.close();
  }
});
