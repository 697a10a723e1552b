import assert from 'node:assert/strict';
import { answers, DEAL, messageOf, type OrgUnderTest, type Point, records, refuses } from './point.ts';

const REST = 'REST API Developer Guide';
const SOQL = 'SOQL and SOSL Reference';

async function makeAccounts(org: OrgUnderTest, count: number): Promise<void> {
  for (let from = 0; from < count; from += 200) {
    const size = Math.min(200, count - from);
    const rows = Array.from({ length: size }, (_, i) => ({
      attributes: { type: 'Account' },
      Name: `A ${String(from + i).padStart(5, '0')}`,
    }));
    answers(await org.call('POST', '/composite/sobjects', { allOrNone: true, records: rows }), 200);
  }
}

/** Queries: what they find, how they page, and how they are refused. */
export const SOQL_POINTS: readonly Point[] = [
  {
    claim: 'A query answers totalSize, done, and records with their type and address.',
    source: `${REST}, "Query"`,
    sure: 'documented',
    holds: async (org) => {
      const id = await org.make('Account', { Name: 'A' });
      answers(await org.query('SELECT Name FROM Account'), 200, {
        totalSize: 1,
        done: true,
        records: [{ attributes: { type: 'Account', url: `/services/data/v67.0/sobjects/Account/${id}` }, Name: 'A' }],
      });
    },
  },
  {
    claim: 'More than 2,000 rows come in pages; a locator goes on where the page ended.',
    source: `${REST}, "Query More Results"`,
    sure: 'documented',
    holds: async (org) => {
      await makeAccounts(org, 2100);
      for (const resource of ['query', 'queryAll']) {
        const first = await org.call('GET', `/${resource}?q=SELECT+Id+FROM+Account`);
        answers(first, 200, { totalSize: 2100, done: false });
        const { nextRecordsUrl } = first.body as { nextRecordsUrl: string };
        const locator = nextRecordsUrl.split('/').at(-1);
        const second = await org.call('GET', `/${resource}/${locator}`);
        answers(second, 200, { done: true, totalSize: 2100 });
        assert.equal((second.body as { records: unknown[] }).records.length, 100);
      }
    },
  },
  {
    claim: 'Sforce-Query-Options asks for smaller pages, of 200 rows at least.',
    source: `${REST}, "Query Options Header"`,
    sure: 'documented',
    holds: async (org) => {
      await makeAccounts(org, 250);
      const headers = { 'sforce-query-options': 'batchSize=10' };
      const { body } = await org.call('GET', '/query?q=SELECT+Id+FROM+Account', undefined, headers);
      assert.equal((body as { records: unknown[] }).records.length, 200);
    },
  },
  {
    claim: 'Texts compare without case; ids and case-sensitive external ids with it.',
    source: `${SOQL}, "Comparison Operators"`,
    sure: 'documented',
    holds: async (org) => {
      await org.make('Opportunity', { ...DEAL, Vendor_Id__c: 'Case1' });
      const count = async (where: string) =>
        records(await org.query(`SELECT Id FROM Opportunity WHERE ${where}`)).length;
      assert.deepEqual(
        [await count("Name = 'DEAL'"), await count("Vendor_Id__c = 'Case1'"), await count("Vendor_Id__c = 'case1'")],
        [1, 1, 0],
      );
    },
  },
  {
    claim: 'Nulls come first in either direction, unless the query says NULLS LAST.',
    source: `${SOQL}, "ORDER BY"`,
    sure: 'documented',
    holds: async (org) => {
      for (const NextStep of ['b', null, 'a']) await org.make('Opportunity', { ...DEAL, NextStep });
      const order = async (by: string) =>
        records(await org.query(`SELECT NextStep FROM Opportunity ORDER BY NextStep ${by}`)).map(
          (row) => row['NextStep'],
        );
      assert.deepEqual(await order('ASC'), [null, 'a', 'b']);
      assert.deepEqual(await order('DESC NULLS LAST'), ['b', 'a', null]);
    },
  },
  {
    claim: 'Parents are walked with dots, children listed by a sub-query that is null where there are none.',
    source: `${SOQL}, "Relationship Queries"`,
    sure: 'documented',
    holds: async (org) => {
      const AccountId = await org.make('Account', { Name: 'A' });
      await org.make('Opportunity', { ...DEAL, AccountId });
      const up = await org.query('SELECT Account.Name FROM Opportunity');
      answers(up, 200, { records: [{ Account: { Name: 'A' } }] });
      const down = await org.query('SELECT (SELECT Name FROM Opportunities), (SELECT Id FROM Contacts) FROM Account');
      answers(down, 200, {
        records: [{ Opportunities: { totalSize: 1, done: true, records: [{ Name: 'Deal' }] }, Contacts: null }],
      });
    },
  },
  {
    claim: 'COUNT() answers a size without records; groups are AggregateResults with expr0 where no alias stands.',
    source: `${SOQL}, "COUNT() and COUNT(fieldName)", "Using Aliases with GROUP BY"`,
    sure: 'documented',
    holds: async (org) => {
      await org.make('Opportunity', { ...DEAL, Amount: 2 });
      await org.make('Opportunity', { ...DEAL, Amount: 3 });
      answers(await org.query('SELECT COUNT() FROM Opportunity'), 200, { totalSize: 2, records: [] });
      answers(await org.query('SELECT StageName, SUM(Amount) FROM Opportunity GROUP BY StageName'), 200, {
        records: [{ attributes: { type: 'AggregateResult' }, StageName: 'Prospecting', expr0: 5 }],
      });
    },
  },
  {
    claim: 'Amounts and date-times cannot be grouped by, nor texts added up.',
    source: `${SOQL}, "Considerations for GROUP BY", "Support for Field Types in Aggregate Functions"; published answers`,
    sure: 'documented',
    holds: async (org) => {
      for (const name of ['Amount', 'CreatedDate']) {
        const answer = await org.query(`SELECT ${name} FROM Opportunity GROUP BY ${name}`);
        assert.equal(answer.status, 400);
        assert.match(messageOf(answer), new RegExp(`field '${name}' can not be grouped in a query call`));
      }
      const message = 'field Name does not support aggregate operator SUM';
      refuses(await org.query('SELECT SUM(Name) FROM Account'), 400, 'MALFORMED_QUERY', message);
    },
  },
  {
    claim: 'An aggregate of all rows takes no LIMIT.',
    source: `${SOQL}, "Considerations for GROUP BY"; message as published`,
    sure: 'documented',
    holds: async (org) => {
      const message = 'Non-grouped query that uses overall aggregate functions cannot also use LIMIT';
      const soql = 'SELECT MAX(CreatedDate) FROM Account LIMIT 1';
      refuses(await org.query(soql), 400, 'MALFORMED_QUERY', message);
    },
  },
  {
    claim: 'AND and OR are not mixed without parentheses.',
    source: `${SOQL}, "Logical Operators"; the words as published of other words out of place`,
    sure: 'documented',
    holds: async (org) => {
      const soql = "SELECT Id FROM Account WHERE Name = 'a' AND Name = 'b' OR Name = 'c'";
      const refused = await org.query(soql);
      refuses(refused, 400, 'MALFORMED_QUERY');
      assert.match(messageOf(refused), /\^\nERROR at Row:1:Column:55\nunexpected token: 'OR'$/);
    },
  },
  {
    claim: 'OFFSET ends at 2,000.',
    source: `${SOQL}, "OFFSET"`,
    sure: 'documented',
    holds: async (org) => {
      answers(await org.query('SELECT Id FROM Account OFFSET 2000'), 200);
      refuses(await org.query('SELECT Id FROM Account OFFSET 2001'), 400, 'NUMBER_OUTSIDE_VALID_RANGE');
    },
  },
  {
    claim: 'Long text areas cannot be filtered.',
    source: `${SOQL}, "Comparison Operators"; published answers`,
    sure: 'published',
    holds: async (org) => {
      const refused = await org.query("SELECT Id FROM Account WHERE Description = 'x'");
      refuses(refused, 400, 'INVALID_FIELD');
      assert.match(messageOf(refused), /field 'Description' can not be filtered in a query call$/);
    },
  },
  {
    claim: 'A date in quotes is INVALID_FIELD.',
    source: 'Published answers: "value of filter criterion for field …"',
    sure: 'published',
    holds: async (org) => {
      const refused = await org.query("SELECT Id FROM Opportunity WHERE CloseDate > '2027-01-01'");
      refuses(refused, 400, 'INVALID_FIELD');
      assert.match(messageOf(refused), /must be of type date and should not be enclosed in quotes$/);
    },
  },
  {
    claim: 'An unknown field is shown with the words around it, a caret, its row and its column.',
    source: 'Published answers of REST and SOAP clients: "ERROR at Row:1:Column:8"',
    sure: 'published',
    holds: async (org) => {
      const refused = await org.query('SELECT Bacon__c FROM Account LIMIT 2');
      refuses(refused, 400, 'INVALID_FIELD');
      const shown = '\nSELECT Bacon__c FROM Account LIMIT 2\n       ^\nERROR at Row:1:Column:8\nNo such column';
      assert.ok(messageOf(refused).startsWith(shown), messageOf(refused));
    },
  },
  {
    claim: 'A word out of place is an unexpected token; its column counts from 0.',
    source: 'Published answers: "unexpected token: \'From\'"',
    sure: 'published',
    holds: async (org) => {
      const refused = await org.query('SELECT Id, FROM Account');
      const shown = "\nSELECT Id, FROM Account\n          ^\nERROR at Row:1:Column:11\nunexpected token: 'FROM'";
      refuses(refused, 400, 'MALFORMED_QUERY', shown);
    },
  },
  {
    claim: 'An unknown object is INVALID_TYPE.',
    source: `${REST}, "Status Codes and Error Responses"; published answers`,
    sure: 'published',
    holds: async (org) => refuses(await org.query('SELECT Id FROM Contact123'), 400, 'INVALID_TYPE'),
  },
  {
    claim: 'explain answers a plan: by index where an indexed field is filtered.',
    source: `${REST}, "Get Feedback on Query Performance"`,
    sure: 'documented',
    holds: async (org) => {
      const soql = encodeURIComponent("SELECT Id FROM Account WHERE Name = 'A'");
      answers(await org.call('GET', `/query?explain=${soql}`), 200, {
        plans: [{ leadingOperationType: 'Index', sobjectType: 'Account' }],
      });
    },
  },
  {
    claim: 'A search finds words in any case, and answers type and fields of each row.',
    source: `${REST}, "Search"; ${SOQL}, "FIND {SearchQuery}"`,
    sure: 'documented',
    holds: async (org) => {
      await org.make('Account', { Name: 'Northwind Turbines' });
      const sosl = encodeURIComponent('FIND {turbines} IN NAME FIELDS RETURNING Account(Name)');
      answers(await org.call('GET', `/search?q=${sosl}`), 200, {
        searchRecords: [{ attributes: { type: 'Account' }, Name: 'Northwind Turbines' }],
      });
    },
  },
  {
    claim: 'TYPEOF answers the fields of the object that a lookup leads to; null where no WHEN is of it.',
    source: `${SOQL}, "TYPEOF"`,
    sure: 'documented',
    holds: async (org) => {
      const WhatId = await org.make('Account', { Name: 'A', BillingCity: 'Delft' });
      await org.make('Task', { Subject: 'X', WhatId });
      const typeofWhat = (when: string) => org.query(`SELECT TYPEOF What ${when} END FROM Task`);
      assert.partialDeepStrictEqual(records(await typeofWhat('WHEN Account THEN BillingCity')), [
        { What: { attributes: { type: 'Account' }, BillingCity: 'Delft' } },
      ]);
      assert.deepEqual(records(await typeofWhat('WHEN Opportunity THEN Amount')), [{ What: null }]);
    },
  },
  {
    claim: 'GROUP BY ROLLUP adds up over groups; GROUPING marks those rows with 1.',
    source: `${SOQL}, "GROUP BY ROLLUP", "GROUP BY CUBE"`,
    sure: 'documented',
    holds: async (org) => {
      for (const StageName of ['Prospecting', 'Qualification']) {
        await org.make('Opportunity', { ...DEAL, StageName, Amount: 5 });
      }
      const soql = 'SELECT StageName, GROUPING(StageName) g, SUM(Amount) s FROM Opportunity GROUP BY';
      for (const kind of ['ROLLUP', 'CUBE']) {
        assert.deepEqual(
          records(await org.query(`${soql} ${kind}(StageName) ORDER BY GROUPING(StageName), StageName`)),
          [
            { StageName: 'Prospecting', g: 0, s: 5 },
            { StageName: 'Qualification', g: 0, s: 5 },
            { StageName: null, g: 1, s: 10 },
          ],
        );
      }
    },
  },
  {
    claim: "toLabel answers and compares the label of a picklist's value.",
    source: `${SOQL}, "toLabel()"`,
    sure: 'documented',
    holds: async (org) => {
      await org.make('Opportunity', { ...DEAL, Vendor_Status__c: 'QUALIFIED' });
      const { body } = await org.call('GET', '/sobjects/Opportunity/describe');
      const { fields } = body as {
        fields: { name: string; picklistValues: { value: string; label: string }[] }[];
      };
      const values = fields.find(({ name }) => name === 'Vendor_Status__c')?.picklistValues ?? [];
      const label = values.find(({ value }) => value === 'QUALIFIED')?.label;
      const soql = `SELECT toLabel(Vendor_Status__c) FROM Opportunity WHERE toLabel(Vendor_Status__c) = '${label}'`;
      assert.deepEqual(records(await org.query(soql)), [{ Vendor_Status__c: label }]);
    },
  },
  {
    claim: 'A field is reached over five parents at most.',
    source: `${SOQL}, "Understanding Relationship Query Limitations"; the words that refuse a sixth were not found`,
    sure: 'documented',
    holds: async (org) => {
      const AccountId = await org.make('Account', { Name: 'A' });
      await org.make('Contact', { LastName: 'B', AccountId });
      const path = (parents: number) => ['Account', ...Array(parents - 1).fill('CreatedBy'), 'Id'].join('.');
      answers(await org.query(`SELECT ${path(5)} FROM Contact`), 200, { totalSize: 1 });
      const { status } = await org.query(`SELECT ${path(6)} FROM Contact`);
      assert.equal(status, 400);
    },
  },
  {
    claim:
      'An address is answered whole as an object of its parts, null where all are empty, and is no filter or order.',
    source: `SOAP API Developer Guide, "Compound Field Considerations and Limitations", "Address Compound Fields"`,
    sure: 'documented',
    holds: async (org) => {
      const id = await org.make('Account', {
        Name: 'A',
        BillingCity: 'Delft',
        BillingStreet: 'Oude Delft 1',
      });
      const whole = {
        city: 'Delft',
        street: 'Oude Delft 1',
        state: null,
        geocodeAccuracy: null,
        latitude: null,
      };
      assert.partialDeepStrictEqual(records(await org.query('SELECT BillingAddress, ShippingAddress FROM Account')), [
        { BillingAddress: whole, ShippingAddress: null },
      ]);
      answers(await org.call('GET', `/sobjects/Account/${id}`), 200, {
        BillingAddress: whole,
        ShippingAddress: null,
      });
      const several = await org.call('POST', '/composite/sobjects/Account', {
        ids: [id],
        fields: ['BillingAddress'],
      });
      answers(several, 200, [{ BillingAddress: whole }]);
      for (const clause of ["WHERE BillingAddress = 'x'", 'ORDER BY BillingAddress']) {
        refuses(await org.query(`SELECT Id FROM Account ${clause}`), 400, 'INVALID_FIELD');
      }
      const written = await org.call('PATCH', `/sobjects/Account/${id}`, {
        BillingAddress: { city: 'Gent' },
      });
      refuses(written, 400, 'INVALID_FIELD_FOR_INSERT_UPDATE');
    },
  },
];
