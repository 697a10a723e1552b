import { beforeEach, describe, expect, it } from 'vitest';
import type { Org } from '../../src/salesforce/org.ts';
import type { Change, Row } from '../../src/salesforce/store/row.ts';
import { change, make, orgWithData, remove, row } from '../support/salesforce-simulator.ts';

let org: Org;
let opportunity: Row;
let entry: Row;

const id = (record: Row): string => String(record['Id']);

function lineFor(extra: Readonly<Record<string, unknown>>): Row {
  return make(org, 'OpportunityLineItem', {
    OpportunityId: id(opportunity),
    PricebookEntryId: id(entry),
    Quantity: 2,
    ...extra,
  });
}

beforeEach(() => {
  org = orgWithData('2026-01-01T00:00:00.000Z');
  const [book] = org.store.rows('Pricebook2');
  const product = make(org, 'Product2', { Name: 'Designer', ProductCode: 'D1', IsActive: true });
  entry = make(org, 'PricebookEntry', {
    Pricebook2Id: book?.['Id'],
    Product2Id: id(product),
    UnitPrice: 100,
    IsActive: true,
  });
  opportunity = make(org, 'Opportunity', {
    Name: 'Deal',
    StageName: 'Prospecting',
    CloseDate: '2026-02-01',
    Amount: 7,
  });
});

describe('stages', () => {
  it.each([
    ['Prospecting', { IsClosed: false, IsWon: false, Probability: 10, ForecastCategoryName: 'Pipeline' }],
    ['Closed Won', { IsClosed: true, IsWon: true, Probability: 100, ForecastCategoryName: 'Closed' }],
    ['Closed Lost', { IsClosed: true, IsWon: false, Probability: 0, ForecastCategoryName: 'Omitted' }],
    ['A stage of their own', { IsClosed: false, IsWon: false, Probability: 0, ForecastCategoryName: 'Pipeline' }],
  ])('%s', (stage, expected) => {
    expect(change(org, id(opportunity), { StageName: stage })).toMatchObject({
      StageName: stage,
      ...expected,
    });
  });

  it('leaves a probability that was given, and computes the expected revenue', () => {
    const changed = change(org, id(opportunity), { StageName: 'Closed Won', Probability: 50 });
    expect(changed).toMatchObject({ Probability: 50, ExpectedRevenue: 3.5 });
  });
});

describe('lines', () => {
  it('price themselves, set the price book, and own the amount', () => {
    const line = lineFor({ UnitPrice: 100.25 });
    expect(line).toMatchObject({
      TotalPrice: 200.5,
      ListPrice: 100,
      ProductCode: 'D1',
      Name: 'Deal Designer',
    });
    expect(row(org, id(opportunity))).toMatchObject({
      Amount: 200.5,
      Pricebook2Id: entry['Pricebook2Id'],
      HasOpportunityLineItem: true,
    });
    expect(change(org, id(line), { TotalPrice: 300 })).toMatchObject({ UnitPrice: 150 });
    expect(change(org, id(line), { Quantity: 3 })).toMatchObject({ UnitPrice: 150, TotalPrice: 450 });
    expect(change(org, id(opportunity), { Amount: 1, Name: 'New' })).toMatchObject({
      Amount: 450,
      Name: 'New',
    });
    remove(org, id(line));
    expect(row(org, id(opportunity))).toMatchObject({ Amount: 0, HasOpportunityLineItem: false });
  });

  it('move the opportunity’s stamp where they change it, and not where they do not', () => {
    const stamp = () => String(row(org, id(opportunity))['SystemModstamp']);
    const before = stamp();
    org.clock.advance(5_000);
    const line = lineFor({ TotalPrice: 10 });
    const moved = stamp();
    expect(moved > before).toBe(true);
    org.clock.advance(5_000);
    change(org, id(line), { Description: 'delivered in spring' });
    expect(stamp()).toBe(moved);
    expect(row(org, id(line))['SystemModstamp']).not.toBe(moved);
  });

  it('come back with their opportunity as if nothing had been', () => {
    lineFor({ UnitPrice: 1 });
    lineFor({ UnitPrice: 2 });
    const before = row(org, id(opportunity));
    remove(org, id(opportunity));
    const heard: Change[] = [];
    org.store.onCommit((changes) => heard.push(...changes));
    const object = org.store.schema.object('Opportunity');
    if (object !== undefined) org.dml.undelete(object, id(opportunity), { userId: org.identity.salesUserId });
    expect(row(org, id(opportunity))).toMatchObject({
      Amount: before['Amount'],
      HasOpportunityLineItem: true,
    });
    const saves = heard.filter(({ type }) => type !== 'OpportunityFieldHistory');
    expect(saves.map(({ save }) => save)).toEqual(['undelete', 'undelete', 'undelete']);
  });

  it('are refused with both prices, with none, and from another price book', () => {
    expect(() => lineFor({ UnitPrice: 1, TotalPrice: 2 })).toThrow('FIELD_INTEGRITY_EXCEPTION');
    expect(() => lineFor({})).toThrow('REQUIRED_FIELD_MISSING');
    const other = make(org, 'Pricebook2', { Name: 'Other', IsActive: true });
    change(org, id(opportunity), { Pricebook2Id: id(other) });
    expect(() => lineFor({ UnitPrice: 1 })).toThrow('FIELD_INTEGRITY_EXCEPTION');
    expect([...org.store.rows('OpportunityLineItem')]).toEqual([]);
  });

  it('keep the opportunity’s price book in place', () => {
    lineFor({ UnitPrice: 1 });
    const other = make(org, 'Pricebook2', { Name: 'Other', IsActive: true });
    expect(() => change(org, id(opportunity), { Pricebook2Id: id(other) })).toThrow('FIELD_INTEGRITY_EXCEPTION');
  });
});

