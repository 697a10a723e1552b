import { describe, expect, it } from 'vitest';
import { cutToFields } from '../../../../src/domain/mapping/crm/cut.ts';
import type { CrmCreate, CrmFields } from '../../../../src/domain/record/crm-graph.ts';
import type { CrmLimits, FieldLimit } from '../../../../src/domain/record/crm-limits.ts';

const ANY: FieldLimit = { length: null, values: null, isMulti: false, createable: true, updateable: true };
const ACCOUNT: CrmFields = { Name: 'Anlagen GmbH', BillingCity: 'Bonn', Vendor_VAT_Number__c: 'DE1' };
const CONTACT: CrmFields = { Email: 'a@b.example', LastName: 'Muster', Title: 'Head', DoNotCall: true };
const DEAL: CrmCreate = {
  vendorId: 'LO-1',
  opportunity: { Name: 'Deal', Description: 'x'.repeat(999) },
  account: ACCOUNT,
  lines: [],
  contacts: [CONTACT],
};

const fieldsOf = (row: CrmFields) => Object.fromEntries(Object.keys(row).map((field) => [field, ANY]));
const ORG: CrmLimits = {
  Opportunity: { Name: { ...ANY, length: 120 } },
  Account: fieldsOf(ACCOUNT),
  Contact: fieldsOf(CONTACT),
};

/** The deal that an org gets, and the issues that are reported. */
function made(change: Partial<CrmCreate>, limits: CrmLimits = ORG) {
  const { create, issues } = cutToFields({ ...DEAL, ...change }, limits);
  return { ...create, result: issues.map(({ code, field, message }) => [code, field, message]) };
}

describe('a deal that the CRM can hold', () => {
  it('is made as it is, whatever its other fields', () => {
    expect(made({})).toEqual({ ...DEAL, result: [] });
    expect(made({ account: null, contacts: [] }, {})).toEqual({
      ...DEAL,
      account: null,
      contacts: [],
      result: [],
    });
  });
});

describe('the name of a deal', () => {
  it('is cut to what the org holds, and that is reported', () => {
    const limits = { ...ORG, Opportunity: { Name: { ...ANY, length: 3 } } };
    expect(made({}, limits)).toMatchObject({
      opportunity: { Name: 'Dea', Description: DEAL.opportunity['Description'] },
      result: [['shortened', 'name', expect.stringContaining('the Opportunity Name')]],
    });
  });

  it('is cut before half a character, and not where half a character is its own', () => {
    const limits = { ...ORG, Opportunity: { Name: { ...ANY, length: 3 } } };
    expect(made({ opportunity: { Name: 'ab🙂' } }, limits).opportunity['Name']).toBe('ab');
    expect(made({ opportunity: { Name: 'ab\ud83d' } }, limits).opportunity['Name']).toBe('ab\ud83d');
  });
});

describe('an account in an org with picklists of countries and states', () => {
  const places = {
    BillingCountryCode: {
      ...ANY,
      choices: [
        { value: 'CA', label: 'Kanada', goesWith: null },
        { value: 'DE', label: 'CA', goesWith: null },
      ],
    },
    BillingStateCode: { ...ANY, choices: [{ value: 'QC', label: 'Quebec', goesWith: ['CA'] }] },
  };
  const cells = { BillingCountry: ANY, BillingState: ANY, ...places };
  const limits = { ...ORG, Account: { ...ORG['Account'], ...cells } };
  const address = (fields: CrmFields) => {
    const { account, result } = made({ account: { Name: 'A', ...fields } }, limits);
    const { Name: _, ...row } = account ?? {};
    return [row, result.map(([code, field]) => `${code} ${field}`)];
  };
  const canada = { BillingCountry: 'Kanada', BillingCountryCode: 'CA' };
  const waits = 'does-not-fit customerLegalEntity';

  it.each<[string, CrmFields, CrmFields, readonly string[]]>([
    ['a code before a label', { BillingCountry: ' ca ' }, canada, []],
    ['a label', { BillingCountry: 'KANADA' }, canada, []],
    ['none', {}, {}, []],
    ['none that is none of them', { BillingCountry: 'Atlantis', BillingState: 'QC' }, {}, [waits]],
    [
      'a state of it',
      { BillingCountry: 'CA', BillingState: 'quebec' },
      { ...canada, BillingState: 'Quebec', BillingStateCode: 'QC' },
      [],
    ],
    ['no state that it does not have', { BillingCountry: 'CA', BillingState: 'Var' }, canada, [waits]],
    [
      'no state where it has none',
      { BillingCountry: 'DE', BillingState: 'QC' },
      { BillingCountry: 'CA', BillingCountryCode: 'DE' },
      [],
    ],
  ])('gets %s', (_, fields, row, result) => {
    expect(address(fields)).toEqual([row, result]);
  });
});

describe('what an account or a contact cannot hold', () => {
  it('is cut where they are known by it', () => {
    const account = { ...ORG['Account'], BillingCity: { ...ANY, length: 2 } };
    expect(made({}, { ...ORG, Account: account })).toMatchObject({
      account: { ...ACCOUNT, BillingCity: 'Bo' },
      result: [['shortened', 'customerLegalEntity', expect.stringContaining('a field of the account')]],
    });
  });

  it('is left out elsewhere', () => {
    const account = { ...ORG['Account'], Vendor_VAT_Number__c: { ...ANY, length: 2 } };
    const contact = { ...ORG['Contact'], DoNotCall: { ...ANY, createable: false } };
    const { account: company, contacts, result } = made({}, { ...ORG, Account: account, Contact: contact });
    expect(company).toEqual({ Name: 'Anlagen GmbH', BillingCity: 'Bonn' });
    expect(contacts).toEqual([{ Email: 'a@b.example', LastName: 'Muster', Title: 'Head' }]);
    expect(result).toEqual([
      ['shortened', 'customerLegalEntity', expect.stringContaining('too long for a field of the account')],
      ['shortened', 'customerContacts', expect.stringContaining('too long for a field of a contact')],
    ]);
  });

  it('is sent where it is the name of the account, without which there is none', () => {
    const account = { ...ORG['Account'], Name: { ...ANY, createable: false } };
    expect(made({}, { ...ORG, Account: account }).account).toEqual(ACCOUNT);
  });

  it('leaves out a contact that it could not be found by again', () => {
    const contact = { ...ORG['Contact'], Email: { ...ANY, length: 2 } };
    expect(made({}, { ...ORG, Contact: contact })).toMatchObject({
      contacts: [],
      result: [['shortened', 'customerContacts', expect.anything()]],
    });
  });
});
