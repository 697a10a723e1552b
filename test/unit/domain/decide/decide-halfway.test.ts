import { describe, expect, test } from 'vitest';
import { lineRow, mappingConfig } from '../../../support/mapping/fixtures.ts';
import { createEngineWorld, type EngineWorld, type Fault } from '../../../support/value-engine/world.ts';

/** Lines of a merge whose half is at the vendor while the CRM does not accept its own half. */

type VendorLine = {
  readonly offerNameId: string;
  readonly amount: number;
  readonly revenueType: string | null;
};

const theirs = (amount: number, revenueType: string | null = 'ONE_TIME'): VendorLine => ({
  ...{ offerNameId: 'OFFER-A', amount, revenueType },
});
const ADDED: VendorLine = { offerNameId: 'OFFER-B', amount: 70, revenueType: null };

/** A CRM user edits the amount and adds a line, a vendor user the revenue type; what happens while only the vendor has heard of it. */
function halfway(
  prefer: 'crm' | 'vendor',
  meanwhile: (world: EngineWorld) => void,
  nextRead: Fault = 'ok',
): EngineWorld {
  const world = createEngineWorld({
    config: mappingConfig({ prefer }),
    graph: { lines: [lineRow('L1', 'OFFER-A', 100, null)] },
  });
  world.activate('crm');
  world.activate('vendor');
  world.editVendor({ offerLines: [theirs(100)] });
  world.editCrmLines(() => [lineRow('L1', 'OFFER-A', 5, null), lineRow('L2', 'OFFER-B', 70, null)]);
  const commands = world.activate('any', ['ok', 'ok', 'unavailable', nextRead], (n) => {
    if (world.writes.at(-1) === 'update offerLines' && n === 5) meanwhile(world);
  });
  expect(commands.slice(0, 5)).toEqual(['read-vendor', 'plan', 'update-at-vendor', 'plan', 'write-crm']);
  for (const _ of [1, 2]) world.activate('any');
  return world;
}

const shown = (world: EngineWorld): unknown[] =>
  [world.crmRecord(), world.vendorRecord()].map(({ offerLines = [] }) =>
    offerLines.map(({ offerNameId, amount }) => `${offerNameId} ${amount}`),
  );

describe.each(['crm', 'vendor'] as const)('where a rule prefers the %s, and nobody can tell the times', (prefer) => {
  test.each<[string, (world: EngineWorld) => void, string[]]>([
    ['nobody does anything', () => {}, ['OFFER-A 5', 'OFFER-B 70']],
    [
      'a vendor user edits the amount after that',
      (world) => world.editVendor({ offerLines: [theirs(7), ADDED] }),
      ['OFFER-A 7', 'OFFER-B 70'],
    ],
    [
      'a CRM user edits it again',
      (world) => world.editCrmLines(() => [lineRow('L1', 'OFFER-A', 6, null), lineRow('L2', 'OFFER-B', 70, null)]),
      ['OFFER-A 6', 'OFFER-B 70'],
    ],
    [
      'a vendor user edits the line that was added',
      (world) => world.editVendor({ offerLines: [theirs(5), { ...ADDED, amount: 71 }] }),
      ['OFFER-A 5', 'OFFER-B 71'],
    ],
    ['a vendor user removes it', (world) => world.editVendor({ offerLines: [theirs(5)] }), ['OFFER-A 5']],
  ])('%s: the later edit stays', (_, meanwhile, lines) => {
    const world = halfway(prefer, meanwhile);
    expect(shown(world)).toEqual([lines, lines]);
    expect(world.crmRecord().offerLines?.[0]?.revenueType).toBe(world.vendorRecord().offerLines?.[0]?.revenueType);
    expect(world.link().base).not.toHaveProperty('partlyAppliedLines');
    expect(world.link().base?.overruled ?? {}).toEqual({});
  });

  test('nothing is taken for an edit that a reading from before our update shows', () => {
    const world = halfway(prefer, () => {}, 'late');
    expect(shown(world)).toEqual([
      ['OFFER-A 5', 'OFFER-B 70'],
      ['OFFER-A 5', 'OFFER-B 70'],
    ]);
  });
});
