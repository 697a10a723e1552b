import { inspect } from 'node:util';
import { DefaultFailureConverter, defaultPayloadConverter } from '@temporalio/common';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writableFailure } from '../../activities/support/writable-failure.ts';
import { describeError } from '../../src/platform/describe-error.ts';
import { createSession } from '../../src/salesforce/session.ts';
import { crmOptions, grant, isSignIn } from '../support/hostile/hostile-salesforce.ts';
import { type HostileAnswer, type HostileServer, startHostileServer } from '../support/hostile/hostile-server.ts';
import { type HostileVendor, startHostileVendor, VENDOR_KEY } from '../support/hostile/hostile-vendor.ts';

/**
 * What a remote puts where a code or an id should stand, and what it says in words, reaches no history, log or message: not
 * the failure as Temporal stores it, not the error as it is logged or printed when a process ends.
 */

const CANARY = 'Jane Roe <jane.roe@canary.example>';
const SEEN = /canary|jane/i;
const FORMS = [
  CANARY,
  `ERR_${CANARY}`,
  'canary 4711',
  'canary@acme',
  'canary\u0000',
  'canary\n',
  `${'canary'.repeat(100)}`,
];
const STATUSES = [200, 201, 300, 302, 400, 401, 403, 404, 406, 409, 412, 420, 429, 500, 502, 503];

const headersWith = (text: string): Readonly<Record<string, string>> => {
  const safe = text.replaceAll(/[^\x20-\x7e]/g, ' ');
  return {
    'retry-after': safe,
    date: safe,
    'x-ratelimit-limit': safe,
    'x-ratelimit-remaining': safe,
    'x-ratelimit-reset': safe,
    'sforce-limit-info': safe,
    location: `http://127.0.0.1:1/${encodeURIComponent(safe)}`,
    'content-type': safe,
  };
};

/** All that is kept or shown of an error. */
function traces(error: unknown): string {
  const failure = new DefaultFailureConverter().errorToFailure(writableFailure(error), defaultPayloadConverter);
  const details = Buffer.from(failure.applicationFailureInfo?.details?.payloads?.[0]?.data ?? []).toString();
  return [
    JSON.stringify(failure),
    details,
    String(error),
    inspect(error, { depth: 9, showHidden: false }),
    JSON.stringify(error),
    JSON.stringify(describeError(error)),
  ].join('\n');
}

let answer: HostileAnswer = {};
let vendor: HostileVendor;
let org: HostileServer;
beforeAll(async () => {
  vendor = await startHostileVendor(() => answer);
  org = await startHostileServer((request) => (isSignIn(request) ? grant(request) : answer));
});
afterAll(async () => {
  await vendor.close();
  await org.close();
});

const failed = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);

describe.each(STATUSES)('with status %i', (status) => {
  test.each(FORMS)('the vendor says %j', async (text) => {
    const error = {
      code: text,
      type: text,
      message: text,
      title: text,
      errors: [{ pointer: text, [text]: text }],
    };
    const info = { success: false, statusCode: status, traceId: text, timeStamp: text };
    for (const body of [
      { info, error, data: { [text]: text } },
      { info, error: [error] },
      { message: text },
      {
        info: { success: true },
        error: null,
        data: { leadOpportunity: { dsLeadOpportunityId: text, name: text } },
      },
      { info: { success: true }, data: { leadOpportunity: { [text]: 1, reasonWon: [{ [text]: text }] } } },
      text,
    ]) {
      answer = { status, headers: headersWith(text), body: JSON.stringify(body) };
      const result = await failed(vendor.connect().readLeadOpportunity({ id: 'DS-1' }));
      if (result instanceof Error) expect(traces(result)).not.toMatch(SEEN);
      expect(result instanceof Error ? traces(result) : '').not.toContain(VENDOR_KEY);
    }
  });

  test.each(FORMS)('Salesforce says %j', async (text) => {
    for (const body of [
      [{ errorCode: text, message: text, fields: [text] }],
      [{ success: false, errors: [{ statusCode: text, message: text, fields: [text] }] }],
      { error: text, error_description: text },
      text,
    ]) {
      answer = { status, headers: headersWith(text), body: JSON.stringify(body) };
      const session = createSession(crmOptions(org.url));
      const result = await failed(session.request({ method: 'GET', path: '/limits' }, { operation: 'limits' }));
      if (result instanceof Error) {
        expect(traces(result)).not.toMatch(SEEN);
        expect(traces(result)).not.toContain('the-session-token');
      }
      await session.close();
    }
  });
});

test('a code that has the form of one is reported, so that the search above finds what there is', async () => {
  const error = { code: 'ERR_CANARY', message: CANARY };
  answer = { status: 400, body: JSON.stringify({ info: { success: false, statusCode: 400 }, error }) };
  expect(traces(await failed(vendor.connect().readLeadOpportunity({ id: 'DS-1' })))).toMatch(SEEN);
});

test.each(FORMS)('a sign-in says %j', async (text) => {
  for (const change of [
    { access_token: text, instance_url: text },
    { instance_url: `https://${encodeURIComponent(text)}.example` },
    { id: text },
    { error: text, error_description: text },
  ]) {
    const gate = await startHostileServer((request) => grant(request, change));
    const session = createSession(crmOptions(gate.url, { organizationId: '00D000000000009EAA' }));
    const result = await failed(session.request({ method: 'GET', path: '/limits' }, { operation: 'limits' }));
    expect(result).toBeInstanceOf(Error);
    expect(traces(result)).not.toMatch(SEEN);
    await session.close();
    await gate.close();
  }
});
