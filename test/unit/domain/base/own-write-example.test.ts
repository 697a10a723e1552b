/**
 * The example of `docs/design/own-writes.md`, in the rows that no contract test plays, and gaps of `docs/invariants.md` about own writes. A CRM
 * user enters "ours", and the answer to Lockstep's update is lost.
 */
import { describe, expect, it } from 'vitest';
import { mappingConfig } from '../../../support/mapping/fixtures.ts';
import {
  createEngineWorld,
  type EngineWorld,
  type Fault,
  type WorldOptions,
} from '../../../support/value-engine/world.ts';

type Config = NonNullable<Parameters<typeof mappingConfig>[0]>;

function linkedDeal(config: Config = {}, options: WorldOptions = {}): EngineWorld {
  const opportunity = { Description: 'old', Vendor_Next_Milestone__c: null };
  const world = createEngineWorld({ ...options, config: mappingConfig({ prefer: 'later', ...config }), opportunity });
  for (let pass = 0; pass < 2; pass += 1) world.activate('any');
  return world;
}

/** Sends "ours". `faults`: of the requests; `meanwhile`: the vendor user's entry as soon as the update was sent. */
function sendOurs(world: EngineWorld, faults: readonly Fault[], meanwhile: string | null = null): void {
  world.editCrm({ Description: 'ours' });
  const before = world.writes.length;
  let entry = meanwhile;
  world.activate('crm', faults, () => {
    if (entry === null || world.writes.length === before) return;
    world.editVendor({ description: entry });
    entry = null;
  });
}

function enterAtVendor(world: EngineWorld, description: string): void {
  world.editVendor({ description });
  world.activate('vendor');
}

function arriveLate(world: EngineWorld): void {
  expect(world.arrive()).toBe(true);
  world.activate('vendor');
}

function waitSeconds(world: EngineWorld, seconds: number): void {
  for (let second = 0; second < seconds; second += 1) expect(world.arrive()).toBe(false);
}

const shown = (world: EngineWorld) => [world.crmRecord().description, world.vendorRecord().description];
const both = (value: string): readonly string[] => [value, value];

/** The read before the update, and the update. */
const DELAYED = ['ok', 'delayed'] as const;

describe('an update without an answer', () => {
  it('that is read at once is agreed, and the next value an ordinary edit', () => {
    const world = linkedDeal({ prefer: 'crm' });
    sendOurs(world, ['ok', 'answer-lost']);
    expect(world.link().base).toMatchObject({ crm: { description: 'ours' }, vendor: { description: 'ours' } });
    expect(world.link().base?.inDoubtVendorWrites).toBeUndefined();
    enterAtVendor(world, 'green');
    expect(shown(world)).toEqual(both('green'));
  });

  it.each(['later', 'crm'] as const)(
    'and a reading between two edits (%s): the second is an ordinary edit',
    (prefer) => {
      const world = linkedDeal({ prefer });
      sendOurs(world, DELAYED, 'blue');
      expect(shown(world)).toEqual(both(prefer === 'crm' ? 'ours' : 'blue'));
      enterAtVendor(world, 'green');
      expect(shown(world)).toEqual(both('green'));
    },
  );

  it('and two edits while the conflict waits for a person: the second decides it', () => {
    const world = linkedDeal({ rules: { description: 'manual' } });
    sendOurs(world, DELAYED, 'blue');
    expect(world.link().state).toBe('conflict');
    enterAtVendor(world, 'green');
    expect(world.link().state).toBe('in-sync');
    expect(shown(world)).toEqual(both('green'));
  });

  it('and a user who enters the same value and is read: the next value is an ordinary edit', () => {
    const world = linkedDeal({ prefer: 'crm' });
    sendOurs(world, DELAYED, 'ours');
    expect(world.link().base?.inDoubtVendorWrites).toBeUndefined();
    enterAtVendor(world, 'green');
    expect(shown(world)).toEqual(both('green'));
  });

  it('that arrives while a conflict waits for a person ends the conflict', () => {
    const world = linkedDeal({ rules: { description: 'manual' } });
    sendOurs(world, DELAYED, 'green');
    expect(world.link().state).toBe('conflict');
    arriveLate(world);
    expect(world.link().state).toBe('in-sync');
    expect(shown(world)).toEqual(both('ours'));
  });

  it('that arrives over an edit that Lockstep has followed gives way; over one that it has not read, the edit is lost', () => {
    const world = linkedDeal();
    sendOurs(world, DELAYED, 'green');
    world.editVendor({ description: 'red' });
    arriveLate(world);
    expect(shown(world)).toEqual(both('green'));
  });

  it('that arrives over an unread edit after it was sent again: the edit is lost', () => {
    const world = linkedDeal();
    sendOurs(world, DELAYED);
    world.editVendor({ description: 'red' });
    arriveLate(world);
    expect(shown(world)).toEqual(both('ours'));
  });

  it.each([0, 3_600])(
    'stays in doubt while nobody changes the record: its value, entered %i s later, is lost',
    (seconds) => {
      const world = linkedDeal();
      sendOurs(world, ['ok', 'unavailable'], null);
      const { leftAt } = world.link().base?.inDoubtVendorWrites?.sent[0] ?? {};
      expect(leftAt).toBeDefined();
      enterAtVendor(world, 'green');
      waitSeconds(world, seconds);
      enterAtVendor(world, 'ours');
      expect(shown(world)).toEqual(both('green'));
    },
  );

  it('is sent again over the old value, although a vendor user has entered it again', () => {
    const world = linkedDeal();
    sendOurs(world, ['ok', 'answer-lost'], 'old');
    expect(shown(world)).toEqual(both('ours'));
  });

  it('is proved by one field; the other field, edited since, has a conflict', () => {
    const world = linkedDeal();
    world.editCrm({ Description: 'ours', Vendor_Next_Milestone__c: 'M' });
    world.activate('crm', ['ok', 'killed']);
    enterAtVendor(world, 'green');
    expect(world.link().base?.inDoubtVendorWrites).toBeUndefined();
    expect(world.decisions.at(-1)).toMatchObject({ field: 'description', verdict: 'conflict-vendor' });
  });

  it('counts as a save of the vendor’s record, which wins over a later edit in the CRM', () => {
    const world = linkedDeal();
    sendOurs(world, DELAYED);
    world.editVendor({ nextMilestone: 'earlier' });
    world.editCrm({ Vendor_Next_Milestone__c: 'later' });
    expect(world.arrive()).toBe(true);
    world.activate('any');
    expect(world.crmRecord().nextMilestone).toBe('earlier');
  });
});

it('after an answer, the old value that a vendor user enters again is an edit', () => {
  const world = linkedDeal();
  sendOurs(world, []);
  enterAtVendor(world, 'old');
  expect(shown(world)).toEqual(both('old'));
});

it('an ignored value counts as set back if a vendor user edits another field before it is read', () => {
  const world = linkedDeal({}, { vendor: { ignores: ['nextMilestone'] } });
  world.editCrm({ Vendor_Next_Milestone__c: 'M' });
  world.activate('crm');
  enterAtVendor(world, 'green');
  expect(world.crmRecord().nextMilestone).toBeNull();
});

it.each([
  ['old', 'green'],
  ['mine', 'mine'],
])('a CRM write without an answer, and a CRM user’s "%s": both sides have "%s"', (entered, end) => {
  const world = linkedDeal();
  world.editVendor({ description: 'green' });
  world.activate('vendor', ['ok', 'killed']);
  expect(world.crmRecord().description).toBe('green');
  world.editCrm({ Description: entered });
  world.activate('crm');
  expect(shown(world)).toEqual(both(end));
});
