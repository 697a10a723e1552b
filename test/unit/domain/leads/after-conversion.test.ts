/** What both sides count as agreed after a lead became an opportunity. */
import { expect, test } from 'vitest';
import { afterConversion, converted } from '../../../../src/domain/base/after-conversion.ts';
import { EMPTY_BASE } from '../../../../src/domain/record/base.ts';
import type { Observed } from '../../../../src/domain/record/canonical.ts';
import { leadsConfig } from '../../../support/mapping/lead-fixtures.ts';

const config = leadsConfig();
const base = converted({
  ...EMPTY_BASE,
  crm: { name: 'Initech', description: 'Replace the core', status: 'QUALIFIED', offerLines: [] },
  vendor: { name: 'Initech', description: 'Replace the core', status: 'QUALIFIED' },
});

const after = (crm: Observed, status = 'QUALIFIED') => afterConversion(base, { crm, status }, config);

test('keeps what the conversion carried over, changed or not', () => {
  const { crm, fromLead } = after({ name: 'Initech-', description: 'Replace the core' });
  expect(crm).toEqual({ name: 'Initech', description: 'Replace the core' });
  expect(fromLead).toBeUndefined();
});

test('forgets what the conversion left empty, so that the vendor’s value fills it', () => {
  expect(after({ name: 'Initech', description: null }).crm).toEqual({ name: 'Initech' });
});

test('forgets lines, which a lead does not have', () => {
  const lines = [{ offerNameId: 'OFFER-A', amount: null, revenueType: null }];
  expect(after({ offerLines: lines }).crm).not.toHaveProperty('offerLines');
});

test('changes no base that is not of a lead', () => {
  expect(afterConversion(EMPTY_BASE, { crm: {}, status: 'OPPY_OPEN' }, config)).toBe(EMPTY_BASE);
});

test('takes the first stage for an edit of the lead’s status', () => {
  const { crm, vendor } = after({ status: 'OPPY_OPEN' });
  expect([crm['status'], vendor['status']]).toEqual([null, 'QUALIFIED']);
});

test('takes the first stage for no edit if the vendor has moved the deal further, so that the vendor’s status moves it', () => {
  const { crm, vendor } = after({ status: 'OPPY_OPEN' }, 'VALIDATED');
  expect([crm['status'], vendor['status']]).toEqual(['OPPY_OPEN', 'OPPY_OPEN']);
});
