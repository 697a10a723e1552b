import { describe, expect, test } from 'vitest';
import { type MergeInput, merge } from '../../../../src/domain/merge/merge.ts';
import type { Observed } from '../../../../src/domain/record/canonical.ts';
import { agreedBase, mergeInput, usualRecord, V1, V2 } from '../../../support/value-engine/samples.ts';

/** A field of which the ledger, which was brought back, cannot tell which side's value is the edit. */
const agreed = usualRecord();
const crm: Observed = { ...agreed, description: 'ours' };
const vendor: Observed = { ...agreed, description: 'theirs' };
const told = { description: { crm: 'ours', vendor: 'theirs' } };

function decided(change: Partial<MergeInput>, now = vendor) {
  const base = { ...agreedBase(agreed), unsure: ['description' as const], held: told };
  return merge(mergeInput(agreed, crm, now, { base, ...change })).decisions.find(
    ({ field }) => field === 'description',
  );
}

describe('a conflict that was told after the ledger was brought back', () => {
  const later: Partial<MergeInput> = {
    crmChange: { after: null, until: V1 },
    vendorChange: { after: V1, until: V2 },
  };

  test('waits on where only a stamp has moved, as an update of ours moves it', () => {
    expect(decided(later)?.verdict).toBe('conflict-held');
  });

  test('ends where one side changes', () => {
    expect(decided(later, { ...vendor, description: 'again' })?.verdict).toBe('conflict-vendor');
  });
});
