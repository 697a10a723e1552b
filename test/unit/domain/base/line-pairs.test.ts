import { describe, expect, test } from 'vitest';
import { withCreatedLineIds, withPairs } from '../../../../src/domain/base/line-pairs.ts';
import { type Base, EMPTY_BASE } from '../../../../src/domain/record/base.ts';
import { agreedBase } from '../../../support/value-engine/samples.ts';

const line = (crmLineId: string | null, offerNameId: string, amount: string) => ({
  offerNameId,
  amount,
  revenueType: null,
  ...(crmLineId === null ? {} : { crmLineId }),
});

/** A base whose second and third line we have just created. */
const base: Base = {
  ...agreedBase({}),
  crm: { offerLines: [line('L1', 'A', '1'), line('created 1', 'B', '2'), line('created 2', 'B', '3')] },
  linePairs: [
    { crmLineId: 'L1', position: 0 },
    { crmLineId: 'created 1', position: 1 },
    { crmLineId: 'created 2', position: 2 },
  ],
};
const idsIn = ({ crm, linePairs }: Base) => [
  crm.offerLines?.map((each) => each.crmLineId),
  linePairs.map((pair) => pair.crmLineId),
];

test('an observation gives created lines their ids, the ones that say the same first', () => {
  const shown = { offerLines: [line('L9', 'B', '3'), line('L8', 'B', '7'), line('L1', 'A', '1')] };
  const ids = ['L1', 'L8', 'L9'];
  expect(idsIn(withCreatedLineIds(base, shown))).toEqual([ids, ids]);
});

test.each([
  ['of another offer', { offerLines: [line('L1', 'A', '1'), line('L9', 'C', '2')] }],
  ['that are gone', { offerLines: [line('L1', 'A', '1')] }],
  ['that are not shown', {}],
])('lines %s keep our names', (_, shown) => {
  expect(withCreatedLineIds(base, shown)).toEqual(base);
});

test('a base without such lines stays as it is, whatever is new', () => {
  const plain: Base = { ...base, crm: { offerLines: [line('L1', 'A', '1')] }, linePairs: [] };
  expect(withCreatedLineIds(plain, { offerLines: [line('L9', 'B', '2')] })).toBe(plain);
  expect(withCreatedLineIds(agreedBase({ name: 'a' }), {})).toEqual(agreedBase({ name: 'a' }));
});

describe('the pairs of a base', () => {
  const before: Base = {
    ...EMPTY_BASE,
    vendor: { offerLines: [line(null, 'A', '1'), line(null, 'A', '2')] },
    linePairs: [
      { crmLineId: 'L2', position: 0 },
      { crmLineId: 'L1', position: 1 },
    ],
  };
  const next: Base = {
    ...before,
    crm: { offerLines: [line('L1', 'A', '5'), line('L2', 'A', '5')] },
    vendor: { offerLines: [line(null, 'A', '5'), line(null, 'A', '5')] },
  };

  test.each([
    ['the CRM', { ...next, crm: {} }],
    ['the vendor', { ...next, vendor: {} }],
  ])('are none where %s does not show its lines', (_, hidden) => {
    expect(withPairs(hidden, before)).toEqual({ ...hidden, linePairs: [] });
  });
});
