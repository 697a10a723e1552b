import { expect, test } from 'vitest';
import { permits } from '../../../../src/domain/decide/evidence.ts';
import type { FieldName } from '../../../../src/domain/record/canonical.ts';
import type { VendorObservation } from '../../../../src/domain/record/observation.ts';
import { mappingConfig } from '../../../support/mapping/fixtures.ts';
import { theirs } from '../../../support/value-engine/samples.ts';

const config = mappingConfig({ rules: { name: 'crm', description: 'newest', nextMilestone: 'manual' } });

/** Each row: what is known of the vendor, and the fields that may be written. All fields but the last two are scalar. */
test.each<[string, VendorObservation | null, readonly FieldName[]]>([
  ['no reading', null, ['name']],
  ['a search', theirs({}, { source: 'search' }), ['name', 'description']],
  ['a kept reading', theirs({}, { source: 'kept' }), ['name', 'description']],
  [
    'a reading under an own write',
    theirs({}, { optimistic: ['competitors'] }),
    ['name', 'description', 'nextMilestone', 'status', 'competitors'],
  ],
  ['a reading', theirs({}), ['name', 'description', 'nextMilestone', 'status', 'competitors', 'customerLegalEntity']],
])('%s permits writes of %j', (_, reading, expected) => {
  const fields: FieldName[] = ['name', 'description', 'nextMilestone', 'status', 'competitors', 'customerLegalEntity'];
  expect(fields.filter((field) => permits(reading, [field], config))).toEqual(expected);
  expect(permits(reading, fields, config)).toBe(expected.length === fields.length);
  expect(permits(reading, [], config)).toBe(true);
});
