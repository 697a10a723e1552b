import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { crmLabel, fieldWords } from '../../../../src/domain/record/field-labels.ts';
import { FIELD_NAMES, FIELDS } from '../../../../src/domain/record/fields.ts';

const OBJECTS = join(import.meta.dirname, '../../../../crm-package/main/default/objects');

/** Labels of the package by API name, of the fields that messages name. */
const LABELS = new Map(
  globSync('{Opportunity,OpportunityLineItem}/fields/*.field-meta.xml', { cwd: OBJECTS }).map((file) => {
    const label = /^ {4}<label>(.*)<\/label>/m.exec(readFileSync(join(OBJECTS, file), 'utf8'))?.[1];
    return [basename(file, '.field-meta.xml'), label ?? ''] as const;
  }),
);

describe('a field is called', () => {
  const mapped = FIELD_NAMES.map((field) => FIELDS[field].crm).filter((crm) => crm.endsWith('__c'));

  it('as the package labels it in Salesforce', () => {
    expect(mapped.length).toBeGreaterThan(8);
    for (const crm of [...mapped, 'Vendor_Id__c', 'Vendor_Share__c', 'Vendor_Revenue_Type__c'])
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
