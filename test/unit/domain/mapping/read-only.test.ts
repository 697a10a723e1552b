import { expect, test } from 'vitest';
import { syncFields } from '../../../../src/domain/mapping/index.ts';

test.each<[string, string | null, object]>([
  ['poNumber', '7', { PO_Number__c: '7' }],
  ['poNumber', null, { PO_Number__c: null }],
  ['poNumber', 'x'.repeat(300), { PO_Number__c: 'x'.repeat(255) }],
  ['dsComment', 'x'.repeat(300), { Vendor_Comment__c: 'x'.repeat(300) }],
  ['dsComment', 'x'.repeat(40_000), { Vendor_Comment__c: 'x'.repeat(32_768) }],
  ['createdDate', '2026-03-01T10:00:00.000Z', { Vendor_Created__c: '2026-03-01T10:00:00.000Z' }],
  ['createdDate', 'some day', {}],
  ['unknown', 'x', {}],
])('the vendor’s %s %.10s fits its field of the child record', (field, value, expected) => {
  expect(syncFields({ [field]: value })).toEqual(expected);
});
