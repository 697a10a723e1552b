import { expect, it } from 'vitest';
import { movedFields, underMapping, withResync } from '../../../../src/domain/base/under-mapping.ts';
import { type Base, EMPTY_BASE } from '../../../../src/domain/record/base.ts';

const agreed = { name: 'Deal', nextMilestone: 'Pilot', description: 'Words' };
const base: Base = { ...EMPTY_BASE, crm: agreed, vendor: agreed };
const fields = { nextMilestone: { crm: 'Our_Milestone__c' } };

it('a base holds under the mapping that it was made under', () => {
  expect(movedFields(base, {})).toEqual([]);
  expect(underMapping(base, {})).toBe(base);
});

it.each([
  ['moved', base, { fields }, ['nextMilestone']],
  ['that meets anew', withResync(base, ['name']), {}, ['name']],
  ['of each kind', withResync(base, ['name']), { fields }, ['name', 'nextMilestone']],
] as const)('of a field %s the CRM’s half is no agreement, and that of no other', (_, before, mapping, moved) => {
  expect(movedFields(before, mapping)).toEqual(moved);
  const after = underMapping(before, mapping);
  const left = Object.keys(agreed).filter((name) => !(moved as readonly string[]).includes(name));
  expect(Object.keys(after.crm)).toEqual(left);
  expect(after.vendor).toEqual(agreed);
  expect(movedFields(after, mapping)).toEqual([]);
});
