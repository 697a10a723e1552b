import { describe, expect, test } from 'vitest';
import type { Observed } from '../../../../src/domain/record/canonical.ts';
import { lineRow, mappingConfig } from '../../../support/mapping/fixtures.ts';
import { createEngineWorld, type EngineWorld } from '../../../support/value-engine/world.ts';

/** Sides that do not apply what they are sent: each record settles, and the difference is reported. */

/** Looks at both sides until nothing is written for three looks; what was written. */
function rest(world: EngineWorld): string[] {
  const before = world.writes.length;
  for (let look = 0; look < 4; look += 1) world.activate(look % 2 === 0 ? 'any' : 'vendor');
  const settled = world.writes.length;
  world.activate('any');
  expect(world.writes.length).toBe(settled);
  return world.writes.slice(before);
}

const codes = (world: EngineWorld): string[] => world.link().issues.map((issue) => issue.code);

test('the usual deal: one create, the vendor’s defaults stay there, one report', () => {
  const world = createEngineWorld();
  const commands = world.activate('crm');
  expect(commands).toEqual(['plan', 'create-at-vendor', 'report', 'wait']);
  expect(rest(world)).toEqual([]);
  expect(world.link()).toMatchObject({
    state: 'in-sync',
    base: { defaulted: ['reasonLost'], awaitingEcho: [] },
  });
  expect(world.crmRecord().reasonLost).toEqual([]);
});

describe('a vendor that ignores a field', () => {
  function ignored(): EngineWorld {
    const world = createEngineWorld({ vendor: { ignores: ['description'] } });
    world.activate('crm');
    world.editCrm({ Description: 'ours' });
    world.activate('crm');
    return world;
  }

  test('is sent the value once; the CRM keeps it, and users are notified', () => {
    const world = ignored();
    expect(rest(world)).toEqual([]);
    expect(world.crmRecord().description).toBe('ours');
    expect(world.link()).toMatchObject({
      state: 'parked',
      issues: [{ code: 'vendor-refused', field: 'description' }],
    });
    world.activate('crm');
    expect(world.link().state).toBe('parked');
  });

  test('is sent the next edit once as well', () => {
    const world = ignored();
    rest(world);
    world.editCrm({ Description: 'ours again' });
    expect(rest(world)).toEqual(['update description']);
  });

  test('may still change it itself', () => {
    const world = ignored();
    rest(world);
    world.editVendor({ description: 'theirs' });
    expect(rest(world)).toHaveLength(1);
    expect(world.crmRecord().description).toBe('theirs');
    expect(world.link().state).toBe('in-sync');
  });
});

describe('a vendor that keeps the rows that we remove', () => {
  function without(retainsRows: 'until cleared' | 'always'): EngineWorld {
    const lines = [lineRow('L1', 'OFFER-A', 100, null), lineRow('L2', 'OFFER-B', 200, null)];
    const world = createEngineWorld({ vendor: { retainsRows }, graph: { lines } });
    world.activate('crm');
    world.activate('vendor');
    world.editCrmLines((rows) => rows.filter((row) => row['Id'] !== 'L2'));
    return world;
  }
  const offers = (record: Observed): unknown[] => (record.offerLines ?? []).map((line) => line.offerNameId);

  test('is asked to clear the list, and then sent it again', () => {
    const world = without('until cleared');
    expect(rest(world)).toEqual(['update offerLines', 'update offerLines', 'update offerLines']);
    expect(offers(world.vendorRecord())).toEqual(['OFFER-A']);
    expect(offers(world.crmRecord())).toEqual(['OFFER-A']);
    expect(world.link()).toMatchObject({ state: 'in-sync', issues: [] });
    expect(world.decisions.map(({ verdict, rule }) => [verdict, rule])).toContainEqual([
      'cleared',
      'the vendor keeps removed rows',
    ]);
  });

  test('is asked so once; where that does not help, users are notified', () => {
    const world = without('always');
    expect(rest(world)).toHaveLength(3);
    expect(offers(world.crmRecord())).toEqual(['OFFER-A']);
    expect(world.link()).toMatchObject({
      state: 'parked',
      issues: [{ code: 'vendor-refused', field: 'offerLines' }],
    });
  });

  test('may still change a row that we did not remove', () => {
    const world = without('until cleared');
    rest(world);
    world.editVendor({ offerLines: [{ offerNameId: 'OFFER-A', amount: 150, revenueType: null }] });
    rest(world);
    expect(world.crmRecord().offerLines).toMatchObject([{ offerNameId: 'OFFER-A', amount: '150' }]);
  });

  test('is cleared of a removed contact as well', () => {
    const world = createEngineWorld({ vendor: { retainsRows: 'until cleared' } });
    world.activate('crm');
    world.activate('vendor');
    world.editCrmContacts((rows) => rows.map((row) => ({ ...row, Email: 'new@customer.test' })));
    expect(rest(world)).toHaveLength(3);
    expect(world.vendorRecord().customerContacts?.map(({ email }) => email)).toEqual(['new@customer.test']);
    expect(world.link().state).toBe('in-sync');
  });
});

