import { expect, test } from 'vitest';
import { merge } from '../../../../src/domain/merge/merge.ts';
import type { Observed } from '../../../../src/domain/record/canonical.ts';
import { mergeInput } from '../../../support/value-engine/samples.ts';

test('what the CRM adds to a company, and the vendor has with more of its own, is sent to nobody', () => {
  const company = {
    name: 'Initech',
    city: 'Paris',
    country: 'FR',
    addressLine1: null,
    addressLine2: null,
    statePrefecture: null,
    zipCode: null,
    websiteUrl: null,
    dunsNumber: null,
    vatNumber: null,
    registrationId: null,
  };
  const ours = { ...company, websiteUrl: 'https://initech.test' };
  const theirs = { ...ours, vatNumber: 'FR40303265045' };
  const of = (customerLegalEntity: typeof company | Observed['customerLegalEntity']): Observed => ({
    customerLegalEntity: customerLegalEntity ?? null,
  });
  const result = merge(mergeInput(of(company), of(ours), of(theirs)));
  expect(result.decisions).toMatchObject([{ verdict: 'same', rule: 'the vendor has it already' }]);
  expect([result.toVendor, result.toCrm]).toEqual([{}, {}]);
});
