import { expect, test } from 'vitest';
import { currenciesDiffer } from '../../../../src/domain/merge/currencies.ts';
import type { Observed } from '../../../../src/domain/record/canonical.ts';
import { mappingConfig } from '../../../support/mapping/fixtures.ts';
import { agreedBase } from '../../../support/value-engine/samples.ts';

const lines = (amount: string) => ({
  offerLines: [{ offerNameId: 'O1', amount, revenueType: null }],
});
const agreed: Observed = { currency: 'EUR', ...lines('100.00') };
const dollars: Observed = { currency: 'USD', ...lines('100.00') };

test.each<[string, Observed | null, Observed, Observed, boolean]>([
  ['the same on both sides', agreed, agreed, agreed, false],
  ['the same without a base', null, agreed, agreed, false],
  ['two, and nothing agreed on', null, agreed, dollars, true],
  ['one, of the CRM', null, agreed, {}, false],
  ['one, of the vendor', null, {}, agreed, false],
  ['none in the CRM', agreed, { currency: null }, agreed, false],
  ['another at the vendor alone', agreed, agreed, dollars, true],
  ['another at the vendor than agreed on with a CRM that was not read', agreed, {}, dollars, true],
  ['another in the CRM alone, the vendor not read', agreed, dollars, {}, false],
  ['another in the CRM alone', agreed, dollars, agreed, false],
  ['another in the CRM, and a third at the vendor', agreed, dollars, { ...agreed, currency: 'GBP' }, true],
  ['another in the CRM, and an edit of the vendor’s lines', agreed, dollars, { ...agreed, ...lines('120.00') }, true],
  [
    'two that had been two before, with nobody’s edit',
    { currency: null, ...lines('100.00') },
    dollars,
    { currency: 'EUR', ...lines('100.00') },
    true,
  ],
])('%s', (_, base, crm, vendor, differ) => {
  const given = { base: base === null ? null : agreedBase(base), crm, vendor, config: mappingConfig() };
  expect(currenciesDiffer(given)).toBe(differ);
});
