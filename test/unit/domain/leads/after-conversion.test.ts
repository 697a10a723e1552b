/** What both sides count as agreed after a lead became an opportunity. */
import { expect, test } from 'vitest';
import { afterConversion, converted } from '../../../../src/domain/base/after-conversion.ts';
import { EMPTY_BASE } from '../../../../src/domain/record/base.ts';
import { leadsConfig } from '../../../support/mapping/lead-fixtures.ts';

const config = leadsConfig();
const base = converted({
  ...EMPTY_BASE,
  crm: { name: 'Initech', description: 'Replace the core', status: 'QUALIFIED', offerLines: [] },
  vendor: { name: 'Initech', description: 'Replace the core', status: 'QUALIFIED' },
});

test('keeps what the conversion carried over, changed or not', () => {
  const { crm, fromLead } = afterConversion(base, { name: 'Initech-', description: 'Replace the core' }, config);
  expect(crm).toEqual({ name: 'Initech', description: 'Replace the core' });
  expect(fromLead).toBeUndefined();
});

test('forgets what the conversion left empty, so that the vendor’s value fills it', () => {
  expect(afterConversion(base, { name: 'Initech', description: null }, config).crm).toEqual({ name: 'Initech' });
});

test('forgets lines, which a lead does not have', () => {
  const lines = [{ offerNameId: 'OFFER-A', amount: null, revenueType: null }];
  expect(afterConversion(base, { offerLines: lines }, config).crm).not.toHaveProperty('offerLines');
});

test('changes no base that is not of a lead', () => {
  expect(afterConversion(EMPTY_BASE, {}, config)).toBe(EMPTY_BASE);
});
