import { describe, expect, it } from 'vitest';
import { isNeeded, unfitValues } from '../../../../src/domain/decide/holds.ts';
import type { FieldLimit } from '../../../../src/domain/record/crm-limits.ts';
import { FIELD_NAMES } from '../../../../src/domain/record/fields.ts';
import { mappingConfig } from '../../../support/mapping/fixtures.ts';

const ANY: FieldLimit = { length: null, values: null, isMulti: false, createable: true, updateable: true };
const SHORT = { ...ANY, length: 2 };
const crmLimits = {
  Opportunity: { Name: SHORT, Description: SHORT, CurrencyIsoCode: SHORT, StageName: SHORT, Own__c: SHORT },
};
const row = { Name: 'long', Description: 'long', CurrencyIsoCode: 'EUR', StageName: 'long', Own__c: 'long' };

describe('a value that its field cannot hold', () => {
  const result = (write: 'create' | 'update', isManual = false) =>
    unfitValues(row, write, { config: mappingConfig(), crmLimits, isManual }).map(
      ({ code, field }) => `${code} ${field}`,
    );

  it('is not held back from a new one that could not be made without it', () => {
    expect(result('create').toSorted()).toEqual(['does-not-fit description', 'does-not-fit status']);
  });
});

it('an opportunity needs its name, its close date and its currency; a stage it gets by default', () => {
  expect(FIELD_NAMES.filter(isNeeded).toSorted()).toEqual(['closeDate', 'currency', 'name']);
});
