import { beforeAll, describe, expect, it } from 'vitest';
import type { Org } from '../../src/salesforce/org.ts';
import { describeObject } from '../../src/salesforce/schema/describe.ts';
import { runSoql } from '../../src/salesforce/soql/execute.ts';
import { ApiFailure } from '../../src/salesforce/store/failure.ts';
import { make, orgWithData, remove } from '../support/salesforce-simulator.ts';

const NOW = '2026-05-13T10:00:00.000Z';
let org: Org;
let alphaId: string;
let contactId: string;

function query(soql: string, includeDeleted = false) {
  return runSoql(
    { store: org.store, now: new Date(NOW), timeZone: 'UTC', base: '/services/data/v67.0', includeDeleted },
    soql,
  );
}

function names(soql: string): unknown[] {
  return query(soql).records.map((record) => record['Name']);
}

function refusal(soql: string): string {
  try {
    query(soql);
    return 'none';
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    return `${error.status} ${error.errors[0]?.errorCode}`;
  }
}

beforeAll(() => {
  org = orgWithData(NOW);
  const account = make(org, 'Account', { Name: "O'Neil & Söhne", BillingCity: 'Kiel' });
  const contact = make(org, 'Contact', { LastName: 'Lund', AccountId: account['Id'], Email: 'a@b.example' });
  contactId = String(contact['Id']);
  const stage = { StageName: 'Prospecting' };
  const alpha = make(org, 'Opportunity', {
    ...stage,
    Name: 'Alpha 100%',
    AccountId: account['Id'],
    CloseDate: '2026-05-13',
    Amount: 100.5,
    Vendor_Share__c: true,
    Vendor_Competitors__c: 'ACME;BETA',
    Vendor_Id__c: 'Case1',
  });
  alphaId = String(alpha['Id']);
  make(org, 'Opportunity', { ...stage, Name: 'Beta', CloseDate: '2026-05-12', Amount: 20 });
  make(org, 'Opportunity', { ...stage, Name: 'Gamma_x', CloseDate: '2026-06-30', NextStep: 'call' });
  const gone = make(org, 'Opportunity', { ...stage, Name: 'Gone', CloseDate: '2025-01-01' });
  remove(org, String(gone['Id']));
  make(org, 'OpportunityContactRole', { OpportunityId: alphaId, ContactId: contactId, IsPrimary: true });
});

