import { expect, test } from 'vitest';
import { permits } from '../../../../src/domain/decide/evidence.ts';
import type { FieldName } from '../../../../src/domain/record/canonical.ts';
import type { VendorObservation } from '../../../../src/domain/record/observation.ts';
import { mappingConfig } from '../../../support/mapping/fixtures.ts';
import { theirs } from '../../../support/value-engine/samples.ts';

const config = mappingConfig({
  rules: { name: 'crm', description: 'newest', nextMilestone: 'manual', customerSiteId: 'crm', currency: 'crm' },
});

const FIELDS: readonly FieldName[] = [
  ...(['name', 'description', 'nextMilestone', 'status', 'competitors'] as const),
  ...(['customerLegalEntity', 'customerSiteId', 'currency'] as const),
];

/**
 * Each row: what is known of the vendor, and the fields that may be written. Of the last four fields, three are sent as a part of a list or
 * an entity, and the currency decides what the vendor's amounts mean.
 */
test.each<[string, VendorObservation | null, readonly FieldName[]]>([
  ['no reading', null, ['name']],
  ['a search', theirs({}, { source: 'search' }), ['name', 'description']],
  ['a kept reading', theirs({}, { source: 'kept' }), ['name', 'description']],
  [
    'a reading under an own write',
    theirs({}, { optimistic: ['competitors'] }),
    ['name', 'description', 'nextMilestone', 'status', 'competitors'],
  ],
  ['a reading', theirs({}), FIELDS],
])('%s permits writes of %j', (_, reading, expected) => {
  expect(FIELDS.filter((field) => permits(reading, [field], config))).toEqual(expected);
  expect(permits(reading, FIELDS, config)).toBe(expected.length === FIELDS.length);
  expect(permits(reading, [], config)).toBe(true);
});
