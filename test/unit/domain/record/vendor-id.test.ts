import { expect, it } from 'vitest';
import { isVendorId } from '../../../../src/domain/record/vendor-id.ts';

it.each(['LO-00000001', 'x', '_a.b:c+d=e/f#g~h-i', '1'.repeat(64)])('%s can be the vendor’s id of a record', (text) => {
  expect(isVendorId(text)).toBe(true);
});

it.each([
  ['nothing', ''],
  ['65 characters', '1'.repeat(65)],
  ['a blank', 'LO 1'],
  ['a blank before', ' LO-1'],
  ['a line of its own', 'LO-1\n'],
  ['a NUL', 'LO-1\0'],
  ['a mark at the beginning', '/LO-1'],
  ['a quote', "LO-1'"],
  ['a letter outside ASCII', 'LÖ-1'],
  ['an opportunity’s id of 15 characters', '006ld0AAAAn6phv'],
  ['a number', 12],
  ['null', null],
])('%s cannot', (_, text) => {
  expect(isVendorId(text)).toBe(false);
});