describe('an org with several currencies', () => {
  it('keeps lines in the opportunity’s currency', () => {
    org = orgWithData('2026-01-01T00:00:00.000Z', 'empty', ['EUR', 'USD']);
    const [book] = org.store.rows('Pricebook2');
    const product = make(org, 'Product2', { Name: 'Designer', IsActive: true });
    const price = { Pricebook2Id: book?.['Id'], Product2Id: id(product), UnitPrice: 100, IsActive: true };
    const euros = make(org, 'PricebookEntry', price);
    const dollars = make(org, 'PricebookEntry', { ...price, CurrencyIsoCode: 'USD' });
    expect([euros['CurrencyIsoCode'], dollars['CurrencyIsoCode']]).toEqual(['EUR', 'USD']);
    opportunity = make(org, 'Opportunity', {
      Name: 'Deal',
      StageName: 'Prospecting',
      CloseDate: '2026-02-01',
      CurrencyIsoCode: 'USD',
    });
    const line = { OpportunityId: id(opportunity), Quantity: 1, UnitPrice: 5 };
    expect(() => make(org, 'OpportunityLineItem', { ...line, PricebookEntryId: id(euros) })).toThrow(
      'FIELD_INTEGRITY_EXCEPTION',
    );
    const made = make(org, 'OpportunityLineItem', { ...line, PricebookEntryId: id(dollars) });
    expect(made['CurrencyIsoCode']).toBe('USD');
    expect(() => change(org, id(opportunity), { CurrencyIsoCode: 'XXX' })).toThrow(
      'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST',
    );
  });
});

describe('prices', () => {
  it('need a standard price first, and one entry a book', () => {
    const book = make(org, 'Pricebook2', { Name: 'Partners', IsActive: true });
    const product = make(org, 'Product2', { Name: 'Unpriced' });
    const fields = { Pricebook2Id: id(book), UnitPrice: 5, IsActive: true };
    expect(() => make(org, 'PricebookEntry', { ...fields, Product2Id: id(product) })).toThrow(
      'STANDARD_PRICE_NOT_DEFINED',
    );
    make(org, 'PricebookEntry', { ...fields, Product2Id: entry['Product2Id'] });
    expect(() => make(org, 'PricebookEntry', { ...fields, Product2Id: entry['Product2Id'] })).toThrow(
      'DUPLICATE_VALUE',
    );
  });
});