describe('WHERE', () => {
  it.each([
    ["Name = 'beta'", ['Beta']],
    ["Name != 'beta'", ['Alpha 100%', 'Gamma_x']],
    ["NextStep != 'call'", ['Alpha 100%', 'Beta']],
    ['NextStep = null', ['Alpha 100%', 'Beta']],
    ['NextStep != NULL', ['Gamma_x']],
    ["Name LIKE 'al%'", ['Alpha 100%']],
    ["Name LIKE '%100\\%'", ['Alpha 100%']],
    ["Name LIKE 'Gamma\\_x'", ['Gamma_x']],
    ["Name LIKE 'B_ta'", ['Beta']],
    ["NOT Name LIKE 'B%'", ['Alpha 100%', 'Gamma_x']],
    ["Name IN ('beta', 'ALPHA 100%')", ['Alpha 100%', 'Beta']],
    ["Name NOT IN ('beta')", ['Alpha 100%', 'Gamma_x']],
    ['Amount > 20', ['Alpha 100%']],
    ['Amount >= 20 AND Amount <= 100.5', ['Alpha 100%', 'Beta']],
    ['Amount < 1000', ['Alpha 100%', 'Beta']],
    ['Vendor_Share__c = TRUE', ['Alpha 100%']],
    ['Vendor_Share__c != true', ['Beta', 'Gamma_x']],
    ["(Name = 'Beta' OR Name = 'Gamma_x') AND Amount = null", ['Gamma_x']],
    ["NOT (Name = 'Beta' OR Name = 'Gamma_x')", ['Alpha 100%']],
    ["NOT Name = 'Beta' AND NOT Name = 'Gamma_x'", ['Alpha 100%']],
    ["Account.Name = 'O\\'Neil & Söhne'", ['Alpha 100%']],
    ["Account.Owner.LastName = 'Martin'", ['Alpha 100%']],
    ['AccountId = null', ['Beta', 'Gamma_x']],
    ['CloseDate = TODAY', ['Alpha 100%']],
    ['CloseDate < TODAY', ['Beta']],
    ['CloseDate <= TODAY', ['Alpha 100%', 'Beta']],
    ['CloseDate > TODAY', ['Gamma_x']],
    ['CloseDate = YESTERDAY', ['Beta']],
    ['CloseDate = THIS_MONTH', ['Alpha 100%', 'Beta']],
    ['CloseDate = NEXT_MONTH', ['Gamma_x']],
    ['CloseDate = LAST_N_DAYS:1', ['Alpha 100%', 'Beta']],
    ['CloseDate = NEXT_N_MONTHS:2', ['Gamma_x']],
    ['CloseDate = THIS_QUARTER', ['Alpha 100%', 'Beta', 'Gamma_x']],
    ['CloseDate = 2026-06-30', ['Gamma_x']],
    ['CreatedDate = TODAY', ['Alpha 100%', 'Beta', 'Gamma_x']],
    ['SystemModstamp >= 2026-05-13T10:00:00.000Z', ['Alpha 100%', 'Beta', 'Gamma_x']],
    ['SystemModstamp > 2026-05-13T12:00:00.000+02:00', []],
    ['SystemModstamp > 2026-05-13T09:59:59Z', ['Alpha 100%', 'Beta', 'Gamma_x']],
    ["Vendor_Competitors__c INCLUDES ('acme;beta', 'NONE')", ['Alpha 100%']],
    ["Vendor_Competitors__c EXCLUDES ('ACME')", ['Beta', 'Gamma_x']],
    ["Vendor_Id__c = 'Case1'", ['Alpha 100%']],
    ["Vendor_Id__c = 'case1'", []],
    ["Id IN (SELECT OpportunityId FROM OpportunityContactRole WHERE Contact.Email = 'a@b.example')", ['Alpha 100%']],
    ['Id NOT IN (SELECT OpportunityId FROM OpportunityContactRole)', ['Beta', 'Gamma_x']],
  ])('%s', (where, expected) => {
    expect(names(`SELECT Name FROM Opportunity WHERE ${where} ORDER BY Name`)).toEqual(expected);
  });

  it('takes ids of 15 and 18 characters', () => {
    expect(names(`SELECT Name FROM Opportunity WHERE Id = '${alphaId.slice(0, 15)}'`)).toEqual(['Alpha 100%']);
    expect(names(`SELECT Name FROM Opportunity WHERE Id = '${alphaId}'`)).toEqual(['Alpha 100%']);
  });

  it('shows deleted rows to queryAll only', () => {
    const soql = "SELECT Name, IsDeleted FROM Opportunity WHERE Name = 'Gone'";
    expect(query(soql).records).toEqual([]);
    expect(query(soql, true).records).toMatchObject([{ Name: 'Gone', IsDeleted: true }]);
  });
});