test('a vendor that does not keep our reference is sent it once', () => {
  const world = createEngineWorld({ vendor: { ignores: ['partnerLeadOpportunityId'] } });
  world.activate('crm');
  world.editVendor({ partnerLeadOpportunityId: null });
  expect(rest(world)).toEqual(['update ']);
});

test('a vendor that rounds and folds gets each value once, and the CRM keeps its own', () => {
  const world = createEngineWorld({
    vendor: { rounds: true, trims: true },
    opportunity: { Name: 'Core  switches ' },
  });
  world.activate('crm');
  expect(rest(world)).toEqual([]);
  expect(world.graph().opportunity['Name']).toBe('Core  switches ');
  expect(world.crmRecord().offerLines?.[0]?.amount).toBe('100.1');
  expect(world.link().state).toBe('in-sync');
});

test('a field that is withheld is never sent, and nothing else waits for it', () => {
  const world = createEngineWorld({ opportunity: { StageName: 'Qualification' } });
  world.activate('crm');
  world.editCrm({ Vendor_Forecast_Category__c: 'SAFE' });
  expect(rest(world)).toEqual([]);
  world.editCrm({ Description: 'new' });
  expect(rest(world)).toEqual(['update description']);
  world.editCrm({ StageName: 'Value Proposition' });
  expect(rest(world)).toEqual(['update status forecastCategory']);
});

describe('a vendor line whose offer no product carries', () => {
  const theirs = (world: EngineWorld): unknown[] => [
    ...(world.vendor.now()['offerLines'] as unknown[]),
    { offerNameId: 'OFFER-X', amount: 5, revenueType: null },
  ];

  test('is never written, is reported at each look, and holds up no other line', () => {
    const unknownOffers = new Set(['OFFER-X']);
    const world = createEngineWorld({ unknownOffers });
    world.activate('crm');
    world.editVendor({ offerLines: theirs(world) });
    expect(rest(world)).toEqual([]);
    expect([world.link().state, codes(world)]).toEqual(['parked', ['unknown-offer']]);
    world.editCrmLines((rows) => rows.map((row, at) => (at === 0 ? { ...row, TotalPrice: 7 } : row)));
    expect(rest(world)).toEqual(['update offerLines']);
    expect(world.vendorRecord().offerLines?.map((line) => line.amount)).toEqual(['7', '250', '5']);
    expect(codes(world)).toEqual(['unknown-offer']);
    unknownOffers.clear();
    expect(rest(world)).toEqual(['crm +1 ~0 -0']);
    expect(world.link().state).toBe('in-sync');
  });
});

