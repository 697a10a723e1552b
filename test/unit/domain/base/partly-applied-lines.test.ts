import { describe, expect, test } from 'vitest';
import { baseAfterRestore } from '../../../../src/domain/base/after-restore.ts';
import { withPairs } from '../../../../src/domain/base/line-pairs.ts';
import { baseAfterCrmWrite, baseAfterMerge, baseAfterVendorWrite } from '../../../../src/domain/base/next-base.ts';
import { partlyAppliedLines } from '../../../../src/domain/lines/merge-line.ts';
import { observeCrm } from '../../../../src/domain/mapping/index.ts';
import type { Merge } from '../../../../src/domain/merge/merge-types.ts';
import type { Base } from '../../../../src/domain/record/base.ts';
import type { OfferLine } from '../../../../src/domain/record/canonical.ts';
import { crmGraph, mappingConfig } from '../../../support/mapping/fixtures.ts';
import { agreedBase, inCrm, V1, V2, vendorReading } from '../../../support/value-engine/samples.ts';

const line = (amount: string | null, revenueType: string | null = null, offerNameId = 'A'): OfferLine => ({
  ...{ offerNameId, amount, revenueType },
});
const named = (crmLineId: string, item: OfferLine): OfferLine => ({ ...item, crmLineId });

describe('what both sides agree on of a line, of which only the vendor has its half', () => {
  const before = { crm: named('L1', line('1')), vendor: line('1') };
  const halves = {
    crm: [named('L1', line('2')), named('L2', line('7', 'Upfront', 'B'))],
    forCrm: [named('L1', line('2', 'Monthly')), named('L2', line('7', 'Upfront', 'B')), line('9', null, 'C')],
    forVendor: [named('L1', line('2', 'Monthly')), line('9', null, 'C'), named('L2', line('7', 'Upfront', 'B'))],
  };

  test.each([
    ['goes to the CRM as another offer', { forCrm: [named('L1', line('2', null, 'X'))] }],
    ['goes to the vendor as another offer', { forVendor: [named('L1', line('2', null, 'X'))] }],
    ['is removed in the CRM', { forCrm: [] }],
    ['is not shown by the CRM', { crm: [] }],
    ['has no name in the CRM', { crm: [line('2')], forCrm: [line('2')], forVendor: [line('2')] }],
  ])('is nothing where it %s', (_, change) => {
    const [only] = [named('L1', line('2'))];
    const whole = { crm: [only], forCrm: [only], forVendor: [only], ...change } as typeof halves;
    expect(partlyAppliedLines(whole, () => before)).toEqual([]);
  });
});

describe('that is known until the CRM has its half too', () => {
  const offerLines = [line('1'), line('5', null, 'B')];
  const partlyAppliedLines = {
    basedOnVersion: V1,
    lines: [{ crm: named('L0 A', line('2')), vendor: line('2') }],
  };
  const base: Base = agreedBase({ offerLines, name: 'a' }, { partlyAppliedLines });
  const crm = { ...observeCrm(crmGraph(), mappingConfig()), record: inCrm({ offerLines, name: 'a' }) };
  const reading = vendorReading({ offerLines, name: 'a' }, { version: V2 });
  const merged = (field: 'offerLines' | 'name', verdict: 'to-crm' | 'same'): Merge => ({
    decisions: [{ field, verdict, rule: '', base: { crm: null, vendor: null }, crm: null, vendor: null }],
    ...{ toVendor: {}, toCrm: {}, held: [], issues: [], overDefaults: [] },
  });
  const update = (toCrm: object) =>
    baseAfterVendorWrite(
      base,
      { ...crm, record: inCrm({ offerLines: [line('3')] }) },
      { body: {}, fields: ['offerLines'], record: inCrm({ offerLines: [line('3')] }) },
      { alsoToCrm: toCrm, shown: { offerLines }, version: V2 },
    );

  test('through a merge in which lines stay open, and one about another field', () => {
    expect(baseAfterMerge(base, merged('offerLines', 'to-crm'), crm, reading)).toMatchObject({
      partlyAppliedLines,
    });
    expect(baseAfterCrmWrite(base, crm.record, reading, ['name'])).toMatchObject({ partlyAppliedLines });
    const name = { body: {}, fields: ['name' as const], record: { name: 'b' } };
    const sent = { alsoToCrm: {}, shown: null, version: V2 };
    expect(baseAfterVendorWrite(base, crm, name, sent)).toMatchObject({ partlyAppliedLines });
  });

  test.each<[string, Base]>([
    ['a merge in which nothing of them is open', baseAfterMerge(base, merged('name', 'same'), crm, reading)],
    ['a write of them to the CRM', baseAfterCrmWrite(base, crm.record, reading, ['offerLines'])],
    ['an update of all of them at the vendor', update({})],
    ['a vendor that was brought back', baseAfterRestore(base)],
    ['agreeing on others in the CRM', withPairs({ ...base, crm: { offerLines: [] } }, base)],
    ['agreeing on others at the vendor', withPairs({ ...base, vendor: { offerLines: [] } }, base)],
  ])('is over with %s', (_, after) => {
    expect(after).not.toHaveProperty('partlyAppliedLines');
  });

  test('is reported again by the next update of which the CRM has a half', () => {
    const toCrm = inCrm({ offerLines: [line('3', 'Monthly')] });
    const both = {
      crm: inCrm({ offerLines: [line('3')] }).offerLines?.[0],
      vendor: named('L0 A', line('3')),
    };
    expect(update(toCrm).partlyAppliedLines).toEqual({ basedOnVersion: V2, lines: [both] });
    // What the CRM has yet to be given is as it was when both agreed on all lines.
    const before = { crm: named('L0 A', line('1')), vendor: named('L0 A', line('1')) };
    expect(update(inCrm({ offerLines: [line('4')] })).partlyAppliedLines).toEqual({
      basedOnVersion: V2,
      lines: [before],
    });
    expect(update({ offerLines: [] })).not.toHaveProperty('partlyAppliedLines');
  });
});