describe('compound addresses', () => {
  it('are answered whole, of parents too, and with all fields', () => {
    const kiel = { city: 'Kiel', country: null, postalCode: null, latitude: null };
    const soql = "SELECT Name, Account.BillingAddress FROM Opportunity WHERE Name LIKE 'Alpha%'";
    expect(query(soql).records).toMatchObject([{ Account: { BillingAddress: kiel } }]);
    expect(query('SELECT FIELDS(ALL) FROM Account LIMIT 1').records).toMatchObject([
      { BillingAddress: kiel, ShippingAddress: null },
    ]);
    expect(query('SELECT FIELDS(CUSTOM) FROM Account LIMIT 1').records[0]).not.toHaveProperty('BillingAddress');
  });

  it.each([
    ["SELECT Id FROM Account WHERE BillingAddress = 'x'", 'filtered'],
    ['SELECT Id FROM Account ORDER BY billingaddress', 'sorted'],
    ['SELECT BillingAddress FROM Account GROUP BY BillingAddress', 'grouped'],
  ])('%s is refused', (soql, use) => {
    expect(() => query(soql)).toThrow(
      expect.objectContaining({
        errors: [
          expect.objectContaining({
            errorCode: 'INVALID_FIELD',
            message: expect.stringContaining(`field 'BillingAddress' can not be ${use} in a query call`),
          }),
        ],
      }),
    );
  });

  it('are described as what their parts belong to', () => {
    const account = org.store.schema.object('Account');
    if (account === undefined) throw new Error('no Account');
    const { fields } = describeObject(org.store.schema, account, '', []) as { fields: { name: string }[] };
    const named = (name: string) => fields.find((field) => field.name === name);
    const closed = {
      createable: false,
      updateable: false,
      filterable: false,
      sortable: false,
      groupable: false,
    };
    expect(named('BillingAddress')).toMatchObject({ type: 'address', soapType: 'urn:address', ...closed });
    expect(named('BillingCity')).toMatchObject({ compoundFieldName: 'BillingAddress' });
    expect(named('Name')).toMatchObject({ compoundFieldName: null });
  });
});

describe('labels of picklists', () => {
  it('stand in for their values with toLabel, selected and compared', () => {
    const deal = { Name: 'Labelled', StageName: 'Prospecting', CloseDate: '2020-01-01' };
    const { Id } = make(org, 'Opportunity', { ...deal, Vendor_Status__c: 'QUALIFIED' });
    const selected = 'SELECT toLabel(Vendor_Status__c), toLabel(StageName) stage FROM Opportunity';
    const [row] = query(`${selected} WHERE toLabel(Vendor_Status__c) = '-5 Qualified'`).records;
    expect(row).toMatchObject({ Vendor_Status__c: '-5 Qualified', stage: 'Prospecting' });
    expect(query(`${selected} WHERE toLabel(Vendor_Status__c) = 'QUALIFIED'`).records).toEqual([]);
    remove(org, String(Id));
  });
});

describe('order and pages', () => {
  it.each([
    ['ORDER BY Amount', ['Gamma_x', 'Beta', 'Alpha 100%']],
    ['ORDER BY Amount DESC', ['Gamma_x', 'Alpha 100%', 'Beta']],
    ['ORDER BY Amount NULLS LAST', ['Beta', 'Alpha 100%', 'Gamma_x']],
    ['ORDER BY Amount DESC NULLS LAST', ['Alpha 100%', 'Beta', 'Gamma_x']],
    ['ORDER BY StageName, Name DESC', ['Gamma_x', 'Beta', 'Alpha 100%']],
    ['ORDER BY Account.Name NULLS LAST, CloseDate', ['Alpha 100%', 'Beta', 'Gamma_x']],
    ['ORDER BY Name LIMIT 1 OFFSET 1', ['Beta']],
    ['ORDER BY Name OFFSET 2', ['Gamma_x']],
  ])('%s', (tail, expected) => {
    expect(names(`SELECT Name FROM Opportunity ${tail}`)).toEqual(expected);
  });
});

