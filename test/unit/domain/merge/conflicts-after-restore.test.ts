import { describe, expect, test } from 'vitest';
import { merge } from '../../../../src/domain/merge/merge.ts';
import type { MergeInput } from '../../../../src/domain/merge/merge-types.ts';
import type { FieldName, Observed } from '../../../../src/domain/record/canonical.ts';
import { LEDGER_RESTORED, PICKED } from '../../../../src/domain/record/field-decision.ts';
import { mappingConfig } from '../../../support/mapping/fixtures.ts';
import { agreedBase, inCrm, mergeInput, usualRecord, V1, V2 } from '../../../support/value-engine/samples.ts';

/** A field for which the restored ledger does not know which side's value is the edit. */
const agreed = usualRecord();
const crm: Observed = { ...agreed, description: 'ours' };
const vendor: Observed = { ...agreed, description: 'theirs' };
const told = { description: { crm: 'ours', vendor: 'theirs' } };

function decided(change: Partial<MergeInput>, now = vendor) {
  const base = { ...agreedBase(agreed), ancestorUnknown: ['description' as const], held: told };
  return merge(mergeInput(agreed, crm, now, { base, ...change })).decisions.find(
    ({ field }) => field === 'description',
  );
}

describe('a conflict that was reported after the ledger was brought back', () => {
  const later: Partial<MergeInput> = {
    crmChange: { after: null, until: V1 },
    vendorChange: { after: V1, until: V2 },
  };

  test('ends where one side changes', () => {
    expect(decided(later, { ...vendor, description: 'again' })?.verdict).toBe('conflict-vendor');
    expect(decided({}, { ...vendor, description: 'again' })?.verdict).toBe('conflict-vendor');
  });

  test('ends as a person picks', () => {
    expect(decided({ pick: 'vendor' })).toMatchObject({ verdict: 'conflict-vendor', rule: PICKED });
    expect(decided({ pick: 'crm' })).toMatchObject({ verdict: 'conflict-crm', rule: PICKED });
  });
});

describe('a field of which the ledger cannot tell which side’s value is the edit', () => {
  const ancestorUnknown = (
    field: FieldName,
    sides: Pick<MergeInput, 'crm' | 'vendor'>,
    change: Partial<MergeInput> = {},
  ) => {
    const base = { ...agreedBase(agreed), ancestorUnknown: [field] };
    const input = { ...mergeInput(agreed, {}, {}), ...sides, base, ...change };
    return merge(input).decisions.find((decision) => decision.field === field);
  };
  const edited = (description: string): Observed => ({ ...inCrm(agreed), description });

  test('is the one side’s where the other does not show it', () => {
    const { description: _, ...hidden } = inCrm(agreed);
    expect(ancestorUnknown('description', { crm: hidden, vendor: edited('theirs') })?.verdict).toBe('to-crm');
    expect(ancestorUnknown('description', { crm: edited('ours'), vendor: {} })?.verdict).toBe('to-vendor');
  });

  test('is the CRM’s where it travels to the vendor only', () => {
    const config = mappingConfig({ directions: { description: 'to-vendor' } });
    const sides = { crm: inCrm(agreed), vendor: edited('theirs') };
    expect(ancestorUnknown('description', sides, { config })?.verdict).toBe('ignored');
  });

  test('waits line by line, or is merged so where the times tell', () => {
    const priced =
      (amount: string) =>
      (record: Observed): Observed => ({
        ...record,
        offerLines: (record.offerLines ?? []).map((line, at) => (at === 0 ? { ...line, amount } : line)),
      });
    const sides = { crm: priced('5')(inCrm(agreed)), vendor: priced('7')(agreed) };
    expect(ancestorUnknown('offerLines', sides)).toMatchObject({
      verdict: 'conflict-held',
      rule: LEDGER_RESTORED,
    });
    const later = { crmChange: { after: null, until: V1 }, vendorChange: { after: V1, until: V2 } };
    expect(ancestorUnknown('offerLines', sides, later)).toMatchObject({
      verdict: 'to-crm',
      rule: LEDGER_RESTORED,
    });
  });
});
