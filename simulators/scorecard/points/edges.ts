import assert from 'node:assert/strict';
import { answers, type OrgUnderTest, type Point, records, refuses } from './point.ts';

const SOQL = 'SOQL and SOSL Reference';
const DAY_MS = 86_400_000;

/** Where queries end: what cannot be paged, written or kept. */
export const EDGE_POINTS: readonly Point[] = [
  {
    claim: 'Groups come in one page: more than 2,000 of them are EXCEEDED_ID_LIMIT.',
    source: `${SOQL}, "GROUP BY" considerations; its words as published`,
    sure: 'published',
    holds: async (org) => {
      await makeMany(org, 2001);
      const soql = 'SELECT Name, COUNT(Id) FROM Product2 GROUP BY Name';
      const words = 'Aggregate query does not support queryMore(), use LIMIT to restrict the results to a single batch';
      refuses(await org.query(soql), 400, 'EXCEEDED_ID_LIMIT', words);
      assert.equal(records(await org.query(`${soql} LIMIT 2000`)).length, 2000);
    },
  },
  {
    claim: 'With OFFSET there is one page and no more.',
    source: `${SOQL}, "OFFSET": considerations`,
    sure: 'documented',
    holds: async (org) => {
      await makeMany(org, 2001);
      answers(await org.query('SELECT Id FROM Product2'), 200, { totalSize: 2001, done: false });
      const cut = await org.query('SELECT Id FROM Product2 OFFSET 0');
      answers(cut, 200, { totalSize: 2000, done: true });
      assert.equal(records(cut).length, 2000);
    },
  },
  {
    claim: 'A sub-query takes OFFSET only where its parent has LIMIT 1.',
    source: `${SOQL}, "OFFSET": considerations`,
    sure: 'documented',
    holds: async (org) => {
      const soql = 'SELECT Id, (SELECT Id FROM Contacts LIMIT 5 OFFSET 1) FROM Account';
      refuses(await org.query(soql), 400, 'MALFORMED_QUERY');
      answers(await org.query(`${soql} LIMIT 1`), 200);
    },
  },
  {
    claim: 'A list of children that is longer than a page goes on at an address of its own.',
    source: `SOAP API Developer Guide, "queryMore()": results of child queries; REST API Developer Guide, "Query"`,
    sure: 'documented',
    holds: async (org) => {
      const AccountId = await org.make('Account', { Name: 'A' });
      const contacts = Array.from({ length: 200 }, (_, place) => ({
        attributes: { type: 'Contact' },
        ...{ LastName: `Contact ${place}`, AccountId },
      }));
      answers(await org.call('POST', '/composite/sobjects', { records: contacts }), 200);
      await org.make('Contact', { LastName: 'Last', AccountId });
      const path = `/query?q=${encodeURIComponent('SELECT Id, (SELECT LastName FROM Contacts) FROM Account')}`;
      const asked = await org.call('GET', path, undefined, { 'sforce-query-options': 'batchSize=200' });
      const [account = {}] = records(asked);
      assert.partialDeepStrictEqual(account, { Contacts: { totalSize: 201, done: false } });
      const { nextRecordsUrl } = account['Contacts'] as { nextRecordsUrl: string };
      assert.equal(records(await org.call('GET', nextRecordsUrl)).length, 1);
    },
  },
  {
    claim: 'Child rows count toward the size of a page.',
    source: 'REST API Developer Guide, "Query Options Header"',
    sure: 'documented',
    holds: async (org) => {
      for (const Name of ['A', 'B', 'C']) {
        const AccountId = await org.make('Account', { Name });
        const contacts = Array.from({ length: 80 }, (_, place) => ({
          attributes: { type: 'Contact' },
          ...{ LastName: `Contact ${place}`, AccountId },
        }));
        answers(await org.call('POST', '/composite/sobjects', { records: contacts }), 200);
      }
      const path = `/query?q=${encodeURIComponent('SELECT Id, (SELECT LastName FROM Contacts) FROM Account')}`;
      const asked = await org.call('GET', path, undefined, { 'sforce-query-options': 'batchSize=200' });
      assert.partialDeepStrictEqual(asked.body, { totalSize: 3, done: false });
      assert.equal(records(asked).length, 2);
      const { nextRecordsUrl } = asked.body as { nextRecordsUrl: string };
      assert.equal(records(await org.call('GET', nextRecordsUrl)).length, 1);
    },
  },
  {
    claim: 'A locator leads to its rows for two days.',
    source: 'Salesforce Help, "INVALID_QUERY_LOCATOR"',
    sure: 'documented',
    holds: async (org) => {
      await makeMany(org, 201);
      const small = { 'sforce-query-options': 'batchSize=200' };
      const { body } = await org.call('GET', '/query?q=SELECT+Id+FROM+Product2', undefined, small);
      const { nextRecordsUrl: next } = body as { nextRecordsUrl: string };
      await org.pass(2 * DAY_MS - 60_000);
      const { accessToken } = org.user;
      const headers = { authorization: `Bearer ${accessToken}` };
      answers(await org.call('GET', next, undefined, headers), 200, { done: true });
      await org.pass(120_000);
      refuses(await org.call('GET', next, undefined, headers), 400, 'INVALID_QUERY_LOCATOR');
    },
  },
  {
    claim: 'ALL ROWS is a word of Apex: queryAll finds what was deleted.',
    source:
      'Apex Developer Guide, "Querying All Records with a SOQL Statement"; nothing was found on the words of the refusal',
    sure: 'assumed',
    holds: async (org) => {
      refuses(await org.query('SELECT Id FROM Account ALL ROWS'), 400, 'MALFORMED_QUERY');
      answers(await org.call('GET', '/queryAll?q=SELECT+Id+FROM+Account'), 200);
    },
  },
  {
    claim: 'An alias stands once in a query.',
    source: 'Published answers: "duplicate alias"',
    sure: 'published',
    holds: async (org) => {
      const soql = 'SELECT COUNT(Id) n, MIN(Name) n FROM Account';
      refuses(await org.query(soql), 400, 'MALFORMED_QUERY', 'duplicate alias: n');
    },
  },
  {
    claim: 'A backslash stands only before what it escapes.',
    source: `${SOQL}, "Quoted String Escape Sequences"; nothing was found on the words of the refusal`,
    sure: 'documented',
    holds: async (org) => {
      await org.make('Account', { Name: "O'Neil" });
      const found = (text: string) => org.query(`SELECT Name FROM Account WHERE Name = '${text}'`);
      assert.equal(records(await found("O\\'Neil")).length, 1);
      assert.equal(records(await found('O\\u0027Neil')).length, 1);
      refuses(await found('O\\xNeil'), 400, 'MALFORMED_QUERY');
      refuses(await org.query("SELECT Id FROM Account WHERE Name LIKE 'O\\x%'"), 400, 'MALFORMED_QUERY');
    },
  },
  {
    claim: 'A tree is five levels deep at most.',
    source: 'REST API Developer Guide, "sObject Tree"; nothing was found on the words of the refusal',
    sure: 'documented',
    holds: async (org) => {
      const level = (left: number): object => ({
        records: [
          {
            attributes: { type: 'Account', referenceId: `level${left}` },
            Name: `Level ${left}`,
            ...(left > 1 && { ChildAccounts: level(left - 1) }),
          },
        ],
      });
      answers(await org.call('POST', '/composite/tree/Account', level(6)), 400);
      assert.equal(records(await org.query('SELECT Id FROM Account')).length, 0);
      answers(await org.call('POST', '/composite/tree/Account', level(5)), 201);
    },
  },
];

async function makeMany(org: OrgUnderTest, count: number): Promise<void> {
  for (let made = 0; made < count; made += 200) {
    const rows = Array.from({ length: Math.min(200, count - made) }, (_, place) => ({
      attributes: { type: 'Product2' },
      Name: `Product ${made + place}`,
    }));
    answers(await org.call('POST', '/composite/sobjects', { records: rows }), 200);
  }
}