describe('SELECT', () => {
  it('answers parents to any depth and null for an unset one, in the spelling of describe', () => {
    const { records } = query('select name, account.name, account.owner.email from opportunity order by name limit 2');
    expect(records[0]).toEqual({
      attributes: { type: 'Opportunity', url: `/services/data/v67.0/sobjects/Opportunity/${alphaId}` },
      Name: 'Alpha 100%',
      Account: {
        attributes: expect.objectContaining({ type: 'Account' }),
        Name: "O'Neil & Söhne",
        Owner: { attributes: expect.objectContaining({ type: 'User' }), Email: 'sales@reseller.example' },
      },
    });
    expect(records[1]).toMatchObject({ Name: 'Beta', Account: null });
  });

  it('answers child sub-queries, and null for none', () => {
    const { records } = query(
      'SELECT Name, (SELECT Contact.LastName, IsPrimary FROM OpportunityContactRoles), (SELECT Id FROM Lockstep_Syncs__r) FROM Opportunity ORDER BY Name LIMIT 2',
    );
    expect(records[0]).toMatchObject({
      OpportunityContactRoles: {
        totalSize: 1,
        done: true,
        records: [{ Contact: { LastName: 'Lund' }, IsPrimary: true }],
      },
      Lockstep_Syncs__r: null,
    });
    expect(records[1]).toMatchObject({ OpportunityContactRoles: null });
  });

  it('takes an alias', () => {
    expect(names("SELECT o.Name FROM Opportunity o WHERE o.Account.BillingCity = 'Kiel'")).toEqual(['Alpha 100%']);
  });

  it('counts and groups', () => {
    expect(query('SELECT COUNT() FROM Opportunity')).toEqual({ totalSize: 3, records: [] });
    expect(query('SELECT COUNT(Id) n, SUM(Amount) FROM Opportunity').records).toEqual([
      { attributes: { type: 'AggregateResult' }, n: 3, expr0: 120.5 },
    ]);
    expect(query('SELECT Vendor_Share__c, MAX(Name) top FROM Opportunity GROUP BY Vendor_Share__c').records).toEqual([
      { attributes: { type: 'AggregateResult' }, Vendor_Share__c: true, top: 'Alpha 100%' },
      { attributes: { type: 'AggregateResult' }, Vendor_Share__c: false, top: 'Gamma_x' },
    ]);
  });

  it('knows FIELDS()', () => {
    const [record] = query('SELECT FIELDS(CUSTOM) FROM Product2 LIMIT 1').records;
    expect(record).toBeUndefined();
    const [opportunity] = query('SELECT FIELDS(ALL) FROM Opportunity ORDER BY Name LIMIT 1').records;
    expect(opportunity).toMatchObject({ Id: alphaId, Vendor_Share__c: true, IsClosed: false });
  });
});

describe('refusals', () => {
  it.each([
    ['SELECT Id', '400 MALFORMED_QUERY'],
    ['SELECT Id, Id FROM Opportunity', '400 MALFORMED_QUERY'],
    ['SELECT FIELDS(ALL) FROM Opportunity', '400 MALFORMED_QUERY'],
    ['SELECT Name, COUNT(Id) n FROM Opportunity GROUP BY StageName', '400 MALFORMED_QUERY'],
    ['SELECT COUNT(Id) n FROM Opportunity GROUP BY StageName ORDER BY Name', '400 MALFORMED_QUERY'],
    ['SELECT COUNT(Id) n FROM Opportunity GROUP BY Type, ROLLUP(StageName)', '400 MALFORMED_QUERY'],
    [
      'SELECT COUNT(Id) n FROM Opportunity GROUP BY CUBE(Type, StageName, LeadSource, CloseDate)',
      '400 MALFORMED_QUERY',
    ],
    ['SELECT GROUPING(Type) FROM Opportunity GROUP BY Type', '400 MALFORMED_QUERY'],
    ['SELECT GROUPING(Name) FROM Opportunity GROUP BY ROLLUP(Type)', '400 MALFORMED_QUERY'],
    ["SELECT Id FROM Opportunity WHERE toLabel(Description) = 'x'", '400 INVALID_FIELD'],
    ['SELECT COUNT(Id) n FROM Opportunity ORDER BY Name', '400 MALFORMED_QUERY'],
    ['SELECT Nope.Name FROM Opportunity', '400 INVALID_FIELD'],
    ['SELECT Account.Nope FROM Opportunity', '400 INVALID_FIELD'],
    ['SELECT Id FROM Opportunity ORDER BY Nope', '400 INVALID_FIELD'],
    ['SELECT Id FROM Opportunity ORDER BY Vendor_Reason_Comment__c', '400 INVALID_FIELD'],
    ["SELECT Id FROM Opportunity WHERE Amount = '5'", '400 INVALID_FIELD'],
    ['SELECT Id FROM Opportunity WHERE Name = 5', '400 INVALID_FIELD'],
    ["SELECT Id FROM Opportunity WHERE SystemModstamp > '2026-01-01T00:00:00Z'", '400 INVALID_FIELD'],
    ['SELECT Id FROM Opportunity WHERE SystemModstamp > 2026-01-01', '400 INVALID_FIELD'],
    ['SELECT Id FROM Opportunity WHERE CloseDate > 2026-01-01T00:00:00Z', '400 INVALID_FIELD'],
    ['SELECT Id, (SELECT Id FROM Nopes) FROM Opportunity', '400 INVALID_TYPE'],
  ])('%s', (soql, expected) => {
    expect(refusal(soql)).toBe(expected);
  });
});

