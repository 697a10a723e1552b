import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { crmLabel, fieldWords, inOrgWords } from '../../../../src/domain/record/field-labels.ts';
import { FIELD_NAMES, FIELDS } from '../../../../src/domain/record/fields.ts';
import { ISSUES } from '../../../../src/domain/record/issues.ts';

const OBJECTS = join(import.meta.dirname, '../../../../crm-package/main/default/objects');

/** Labels of the package by API name, of the fields that messages name. */
const LABELS = new Map(
  globSync('{Account,Opportunity,OpportunityLineItem}/fields/*.field-meta.xml', { cwd: OBJECTS }).map((file) => {
    const label = /^ {4}<label>(.*)<\/label>/m.exec(readFileSync(join(OBJECTS, file), 'utf8'))?.[1];
    return [basename(file, '.field-meta.xml'), label ?? ''] as const;
  }),
);

describe('a field is called', () => {
  const mapped = FIELD_NAMES.map((field) => FIELDS[field].crm).filter((crm) => crm.endsWith('__c'));

  it('as the package labels it in Salesforce', () => {
    expect(mapped.length).toBeGreaterThan(8);
    const ofAccount = ['Site_Id', 'DUNS', 'VAT_Number', 'Registration_Id'].map((name) => `Vendor_${name}__c`);
    for (const crm of [...mapped, ...ofAccount, 'Vendor_Id__c', 'Vendor_Share__c', 'Vendor_Revenue_Type__c'])
      expect(crmLabel(crm), crm).toBe(LABELS.get(crm));
  });

  it.each([
    ['StageName', 'Stage'],
    ['CloseDate', 'Close Date'],
    ['Description', 'Description'],
    ['Deal_Notes__c', 'Deal_Notes__c'],
  ])('%s: %s', (apiName, label) => {
    expect(crmLabel(apiName)).toBe(label);
  });

  it('in words, whichever it is', () => {
    for (const field of FIELD_NAMES) expect(fieldWords(field), field).toMatch(/^[a-z][a-z' -]+$/);
    expect(fieldWords('nextMilestone')).toBe('next milestone');
  });
});

describe('an issue in the words of the org', () => {
  const limit = { length: null, values: null, isMulti: false, createable: true, updateable: true };
  const org = Object.fromEntries(
    [
      ['Name', 'Verkaufschance'],
      ['Description', 'Description'],
      ['Mine__c', 'Eigenes "$&" Feld'],
    ].map(([name, label]) => [name, { ...limit, label: String(label) }]),
  );
  const names = { fields: { nextMilestone: { crm: 'Mine__c' } } };
  it.each([
    ['names the label in front', ISSUES.ignoredByVendor('name'), /^"Verkaufschance": The vendor accepted/],
    ['names it once', ISSUES.crmCannotClear('name', 'Name'), /^The vendor emptied .* needs "Verkaufschance", so/],
    ['leaves out what it says already', ISSUES.conflict('description'), /^The description was/],
    ['knows fields of the mapping', ISSUES.conflict('nextMilestone'), /^"Eigenes "\$&" Feld": The next milestone/],
    ['keeps words without a label', ISSUES.conflict('gtmTacticId'), /^The go-to-market tactic/],
    ['keeps what waits for nobody', ISSUES.shortened('name', 'Name'), /^The vendor's text/],
    ['keeps what is about no field', ISSUES.vendorRefused('ERR', []), /^The vendor refused/],
  ])('%s', (_, issue, message) => {
    const [named] = inOrgWords([issue], names, org);
    expect(named?.message).toMatch(message);
    expect(inOrgWords(named === undefined ? [] : [named], names, org)).toEqual([named]);
  });
});
