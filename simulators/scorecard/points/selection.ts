import assert from 'node:assert/strict';
import { answers, DEAL, messageOf, type Point, records, refuses } from './point.ts';

const SOQL = 'SOQL and SOSL Reference';

/** Which fields and which rows a query is about. */
export const SELECTION_POINTS: readonly Point[] = [
  {
    claim: 'FIELDS(STANDARD) stands alone; FIELDS(ALL) and FIELDS(CUSTOM) need a LIMIT of 200 at most.',
    source: `${SOQL}, "SELECT": FIELDS()`,
    sure: 'documented',
    holds: async (org) => {
      await org.make('Account', { Name: 'A' });
      assert.equal(records(await org.query('SELECT FIELDS(STANDARD) FROM Account'))[0]?.['Name'], 'A');
      for (const kind of ['ALL', 'CUSTOM']) {
        refuses(await org.query(`SELECT FIELDS(${kind}) FROM Account LIMIT 201`), 400, 'MALFORMED_QUERY');
        answers(await org.query(`SELECT FIELDS(${kind}) FROM Account LIMIT 200`), 200, { totalSize: 1 });
      }
    },
  },
  {
    claim: 'A semi-join finds rows by ids of others, an anti-join those without.',
    source: `${SOQL}, "Comparison Operators": semi-joins with IN, anti-joins with NOT IN`,
    sure: 'documented',
    holds: async (org) => {
      const AccountId = await org.make('Account', { Name: 'A' });
      await org.make('Account', { Name: 'B' });
      await org.make('Opportunity', { ...DEAL, AccountId });
      for (const [operator, name] of [
        ['IN', 'A'],
        ['NOT IN', 'B'],
      ]) {
        const soql = `SELECT Name FROM Account WHERE Id ${operator} (SELECT AccountId FROM Opportunity)`;
        assert.deepEqual(records(await org.query(soql)), [{ Name: name }]);
      }
    },
  },
  {
    claim: 'A semi-join compares ids of one object, of another one, two at most, beside AND alone.',
    source: `${SOQL}, "Comparison Operators"; the words of the refusals as published`,
    sure: 'documented',
    holds: async (org) => {
      const deals = '(SELECT AccountId FROM Opportunity)';
      const wrong: readonly (readonly [where: string, words: string])[] = [
        [`Id IN ${deals} OR Name = 'A'`, "Semi join sub-selects are not allowed with the 'OR' operator"],
        [`Name = 'A' AND (Name = 'B' OR Id IN ${deals})`, 'Semi join sub-selects are only allowed at the top level'],
        [`Id IN (SELECT Name FROM Opportunity)`, 'Semi join sub-selects can only query id fields'],
        [`Name IN ${deals}`, 'The left operand field in the where expression'],
        [`Id IN (SELECT Id FROM Account)`, 'The inner and outer selects should not be on the same object type'],
        [`OwnerId IN ${deals}`, "The selected field 'AccountId' in the subquery"],
        [`Id IN (SELECT AccountId FROM Opportunity LIMIT 1)`, 'LIMIT'],
        [Array(3).fill(`Id IN ${deals}`).join(' AND '), 'Maximum 2 semi join sub-selects are allowed'],
      ];
      for (const [where, words] of wrong) {
        const refused = await org.query(`SELECT Id FROM Account WHERE ${where}`);
        refuses(refused, 400, 'MALFORMED_QUERY');
        assert.ok(messageOf(refused).includes(words), `${where}: ${messageOf(refused)}`);
      }
    },
  },
  {
    claim: 'A query USING SCOPE mine finds what its user owns.',
    source: `${SOQL}, "USING SCOPE"`,
    sure: 'documented',
    holds: async (org) => {
      await org.make('Account', { Name: 'A' });
      const find = (scope: string, headers?: Readonly<Record<string, string>>) =>
        org.call('GET', `/query?q=${encodeURIComponent(`SELECT Name FROM Account ${scope}`)}`, undefined, headers);
      const others = { authorization: `Bearer ${org.integration.accessToken}` };
      assert.equal(records(await find('USING SCOPE mine')).length, 1);
      assert.equal(records(await find('USING SCOPE mine', others)).length, 0);
      assert.equal(records(await find('USING SCOPE everything', others)).length, 1);
    },
  },
  {
    claim: 'Without a query string there is no query.',
    source: 'Published answers: "A query string has to be specified"',
    sure: 'published',
    holds: async (org) => {
      const words = 'A query string has to be specified';
      refuses(await org.call('GET', '/query'), 400, 'MALFORMED_QUERY', words);
    },
  },
  {
    claim: 'LIKE knows % and _, and a quote is escaped.',
    source: `${SOQL}, "Comparison Operators": LIKE; "Quoted String Escape Sequences"`,
    sure: 'documented',
    holds: async (org) => {
      for (const Name of ["O'Neil", 'Acme', 'A%e']) await org.make('Account', { Name });
      const names = async (where: string) =>
        records(await org.query(`SELECT Name FROM Account WHERE ${where}`)).map(({ Name }) => Name);
      assert.deepEqual(await names("Name LIKE 'a_m%'"), ['Acme']);
      assert.deepEqual(await names("Name LIKE 'A\\%e'"), ['A%e']);
      assert.deepEqual(await names("Name = 'O\\'Neil'"), ["O'Neil"]);
    },
  },
  {
    claim: 'INCLUDES finds any of its groups whole, EXCLUDES those with none.',
    source: `${SOQL}, "Query Multi-Select Picklists"`,
    sure: 'documented',
    holds: async (org) => {
      const wins = ['STRNG_VAL_PROP', 'STRNG_VAL_PROP;PRICE', 'PRICE'];
      for (const [i, won] of wins.entries()) {
        await org.make('Opportunity', { ...DEAL, Name: `D${i}`, Vendor_Reasons_Won__c: won });
      }
      const names = async (where: string) =>
        records(await org.query(`SELECT Name FROM Opportunity WHERE Vendor_Reasons_Won__c ${where} ORDER BY Name`)).map(
          ({ Name }) => Name,
        );
      assert.deepEqual(await names("INCLUDES ('STRNG_VAL_PROP;PRICE')"), ['D1']);
      assert.deepEqual(await names("INCLUDES ('STRNG_VAL_PROP','PRICE')"), ['D0', 'D1', 'D2']);
      assert.deepEqual(await names("EXCLUDES ('PRICE')"), ['D0']);
    },
  },
  {
    claim: 'A list of children has its own order and limit for each parent.',
    source: `${SOQL}, "Relationship Queries": ORDER BY and LIMIT in a sub-query`,
    sure: 'documented',
    holds: async (org) => {
      for (const Name of ['A', 'B']) {
        const AccountId = await org.make('Account', { Name });
        for (const deal of ['1', '2']) await org.make('Opportunity', { ...DEAL, Name: Name + deal, AccountId });
      }
      const inner = '(SELECT Name FROM Opportunities ORDER BY Name DESC LIMIT 1)';
      const found = records(await org.query(`SELECT Name, ${inner} FROM Account ORDER BY Name`));
      assert.partialDeepStrictEqual(found, [
        { Opportunities: { totalSize: 1, records: [{ Name: 'A2' }] } },
        { Opportunities: { totalSize: 1, records: [{ Name: 'B2' }] } },
      ]);
    },
  },
];