describe('days of the user', () => {
  const at = (nowIso: string, timeZone: string, where: string) =>
    runSoql(
      { store: org.store, now: new Date(nowIso), timeZone, base: '', includeDeleted: false },
      `SELECT Name FROM Opportunity WHERE ${where} ORDER BY Name`,
    ).records.map((record) => record['Name']);
  const all = ['Alpha 100%', 'Beta', 'Gamma_x'];

  // Everything was made at 2026-05-13T10:00:00Z; Alpha closes on that day, Beta on the day before.
  it.each([
    ['2026-05-12T22:30:00Z', 'Europe/Paris', 'CloseDate = TODAY', ['Alpha 100%']],
    ['2026-05-12T22:30:00Z', 'UTC', 'CloseDate = TODAY', ['Beta']],
    ['2026-05-14T02:00:00Z', 'America/New_York', 'CloseDate = TODAY', ['Alpha 100%']],
    ['2026-05-13T20:00:00Z', 'Pacific/Auckland', 'CreatedDate = YESTERDAY', all],
    ['2026-05-13T20:00:00Z', 'UTC', 'CreatedDate = TODAY', all],
    ['2026-05-14T05:59:59Z', 'America/Denver', 'CreatedDate = TODAY', all],
    ['2026-05-14T06:00:00Z', 'America/Denver', 'CreatedDate = TODAY', []],
    ['2026-05-31T22:30:00Z', 'Europe/Paris', 'CloseDate = THIS_MONTH', ['Gamma_x']],
    ['2026-05-31T22:30:00Z', 'UTC', 'CloseDate = THIS_MONTH', ['Alpha 100%', 'Beta']],
    // Between both, the clocks of Paris are set back.
    ['2026-11-13T09:00:00Z', 'Europe/Paris', 'CreatedDate = LAST_N_DAYS:184', all],
    ['2026-11-13T09:00:00Z', 'Europe/Paris', 'CreatedDate = LAST_N_DAYS:183', []],
  ])('at %s in %s: %s', (nowIso, timeZone, where, expected) => {
    expect(at(nowIso, timeZone, where)).toEqual(expected);
  });

  it('change date functions only by convertTimezone', () => {
    const hours = (value: string) => {
      const soql = `SELECT HOUR_IN_DAY(${value}) hour, COUNT(Id) n FROM Opportunity GROUP BY HOUR_IN_DAY(${value})`;
      const env = { store: org.store, now: new Date(NOW), base: '', includeDeleted: false };
      return runSoql({ ...env, timeZone: 'Asia/Kolkata' }, soql).records.map(({ hour, n }) => [hour, n]);
    };
    expect(hours('CreatedDate')).toEqual([[10, 3]]);
    expect(hours('convertTimezone(CreatedDate)')).toEqual([[15, 3]]);
    expect(refusal('SELECT convertTimezone(CreatedDate) FROM Opportunity')).toBe('400 MALFORMED_QUERY');
  });
});