describe('a CRM that does not keep what it is given', () => {
  test.each([
    ['puts the former value back', 'Replace the core'],
    ['puts one of its own', 'set by a flow'],
  ])('%s: one write each way, then both say what the CRM says', (_, kept) => {
    const world = createEngineWorld({ crmStores: (written) => ({ ...written, Description: kept }) });
    world.activate('crm');
    world.editVendor({ description: 'theirs' });
    expect(rest(world)).toEqual(['crm Description +0 ~0 -0', 'update description']);
    expect(world.vendorRecord().description).toBe(kept);
  });

  test('trims: one write, and each side keeps a normalised form of the same text', () => {
    const world = createEngineWorld({
      crmStores: (written) => ({ ...written, Description: String(written['Description']).trim() }),
    });
    world.activate('crm');
    world.editVendor({ description: ' theirs ' });
    expect(rest(world)).toEqual(['crm Description +0 ~0 -0']);
    expect([world.crmRecord().description, world.vendorRecord().description]).toEqual(['theirs', ' theirs ']);
    expect(rest(world)).toEqual([]);
  });
});

describe('a CRM stage without a vendor status', () => {
  test('is not overwritten by the vendor, whose status is reported raw', () => {
    const config = mappingConfig({
      stages: mappingConfig().stages.filter((row) => row.stage !== 'Closed Lost'),
    });
    const world = createEngineWorld({ config });
    world.activate('crm');
    world.editCrm({ StageName: 'Closed Lost' });
    rest(world);
    world.editVendor({ status: 'QUALIFIED' });
    expect(rest(world)).toEqual([]);
    expect(world.graph().opportunity).toMatchObject({
      StageName: 'Closed Lost',
      Vendor_Status__c: 'QUALIFIED',
    });
    expect([world.link().state, codes(world)]).toEqual(['parked', ['no-code-for-value']]);
    world.editCrm({ StageName: 'Negotiation/Review' });
    expect(rest(world)).toHaveLength(1);
    expect(world.vendorRecord().status).toBe(world.crmRecord().status);
  });
});

test('a closing status of the vendor is shown from the moment on, and closes nothing', () => {
  const world = createEngineWorld();
  world.activate('crm');
  world.editVendor({ status: 'WON' });
  rest(world);
  expect(world.graph().opportunity).toMatchObject({
    StageName: 'Perception Analysis',
    Vendor_Status__c: 'WON',
  });
  expect(world.link().state).toBe('closed-at-vendor');
});

test('the partner’s own lines are normal: reported, neither sent nor touched', () => {
  const lines = [lineRow('00k000000000009AAA', null, 5, null), lineRow('00k000000000001AAA', 'OFFER-A', 9, null)];
  const world = createEngineWorld({ graph: { lines } });
  world.activate('crm');
  expect([world.link().state, codes(world)]).toEqual(['in-sync', ['line-not-shared']]);
  world.editVendor({ offerLines: [{ offerNameId: 'OFFER-A', amount: 8, revenueType: null }] });
  expect(rest(world)).toEqual(['crm +0 ~1 -0']);
  expect(world.graph().lines.map((row) => row['TotalPrice'])).toEqual([5, 8]);
});

describe('what a lost answer or a late reading hides', () => {
  test('a create whose answer was lost is adopted, not repeated', () => {
    const world = createEngineWorld();
    world.activate('crm', ['answer-lost']);
    expect(world.writes).toHaveLength(1);
    expect(world.link()).toMatchObject({ vendorId: 'DS-1', state: 'in-sync' });
    expect(rest(world)).toEqual([]);
  });

  test('an update whose answer was lost is no edit of the vendor, though the user went on editing', () => {
    const world = createEngineWorld({ config: mappingConfig({ prefer: 'vendor' }) });
    world.activate('crm');
    world.editCrm({ Description: 'first' });
    let edited = false;
    world.activate('crm', ['ok', 'answer-lost'], () => {
      if (edited || !world.writes.includes('update description')) return;
      edited = true;
      world.editCrm({ Description: 'second' });
    });
    rest(world);
    expect([world.crmRecord().description, world.vendorRecord().description]).toEqual(['second', 'second']);
  });

  test.each([[['late']], [['late', 'late']], [['late', 'late', 'late']]] as const)(
    'readings from before our write (%j) take nothing back',
    (late) => {
      const world = createEngineWorld();
      world.activate('crm');
      rest(world);
      world.editCrm({ Description: 'ours' });
      world.activate('crm');
      const before = world.writes.length;
      for (const fault of late) world.activate('any', [fault]);
      expect(world.writes.slice(before)).toEqual([]);
      expect(rest(world)).toEqual([]);
      expect(world.vendorRecord().description).toBe('ours');
      expect(world.link().state).toBe('in-sync');
    },
  );

  test('a reading older than what is known changes nothing', () => {
    const world = createEngineWorld();
    world.activate('crm');
    world.editVendor({ description: 'theirs' });
    world.activate('vendor');
    world.activate('any', ['late']);
    expect(world.crmRecord().description).toBe('theirs');
    expect(rest(world)).toEqual([]);
  });
});

