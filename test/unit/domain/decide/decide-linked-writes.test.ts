import { describe, expect, test } from 'vitest';

import { lineRow } from '../../../support/mapping/fixtures.ts';
import {
  agreedBase,
  decideOn,
  rowOf,
  theirs,
  usualRecord,
  V1,
  V2,
  vendorReading,
} from '../../../support/value-engine/samples.ts';

const usual = usualRecord();

describe('a write to the vendor', () => {
  test('may be shown over by a late reading of what it went over', () => {
    const plan = decideOn({ opportunity: { Name: 'Ours' }, vendor: theirs({ name: 'Theirs' }) });
    expect(plan.baseAfter?.basedOn).toEqual({
      version: V2,
      previousValues: { name: [usual.name, 'Theirs'] },
    });
  });

  test('of lines that also go to the CRM leaves them open', () => {
    const lines = [lineRow('L1', 'OFFER-A', 1, null), lineRow('L2', 'OFFER-B', 2, null)];
    const agreed = usualRecord({}, { lines });
    const [first, second] = agreed.offerLines ?? [];
    const plan = decideOn({
      link: { base: agreedBase(agreed) },
      graph: {
        lines: [lineRow('L0 OFFER-A', 'OFFER-A', 5, null), lineRow('L1 OFFER-B', 'OFFER-B', 2, null)],
      },
      vendor: vendorReading({ ...agreed, offerLines: [first, { ...second, amount: '7' }] as never }),
    });
    expect(plan.next).toBe('update-at-vendor');
    expect(rowOf(plan, 'offerLines')?.verdict).toBe('merged');
    expect(plan.baseAfter).toMatchObject({ vendorVersion: V1, vendor: { offerLines: agreed.offerLines } });
  });
});

describe('a write to the CRM', () => {
  test('of a closing status waits for a person, as the stage stays', () => {
    const plan = decideOn({ vendor: theirs({ status: 'WON' }) });
    expect(plan).toMatchObject({ next: 'nothing', issues: [{ code: 'closed-at-vendor', field: 'status' }] });
  });
});
