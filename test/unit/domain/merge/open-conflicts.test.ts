/** How a reported conflict and its pick decide a status, and what they do not decide. */
import { describe, expect, test } from 'vitest';
import { merge } from '../../../../src/domain/merge/merge.ts';
import type { MergeInput } from '../../../../src/domain/merge/merge-types.ts';
import type { Observed } from '../../../../src/domain/record/canonical.ts';
import { PICKED } from '../../../../src/domain/record/field-decision.ts';
import { mappingConfig } from '../../../support/mapping/fixtures.ts';
import { agreedBase, mergeInput } from '../../../support/value-engine/samples.ts';

const [OPEN, FURTHER, WON, LOST] = ['OPPY_VALID', 'OPPY_ESTAB', 'WON', 'OPPY_LOST'];
const of = (status: string): Observed => ({ status });

type Told = NonNullable<ReturnType<typeof agreedBase>['held']>;

function decided(crm: Observed, vendor: Observed, held: Told, change: Partial<MergeInput> = {}) {
  const base = { ...agreedBase(of(OPEN)), held };
  const { decisions } = merge(mergeInput(of(OPEN), crm, vendor, { base, ...change }));
  return decisions.find(({ field }) => field === 'status');
}

describe('a status of which a conflict was reported', () => {
  const told = { status: { crm: OPEN, vendor: FURTHER } };

  test('is as the vendor has it where the CRM hides it', () => {
    const closed = { status: { crm: OPEN, vendor: WON } };
    expect(decided({}, of(WON), closed)?.verdict).toBe('to-crm');
  });

  test('is left alone where both sides show what they agreed on, whatever is picked', () => {
    expect(decided(of(OPEN), of(OPEN), told, { pick: 'vendor' })).toBeUndefined();
    const base = {
      ...agreedBase({}),
      crm: of(WON),
      vendor: of(LOST),
      held: { status: { crm: WON, vendor: LOST } },
    };
    expect(decided(of(WON), of(LOST), {}, { base })).toBeUndefined();
  });
});

test('a status that a side alone has is no conflict, whatever a person keeps of what never agreed', () => {
  const input = { ...mergeInput(null, of(OPEN), {}), firstPick: 'crm' as const };
  expect(merge(input).decisions).toMatchObject([{ field: 'status', verdict: 'to-vendor' }]);
});

test('a pick for the status decides no other field, which has a rule of its own', () => {
  const agreed: Observed = { status: OPEN, description: 'a' };
  const held = { status: { crm: OPEN, vendor: WON }, description: { crm: 'b', vendor: 'c' } };
  const base = { ...agreedBase(agreed), held };
  const config = mappingConfig({ rules: { description: 'crm' } });
  const sides = [
    { ...agreed, description: 'b' },
    { ...agreed, description: 'c' },
  ] as const;
  const { decisions } = merge(mergeInput(agreed, ...sides, { base, config, pick: 'vendor' }));
  expect(decisions).toMatchObject([{ field: 'description', verdict: 'conflict-crm', rule: 'crm' }]);
});

test('a pick for one field goes before one for all', () => {
  const agreed: Observed = { description: 'a' };
  const held = { description: { crm: 'b', vendor: 'c', picked: 'vendor' as const } };
  const config = mappingConfig({ rules: { description: 'manual' } });
  const picked = (pick: MergeInput['pick']) =>
    merge(
      mergeInput(
        agreed,
        { description: 'b' },
        { description: 'c' },
        {
          ...{ base: { ...agreedBase(agreed), held }, config, pick },
        },
      ),
    ).decisions;
  for (const pick of [null, 'crm'] as const)
    expect(picked(pick)).toMatchObject([{ verdict: 'conflict-vendor', rule: PICKED }]);
});
