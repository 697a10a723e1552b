import { expect, test } from 'vitest';
import type { FieldName } from '../../src/domain/record/canonical.ts';
import { processEnvironment } from '../../src/platform/settings.ts';
import { mappingConfig } from '../support/mapping/fixtures.ts';
import fc from '../support/properties.ts';
import { createEngineWorld, type EngineWorld, type Fault } from '../support/value-engine/world.ts';

/** Lockstep's own updates never count as edits of vendor users, however their answers are lost and however late they arrive. */

/** More of them find more: `LOCKSTEP_ROUNDS=20000 npm test -- --project property own-writes`. */
const RUNS = Number(processEnvironment()['LOCKSTEP_ROUNDS'] ?? 600);

type Edit = { readonly side: 'crm' | 'vendor'; readonly field: FieldName; readonly value: string };

/** The fields that CRM users edit, and those that vendor users edit. */
const CRM_FIELDS = {
  description: 'Description',
  nextMilestone: 'Vendor_Next_Milestone__c',
  competitors: 'Vendor_Competitors__c',
};
const VENDOR_FIELDS = ['gtmTacticId', 'cometCampaignCode'] as const;

const few = fc.constantFrom('A', 'B');
const edit = fc.oneof(
  fc.record({
    side: fc.constant('crm'),
    field: fc.constantFrom(...(Object.keys(CRM_FIELDS) as FieldName[])),
    value: few,
  }),
  fc.record({ side: fc.constant('vendor'), field: fc.constantFrom(...VENDOR_FIELDS), value: few }),
) as fc.Arbitrary<Edit>;
const fault = fc.constantFrom<Fault>(
  'ok',
  'late',
  'delayed',
  'delayed',
  'delayed',
  'answer-lost',
  'answer-lost',
  'killed',
);
/** Readings that lag may show a state that was never read before, which cannot be distinguished from an update that arrives late. */
const never = fc.constantFrom<Fault>('late', 'delayed');
const round = fc.record({
  edits: fc.array(edit, { maxLength: 2 }),
  faults: fc.array(fault, { maxLength: 5 }),
  /** What happens after so many commands of the round: a delayed update arrives, or a user edits. */
  meanwhile: fc.array(fc.record({ after: fc.nat(12), what: fc.oneof(fc.constant('arrival' as const), edit) }), {
    maxLength: 4,
  }),
  cause: fc.constantFrom('crm' as const, 'vendor' as const, 'any' as const),
});
const habits = fc.record(
  {
    trims: fc.boolean(),
    retainsRows: fc.constantFrom('until cleared', 'always'),
    ignores: fc.constantFrom<(FieldName & string)[]>(['description'], ['nextMilestone']),
  },
  { requiredKeys: ['trims'] },
);

const FROM_VENDOR: ReadonlySet<string> = new Set([
  'to-crm',
  'conflict-vendor',
  'conflict-crm',
  'conflict-held',
  'merged',
]);
/** The rule of a field that is sent again because the vendor ignored it. */
const IGNORED = 'over the former value of the vendor';

test('a field that one side alone edits ends on both sides as that side left it, and is no edit of the other', () => {
  fc.assert(
    fc.property(fc.array(round, { minLength: 1, maxLength: 6 }), habits, never, (rounds, vendor, not) => {
      const world = createEngineWorld({ vendor, config: mappingConfig({ prefer: 'vendor' }) });
      for (let look = 0; look < 2; look += 1) world.activate('any');
      const last = new Map<FieldName, Edit>();
      const enter = (one: Edit): void => {
        // Before a reading shows that a value was ignored, the vendor's next edit cannot be distinguished from setting it back.
        if (vendor.ignores?.includes(one.field)) return;
        apply(world, one);
        last.set(one.field, one);
      };
      for (const { edits, faults, meanwhile, cause } of rounds) {
        edits.forEach(enter);
        const befalls = faults.map((one) => (one === not ? 'ok' : one));
        world.activate(cause, befalls, (n) => {
          for (const { after, what } of meanwhile) {
            if (after !== n) continue;
            if (what === 'arrival') world.arrive();
            else enter(what);
          }
        });
      }
      while (world.arrive()) {}
      for (let look = 0; look < 3; look += 1) world.activate('any');
      const taken = world.decisions.filter(
        ({ field, verdict, rule }) => field in CRM_FIELDS && FROM_VENDOR.has(verdict) && rule !== IGNORED,
      );
      expect(taken.map(({ field, verdict, rule }) => `${field} ${verdict} ${rule}`)).toEqual([]);
      const [crm, seen] = [world.crmRecord(), world.vendorRecord()];
      for (const { field, value } of last.values()) {
        const to = field === 'competitors' ? [value] : value;
        // A vendor that merges lists may keep removed codes.
        const sides = field === 'competitors' && vendor.retainsRows === 'always' ? [crm] : [crm, seen];
        const shown = sides.map((side) => side[field]);
        expect({ field, shown }).toEqual({ field, shown: shown.map(() => to) });
      }
    }),
    { numRuns: RUNS },
  );
});

function apply(world: EngineWorld, { side, field, value }: Edit): void {
  if (side === 'crm') world.editCrm({ [CRM_FIELDS[field as keyof typeof CRM_FIELDS]]: value });
  else if (world.vendor.exists()) world.editVendor({ [field]: value });
}
