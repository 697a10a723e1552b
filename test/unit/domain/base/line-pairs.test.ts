import { expect, test } from 'vitest';
import { withCreatedLineIds } from '../../../../src/domain/base/line-pairs.ts';
import type { Base } from '../../../../src/domain/record/base.ts';
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

test('a base without such lines stays as it is, whatever is new', () => {
  const plain: Base = { ...base, crm: { offerLines: [line('L1', 'A', '1')] }, linePairs: [] };
  expect(withCreatedLineIds(plain, { offerLines: [line('L9', 'B', '2')] })).toBe(plain);
  expect(withCreatedLineIds(agreedBase({ name: 'a' }), {})).toEqual(agreedBase({ name: 'a' }));
});
