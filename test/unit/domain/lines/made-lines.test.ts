import { expect, test } from 'vitest';
import { withMadeLines, withMadeLinesSeen } from '../../../../src/domain/lines/made-lines.ts';
import type { Base } from '../../../../src/domain/record/base.ts';
import { agreedBase } from '../../../support/engine-samples.ts';

const line = (crmLineId: string | null, offerNameId: string, amount: string) => ({
  offerNameId,
  amount,
  revenueType: null,
  ...(crmLineId === null ? {} : { crmLineId }),
});

/** A base whose second and third line we have just made. */
const base: Base = {
  ...agreedBase({}),
  crm: { offerLines: [line('L1', 'A', '1'), line('made 1', 'B', '2'), line('made 2', 'B', '3')] },
  linePairs: [
    { crmLineId: 'L1', position: 0 },
    { crmLineId: 'made 1', position: 1 },
    { crmLineId: 'made 2', position: 2 },
  ],
};
const idsIn = ({ crm, linePairs }: Base) => [
  crm.offerLines?.map((each) => each.crmLineId),
  linePairs.map((pair) => pair.crmLineId),
];

test('lines that a write makes get names of ours, and no others do', () => {
  expect(withMadeLines({ offerLines: [line('L1', 'A', '1'), line(null, 'B', '2')] }).offerLines).toEqual([
    line('L1', 'A', '1'),
    line('made 1', 'B', '2'),
  ]);
  expect(withMadeLines({ name: 'a' })).toEqual({ name: 'a' });
});

test('a look gives them their ids, the ones that say the same first', () => {
  const shown = { offerLines: [line('L9', 'B', '3'), line('L8', 'B', '7'), line('L1', 'A', '1')] };
  const ids = ['L1', 'L8', 'L9'];
  expect(idsIn(withMadeLinesSeen(base, shown))).toEqual([ids, ids]);
});

test.each([
  ['of another offer', { offerLines: [line('L1', 'A', '1'), line('L9', 'C', '2')] }],
  ['that are gone', { offerLines: [line('L1', 'A', '1')] }],
  ['that are not shown', {}],
])('lines %s keep our names', (_, shown) => {
  expect(withMadeLinesSeen(base, shown)).toEqual(base);
});

test('a base without such lines stays as it is, whatever is new', () => {
  const plain: Base = { ...base, crm: { offerLines: [line('L1', 'A', '1')] }, linePairs: [] };
  expect(withMadeLinesSeen(plain, { offerLines: [line('L9', 'B', '2')] })).toBe(plain);
  expect(withMadeLinesSeen(agreedBase({ name: 'a' }), {})).toEqual(agreedBase({ name: 'a' }));
});