describe('writes', () => {
  it('refuse what a client may not write, misses, or doubles', () => {
    const base = { Name: 'X', StageName: 'Prospecting', CloseDate: '2026-02-01' };
    expect(() => make(org, 'Opportunity', { Name: 'X' })).toThrow('REQUIRED_FIELD_MISSING');
    expect(() => make(org, 'Opportunity', { ...base, Nope: 1 })).toThrow('INVALID_FIELD');
    expect(() => make(org, 'Opportunity', { ...base, CreatedDate: '2026-01-01T00:00:00Z' })).toThrow(
      'INVALID_FIELD_FOR_INSERT_UPDATE',
    );
    expect(() => make(org, 'Opportunity', { ...base, AccountId: id(opportunity) })).toThrow('MALFORMED_ID');
    expect(() => make(org, 'Opportunity', { ...base, AccountId: '001000000000000AAA' })).toThrow(
      'INVALID_CROSS_REFERENCE_KEY',
    );
    make(org, 'Opportunity', { ...base, Vendor_Id__c: 'v1' });
    expect(() => make(org, 'Opportunity', { ...base, Vendor_Id__c: 'v1' })).toThrow('DUPLICATE_VALUE');
    make(org, 'Opportunity', { ...base, Vendor_Id__c: 'V1' });
    expect(() => change(org, id(opportunity), { Name: null })).toThrow('REQUIRED_FIELD_MISSING');
  });

  it('find a parent by its external id', () => {
    const account = make(org, 'Account', { Name: 'A', Vendor_Site_Id__c: 'S1' });
    const changed = change(org, id(opportunity), { Account: { Vendor_Site_Id__c: 'S1' } });
    expect(changed['AccountId']).toBe(account['Id']);
    expect(() => change(org, id(opportunity), { Account: { Vendor_Site_Id__c: 'S2' } })).toThrow('INVALID_FIELD');
  });

  it('take what hangs on a row along when it is deleted, and bring it back with it', () => {
    const line = lineFor({ UnitPrice: 1 });
    const kept = lineFor({ UnitPrice: 2 });
    const sync = make(org, 'Lockstep_Sync__c', { Opportunity__c: id(opportunity), Sync_State__c: 'In sync' });
    remove(org, id(kept));
    remove(org, id(opportunity));
    const states = () => [opportunity, line, kept, sync].map((each) => row(org, id(each))['IsDeleted']);
    expect(states()).toEqual([true, true, true, true]);
    const object = org.store.schema.object('Opportunity');
    if (object !== undefined) org.dml.undelete(object, id(opportunity), { userId: org.identity.salesUserId });
    expect(states()).toEqual([false, false, true, false]);
    expect(row(org, id(opportunity))['Amount']).toBe(2);
  });

  it('to the child record leave the opportunity alone, and number it', () => {
    const before = row(org, id(opportunity));
    const sync = make(org, 'Lockstep_Sync__c', { Opportunity__c: id(opportunity) });
    expect(sync['Name']).toBe('LS-00000001');
    expect(row(org, id(opportunity))).toBe(before);
  });

  it('leave one primary contact role', () => {
    const contacts = ['A', 'B'].map((name) => make(org, 'Contact', { LastName: name }));
    const roles = contacts.map((contact) =>
      make(org, 'OpportunityContactRole', {
        OpportunityId: id(opportunity),
        ContactId: id(contact),
        IsPrimary: true,
      }),
    );
    expect(roles.map((role) => row(org, id(role))['IsPrimary'])).toEqual([false, true]);
  });
});

describe('transactions', () => {
  it('undo everything when they fail, and tell of nothing', () => {
    const heard: Change[] = [];
    org.store.onCommit((changes) => heard.push(...changes));
    expect(() =>
      org.store.transact(() => {
        change(org, id(opportunity), { Name: 'Lost' });
        make(org, 'Account', { Name: 'Lost' });
        throw new Error('stop');
      }),
    ).toThrow('stop');
    expect(row(org, id(opportunity))['Name']).toBe('Deal');
    expect([...org.store.rows('Account')]).toEqual([]);
    expect(heard).toEqual([]);
  });

  it('tell of each save in turn', () => {
    const heard: Change[] = [];
    org.store.onCommit((changes) => heard.push(...changes));
    org.store.transact(() => {
      change(org, id(opportunity), { Name: 'One' });
      change(org, id(opportunity), { Name: 'Two' });
    });
    // What the history notes is no save.
    const saves = heard.filter(({ save }) => save !== null);
    expect(heard.filter(({ save }) => save === null).map(({ type }) => type)).toEqual([
      'OpportunityFieldHistory',
      'OpportunityFieldHistory',
    ]);
    expect(saves.map(({ save, before, after }) => [save, before?.['Name'], after['Name']])).toEqual([
      ['update', 'Deal', 'One'],
      ['update', 'One', 'Two'],
    ]);
  });
});
