/** Reported conflicts, their picks, and fields whose edit nobody can recognise: how long the base keeps them. */
import { describe, expect, it } from 'vitest';
import { baseAfterMerge, baseAfterVendorWrite, withPick } from '../../../../src/domain/base/next-base.ts';
import { merge } from '../../../../src/domain/merge/merge.ts';
import type { Base } from '../../../../src/domain/record/base.ts';
import type { FieldName, Observed } from '../../../../src/domain/record/canonical.ts';
import { crmGraph } from '../../../support/mapping/fixtures.ts';
import { agreedBase, mergeInput, V2, vendorReading } from '../../../support/value-engine/samples.ts';

const AGREED: Observed = { name: 'a', description: 'a', nextMilestone: 'a' };
const look = (record: Observed) => ({ graph: crmGraph(), record, issues: [] });

describe('a field of which nobody can tell which side’s value is the edit', () => {
  const ancestorUnknown: readonly FieldName[] = ['name', 'description'];
  const merged = (crm: Observed, vendor: Observed): Base => {
    const base = { ...agreedBase(AGREED), ancestorUnknown };
    return baseAfterMerge(base, merge(mergeInput(AGREED, crm, vendor, { base })), look(crm), vendorReading(vendor));
  };

  it('stays one while its conflict is open', () => {
    expect(merged({ ...AGREED, name: 'b' }, { ...AGREED, name: 'c' }).ancestorUnknown).toEqual(['name']);
  });

  it('is none once both sides show the same', () => {
    expect(merged({ ...AGREED, name: 'b' }, { ...AGREED, name: 'b' })).not.toHaveProperty('ancestorUnknown');
  });
});

describe('a conflict that was reported', () => {
  const told = { crm: 'b', vendor: 'c' };
  const intent = { body: {}, fields: ['name'] as const, record: { name: 'b' } };
  const written = (held: Base['held']): Base =>
    baseAfterVendorWrite({ ...agreedBase(AGREED), ...(held && { held }) }, look({ name: 'b' }), intent, {
      ...{ alsoToCrm: {}, shown: null, version: V2 },
    });

  it('is over once the value is written that a person picked for it', () => {
    expect(written({ name: { ...told, picked: 'crm' } })).not.toHaveProperty('held');
  });

  it('waits on where another field is written, or nobody has picked', () => {
    const [description, nextMilestone] = [{ ...told, picked: 'vendor' } as const, told];
    const held = { name: { ...told, picked: 'crm' }, description, nextMilestone } as const;
    expect(written(held).held).toEqual({ description, nextMilestone });
    expect(written({ name: told }).held).toEqual({ name: told });
    expect(written(undefined)).not.toHaveProperty('held');
  });

  it('takes the side that a person picks for it, beside the others', () => {
    const base = { ...agreedBase(AGREED), held: { name: told, description: told } };
    expect(withPick(base, 'name', 'vendor')).toEqual({
      ...base,
      held: { name: { ...told, picked: 'vendor' }, description: told },
    });
  });

  it.each<[string, Base | null]>([
    ['in a link that agreed on nothing', null],
    ['in a link without conflicts', agreedBase(AGREED)],
    ['in that field', { ...agreedBase(AGREED), held: { description: told } }],
  ])('can be picked for by nobody where there is none %s', (_, base) => {
    expect(withPick(base, 'name', 'crm')).toBeNull();
  });
});
