import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { classifyAnswer } from '../../src/salesforce/classify.ts';
import { createCrm } from '../../src/salesforce/create-crm.ts';
import { CRM_STREAMS, type Crm } from '../../src/salesforce/crm.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import { allPages, queryRows } from '../../src/salesforce/query.ts';
import { QueryPages } from '../../src/salesforce/query-pages.ts';
import { createSession } from '../../src/salesforce/session.ts';
import { crmOptions, startHostileSalesforce } from '../support/hostile/hostile-salesforce.ts';
import type { HostileServer } from '../support/hostile/hostile-server.ts';

/**
 * An answer that is no answer says nothing: not that a record is gone, not that there are none, not that a write was
 * taken. Each is an error that workflows know, and no crash.
 */

const ID = '006000000000001AAA';
const OTHER = '006000000000002AAA';
const STAMP = '2026-03-01T10:00:00.000+0000';
const ROW = { Id: ID, IsDeleted: false, Vendor_Share__c: true, Vendor_Id__c: null, SystemModstamp: STAMP };

let org: HostileServer;
let body = '';
let crm: Crm;

beforeAll(async () => {
  org = await startHostileSalesforce(() => ({ body }));
  crm = createCrm(crmOptions(org.url));
});
afterAll(async () => {
  await crm.close();
  await org.close();
});

const rows = (...records: readonly unknown[]) => ({ totalSize: records.length, done: true, records });
const { Id: _id, ...withoutId } = ROW;
const { IsDeleted: _deleted, ...withoutDeleted } = ROW;
const { Vendor_Share__c: _shared, ...withoutShared } = ROW;
const { SystemModstamp: _stamp, ...withoutStamp } = ROW;

const NO_ANSWERS: readonly (readonly [string, unknown])[] = [
  ['null', null],
  ['a number', 0],
  ['a text', 'x'],
  ['a list', []],
  ['a list of errors with status 200', [{ errorCode: 'NOT_FOUND', message: 'x' }]],
  ['an object', {}],
  ['rows that are no list', { totalSize: 0, done: true, records: {} }],
  ['rows that are null', { totalSize: 0, done: true, records: null }],
  ['no rows and no count', { done: true, records: [] }],
  ['no rows and no end', { totalSize: 0, records: [] }],
  ['a count that is a text', { totalSize: '0', done: true, records: [] }],
  ['a count that is negative', { totalSize: -1, done: true, records: [] }],
  ['fewer rows than counted', { totalSize: 3, done: true, records: [] }],
  ['a row that is null', rows(null)],
  ['a row that is a list', rows([])],
  ['parts that are null', { compositeResponse: null }],
  ['no parts', { compositeResponse: [] }],
  ['a part that is null', { compositeResponse: [null] }],
  ['a part of nothing', { compositeResponse: [{}] }],
  ['too many parts', { compositeResponse: Array.from({ length: 30 }, () => ({ httpStatusCode: 200 })) }],
  ['a status of none', { compositeResponse: [{ referenceId: 'opportunity0', httpStatusCode: 0, body: null }] }],
  ['a status that is a text', { compositeResponse: [{ referenceId: 'sync', httpStatusCode: '200', body: [] }] }],
  ['another part', { compositeResponse: [{ referenceId: 'x', httpStatusCode: 204, body: null }] }],
  ['a written row that is null', { compositeResponse: [{ referenceId: 'sync', httpStatusCode: 200, body: [null] }] }],
  [
    'a written row that tells nothing',
    { compositeResponse: [{ referenceId: 'sync', httpStatusCode: 200, body: [{}] }] },
  ],
  ['a name of ours', { __proto__: null, constructor: 1, toString: 1 }],
];

/** Rows that a query for one opportunity may not be answered with. */
const NO_DEALS: readonly (readonly [string, unknown])[] = [
  ['nothing', rows({})],
  ['no id', rows(withoutId)],
  ['an id that is a number', rows({ ...ROW, Id: 7 })],
  ['an id of ten thousand characters', rows({ ...ROW, Id: '0'.repeat(10_000) })],
  ['the id of another deal', rows({ ...ROW, Id: OTHER })],
  ['no word of its deletion', rows(withoutDeleted)],
  ['a deletion that is a text', rows({ ...ROW, IsDeleted: 'false' })],
  ['no word of its sharing', rows(withoutShared)],
  ['a sharing that is null', rows({ ...ROW, Vendor_Share__c: null })],
  ['no stamp', rows(withoutStamp)],
  ['a stamp that is no time', rows({ ...ROW, SystemModstamp: 'yesterday' })],
  ['a stamp that is a number', rows({ ...ROW, SystemModstamp: 1e300 })],
  ['lines that are a text', rows({ ...ROW, OpportunityLineItems: { records: 'x' } })],
  ['a line that is null', rows({ ...ROW, OpportunityLineItems: rows(null) })],
];

