import { expect, test } from 'vitest';
import { withLinesOfProducts } from '../../../../src/domain/lines/lines-with-product.ts';
import type { Observed } from '../../../../src/domain/record/canonical.ts';

const lines = (...offers: readonly (string | null)[]) =>
  offers.map((offerNameId) => ({ offerNameId, amount: '1', revenueType: null }));

test.each<[string, Observed, Observed, string[]]>([
  ['lines that are not shown', { name: 'a' }, { name: 'a' }, []],
  ['no lines', { offerLines: [] }, { offerLines: [] }, []],
  ['lines that the CRM can hold', { offerLines: lines('A', 'B') }, { offerLines: lines('A', 'B') }, []],
  [
    'offers without a product',
    { name: 'a', offerLines: lines('X', 'A', 'Y') },
    { name: 'a', offerLines: lines('A') },
    ['"Vendor: offer id" X', '"Vendor: offer id" Y'],
  ],
  ['a line that names no offer', { offerLines: lines(null, 'A') }, { offerLines: lines('A') }, ['names no product']],
])('of a record with %s', (_, record, expected, result) => {
  const { record: kept, issues } = withLinesOfProducts(record, { unknownOffers: new Set(['X', 'Y']) });
  expect(kept).toEqual(expected);
  expect(issues).toEqual(
    result.map((part) => ({
      code: 'unknown-offer',
      field: 'offerLines',
      message: expect.stringContaining(part),
    })),
  );
});
