import { expect, test } from 'vitest';
import { placesStillMissing } from '../../../../src/domain/decide/import-gaps.ts';
import { observeCrm } from '../../../../src/domain/mapping/index.ts';
import type { CrmFields } from '../../../../src/domain/record/crm-graph.ts';
import { ISSUES } from '../../../../src/domain/record/issues.ts';
import { ACCOUNT, crmGraph, mappingConfig, without } from '../../../support/mapping/fixtures.ts';
import { linkSample } from '../../../support/value-engine/samples.ts';

const country = ISSUES.placeDoesNotFit('BillingCountry');
const state = ISSUES.placeDoesNotFit('BillingState');
const issues = [
  country,
  state,
  { ...country, code: 'crm-refused' as const },
  { ...country, field: 'name' },
  ISSUES.conflict('name'),
];

test.each<[string, CrmFields | null, readonly unknown[]]>([
  ['both are there', ACCOUNT, []],
  ['one is empty', { ...ACCOUNT, BillingState: null }, [state]],
  ['one is not shown', without(ACCOUNT, 'BillingCountry'), [country]],
  ['the deal has no account', null, []],
])('a country and a state that were left out are reported: %s', (_, account, expected) => {
  const link = { ...linkSample({ issues }), reference: null };
  expect(placesStillMissing({ link }, observeCrm(crmGraph({}, { account }), mappingConfig()))).toEqual(expected);
});