const write = {
  opportunityId: ID,
  ifUnmodifiedSince: '2026-03-01T10:00:00.000Z',
  opportunity: { Name: 'x' },
  lines: { create: [], update: [], delete: [] },
  account: null,
};
const create = {
  vendorId: 'DS-1',
  opportunity: { Name: 'x' },
  account: { Name: 'y' },
  lines: [],
  contacts: [],
};
const READ = { readAt: '2026-03-01T10:01:00.000Z' };
const OPERATIONS: Readonly<Record<string, () => Promise<unknown>>> = {
  readGraph: () => crm.readGraph(ID),
  applyWrite: () => crm.applyWrite(write, READ),
  'applyWrite of lines': () =>
    crm.applyWrite({ ...write, lines: { ...write.lines, delete: ['00k000000000001AAA'] } }, READ),
  createFromVendor: () => crm.createFromVendor(create),
  report: () => crm.report({ opportunityId: ID, opportunity: { Vendor_Id__c: 'DS-1' }, sync: { Message__c: 'x' } }),
  upsertRows: () => crm.upsertRows('Product2', 'Vendor_Offer_Id__c', [{ Vendor_Offer_Id__c: 'A' }]),
  knownOffers: () => crm.knownOffers(['A']),
  findCandidates: () => crm.findCandidates([[{ field: 'Name', value: 'x' }]]),
  limits: () => crm.limits(['Opportunity']),
  probe: () => crm.probe(),
  changesTogether: async () => {
    const position = { systemModstamp: '2026-03-01T00:00:00.000Z', id: '' };
    const asks = CRM_STREAMS.map((stream) => ({ stream, position }));
    const { pages, hasRequests } = await crm.changesTogether(asks, 10);
    return Promise.all([hasRequests(), ...pages.map((page) => page())]);
  },
  ...Object.fromEntries(
    CRM_STREAMS.map((stream) => [
      `changesAfter of ${stream}`,
      () => crm.changesAfter(stream, { systemModstamp: '2026-03-01T00:00:00.000Z', id: '' }, 10),
    ]),
  ),
};

async function outcome(operation: () => Promise<unknown>, answer: unknown): Promise<unknown> {
  body = typeof answer === 'string' ? answer : JSON.stringify(answer);
  return operation().catch((error: unknown) => error);
}

describe.each(Object.entries(OPERATIONS))('%s', (_, operation) => {
  test.each([...NO_ANSWERS, ['HTML', '<html>busy</html>'], ['nothing', '']] as const)(
    'answered %s',
    async (_what, answer) => {
      const result = await outcome(operation, answer);
      expect(result).toBeInstanceOf(CrmError);
      expect(['transient', 'permanent']).toContain((result as CrmError).kind);
    },
  );
});

describe('a deal', () => {
  test.each(NO_DEALS)('with %s is not taken for gone', async (_, answer) => {
    for (const operation of [OPERATIONS['readGraph'], OPERATIONS['applyWrite of lines']]) {
      const result = await outcome(operation ?? expect.unreachable, answer);
      expect(result).toBeInstanceOf(CrmError);
      if (operation === OPERATIONS['readGraph']) expect(result).toMatchObject({ code: 'MALFORMED_ANSWER' });
    }
  });

  test('is gone where a whole answer says so', async () => {
    expect(await outcome(() => crm.readGraph(ID), rows())).toBeNull();
  });
});

describe('an answer that is larger than any', () => {
  /** The answer to the describe, and to each later request for the values of a record type. */
  const described = (count: number) => {
    const recordTypeInfos = Array.from({ length: count }, (_, n) => ({
      ...{ developerName: `T${n}`, recordTypeId: `012${n}`, master: false, active: true, available: true },
    }));
    const part = { referenceId: 'describe0', httpStatusCode: 200, body: { fields: [], recordTypeInfos } };
    return { compositeResponse: [part], picklistFieldValues: {} };
  };

  test.each([20, 30_000])('asks for each of %i record types in turn, or for none', async (count) => {
    body = JSON.stringify(described(count));
    const before = org.requests.length;
    const asked = crm.schema(['Opportunity']);
    if (count < 100) await asked;
    else await expect(asked).rejects.toMatchObject({ code: 'MALFORMED_ANSWER' });
    expect(org.requests.length - before).toBe(count < 100 ? count + 1 : 1);
  });

  test('has more rows than a call takes arguments', async () => {
    const records = Array.from({ length: 140_000 }, () => ({}));
    body = JSON.stringify({ totalSize: 20_000, done: false, nextRecordsUrl: '/services/data/x', records });
    const session = createSession(crmOptions(org.url));
    const pages = async () => queryRows(session, 'select Id from X', { operation: 'query' });
    await expect(pages()).rejects.toMatchObject({ name: 'CrmError' });
    const many = { totalSize: 1, done: false, nextRecordsUrl: '/services/data/x', records: [{}] };
    const next = { totalSize: 1, done: true, records };
    const first = await allPages(
      { ...session, request: async () => ({ body: next, date: null, userId: null }) },
      many,
      { operation: 'query' },
      new QueryPages(),
    );
    expect(first).toHaveLength(140_001);
    await session.close();
  });
});

test.each(['constructor', 'toString', 'valueOf'])('an error called %s has a sentence as any other', (code) => {
  const error = classifyAnswer(400, [{ errorCode: code, fields: ['__proto__', 'constructor'] }]);
  expect(error.message).toMatch(/: Nothing documents what this answer means/);
  expect(error.message).not.toContain('native');
});

test('of many errors, and of a long text, a part is read', () => {
  const text = `${'x'.repeat(1_000_000)} Too many SOQL queries`;
  const many = Array.from({ length: 100_000 }, () => ({ errorCode: 'CANNOT_EXECUTE_FLOW_TRIGGER', message: text }));
  const startedMs = performance.now();
  expect(classifyAnswer(400, many)).toMatchObject({ code: 'CANNOT_EXECUTE_FLOW_TRIGGER' });
  expect(performance.now() - startedMs).toBeLessThan(1_000);
});
