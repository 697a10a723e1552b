import { describe, expect, test } from 'vitest';
import { createEngineWorld } from '../../../support/value-engine/world.ts';

type World = ReturnType<typeof createEngineWorld>;

function rest(world: World): readonly string[] {
  const before = world.writes.length;
  for (let round = 0; round < 6; round += 1) world.activate('any');
  return world.writes.slice(before);
}

const codes = (world: World): readonly string[] => world.link().issues.map(({ code, field }) => `${code} ${field}`);

describe('a vendor that ignores a key that it is sent', () => {
  const vendor = { ignores: ['gtmTacticId'] };

  test('of an update: reported once, not sent again and again, and the next edit goes', () => {
    const world = createEngineWorld({ vendor });
    world.activate('crm');
    world.editCrm({ Vendor_GTM_Tactic__c: 'ours' });
    expect(rest(world)).toEqual(['update gtmTacticId']);
    expect(codes(world)).toEqual(['vendor-refused gtmTacticId']);
    expect(world.graph().opportunity).toMatchObject({ Vendor_GTM_Tactic__c: 'ours' });
    world.editCrm({ Description: 'beside' });
    expect(rest(world)).toEqual(['update description']);
    world.editVendor({ nextMilestone: 'theirs' });
    expect(rest(world)).toEqual(['crm Vendor_Next_Milestone__c +0 ~0 -0']);
    expect(codes(world)).toEqual(['vendor-refused gtmTacticId']);
    world.editCrm({ Vendor_GTM_Tactic__c: 'again' });
    expect(rest(world)).toEqual(['update gtmTacticId']);
    expect(codes(world)).toEqual(['vendor-refused gtmTacticId']);
    expect(world.graph().opportunity).toMatchObject({ Vendor_GTM_Tactic__c: 'again' });
  });

  test('of a create: what the CRM has is no less its own', () => {
    const world = createEngineWorld({ vendor, opportunity: { Vendor_GTM_Tactic__c: 'ours' } });
    expect(rest(world)).toHaveLength(1);
    expect(codes(world)).toEqual(['vendor-refused gtmTacticId']);
    world.editVendor({ nextMilestone: 'theirs' });
    expect(rest(world)).toEqual(['crm Vendor_Next_Milestone__c +0 ~0 -0']);
    expect(world.graph().opportunity).toMatchObject({ Vendor_GTM_Tactic__c: 'ours' });
    expect(codes(world)).toEqual(['vendor-refused gtmTacticId']);
    world.editCrm({ Vendor_GTM_Tactic__c: 'again' });
    expect(rest(world)).toEqual(['update gtmTacticId']);
    expect(world.graph().opportunity).toMatchObject({ Vendor_GTM_Tactic__c: 'again' });
  });

  test('is no user of the vendor who clears a field after the create', () => {
    const world = createEngineWorld({ opportunity: { Vendor_GTM_Tactic__c: 'ours' } });
    world.activate('crm', ['ok', 'unavailable']);
    world.editVendor({ gtmTacticId: '' });
    expect(rest(world)).toEqual(['crm Vendor_GTM_Tactic__c +0 ~0 -0']);
    expect(world.graph().opportunity).toMatchObject({ Vendor_GTM_Tactic__c: null });
  });
});