test('fields that the CRM’s user may not see stay open, and follow once they are seen', () => {
  const world = createEngineWorld();
  world.activate('crm');
  const whole = world.graph().opportunity['Vendor_Next_Milestone__c'];
  world.editCrm({ Vendor_Next_Milestone__c: undefined as never });
  world.editVendor({ nextMilestone: 'theirs' });
  expect(rest(world)).toEqual([]);
  expect([world.link().state, codes(world)]).toEqual(['parked', ['field-hidden']]);
  world.editCrm({ Vendor_Next_Milestone__c: whole ?? null });
  expect(rest(world)).toEqual(['crm Vendor_Next_Milestone__c +0 ~0 -0']);
  expect(world.link().state).toBe('in-sync');
});

describe('what is known of our own writes outlasts', () => {
  test('an update that was refused by chance, with a late reading after it', () => {
    const world = createEngineWorld();
    world.activate('any');
    world.editCrm({ StageName: 'Qualification' });
    world.activate('crm');
    world.editCrm({ StageName: 'Value Proposition' });
    world.activate('crm', ['ok', 'unavailable', 'late']);
    rest(world);
    expect([world.crmRecord().status, world.vendorRecord().status]).toEqual(['OPPY_OPEN', 'OPPY_OPEN']);
  });

  test('a field that waits, with a late reading after it', () => {
    const world = createEngineWorld({ config: mappingConfig({ prefer: 'vendor' }) });
    world.activate('any');
    world.editCrm({ StageName: 'Qualification', Vendor_Forecast_Category__c: 'UPSIDE' });
    world.editCrm({ Vendor_Next_Milestone__c: 'Contract' });
    world.activate('crm');
    world.activate('any');
    world.activate('any', ['late']);
    expect(world.crmRecord().nextMilestone).toBe('Contract');
  });

  test('two updates without an answer', () => {
    const world = createEngineWorld({ config: mappingConfig({ prefer: 'vendor' }) });
    world.activate('any');
    world.editCrm({ Vendor_Next_Milestone__c: 'Demo two' });
    world.activate('crm', ['ok', 'killed']);
    world.editCrm({ Vendor_Next_Milestone__c: 'Contract' });
    world.activate('crm', ['ok', 'unavailable']);
    rest(world);
    expect([world.crmRecord().nextMilestone, world.vendorRecord().nextMilestone]).toEqual(['Contract', 'Contract']);
  });

  test('a CRM write without an answer, with another edit at the vendor after it', () => {
    const world = createEngineWorld();
    world.activate('any');
    world.editVendor({ nextMilestone: 'Demo two' });
    world.activate('vendor', ['ok', 'killed']);
    expect(world.crmRecord().nextMilestone).toBe('Demo two');
    world.editVendor({ nextMilestone: 'Contract' });
    rest(world);
    expect([world.crmRecord().nextMilestone, world.vendorRecord().nextMilestone]).toEqual(['Contract', 'Contract']);
  });

  test('a worker that dies between the vendor’s defaults and their note: they stay at the vendor', () => {
    const world = createEngineWorld();
    world.activate('crm');
    world.editVendor({ nextMilestone: 'Contract' });
    world.activate('vendor', ['ok', 'killed']);
    rest(world);
    expect(world.crmRecord().reasonLost).toEqual([]);
  });
});
