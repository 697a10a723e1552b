import { expect, test } from 'vitest';
import { sameValue } from '../../src/domain/mapping/index.ts';
import { isNormalised } from '../../src/domain/merge/normalised.ts';
import type { FieldName, Observed } from '../../src/domain/record/canonical.ts';
import { isOpen } from '../../src/domain/record/issue.ts';
import { processEnvironment } from '../../src/platform/settings.ts';
import { lineRow, mappingConfig } from '../support/mapping/fixtures.ts';
import fc from '../support/properties.ts';
import { createEngineWorld, type EngineWorld, type Fault } from '../support/value-engine/world.ts';

/** The promises of the engine as a whole, with both sides as values: CON, NLU, QUI and DUP. */

/** More of them find more: `LOCKSTEP_ROUNDS=20000 npm test -- --project property engine-rounds`. */
const RUNS = Number(processEnvironment()['LOCKSTEP_ROUNDS'] ?? 300);

type Edit = {
  readonly side: 'crm' | 'vendor';
  readonly field: FieldName;
  readonly value: unknown;
};

const CRM_NAMES: Partial<Record<FieldName, string>> = {
  name: 'Name',
  description: 'Description',
  nextMilestone: 'Vendor_Next_Milestone__c',
  closeDate: 'CloseDate',
  forecastCategory: 'Vendor_Forecast_Category__c',
  dsOwnerEmail: 'Vendor_Owner_Email__c',
  competitors: 'Vendor_Competitors__c',
};

const value = fc.integer({ min: 1, max: 999 });
const side = fc.constantFrom('crm' as const, 'vendor' as const);
const text = fc
  .tuple(fc.constantFrom<FieldName>('name', 'description', 'nextMilestone'), value, fc.constantFrom('', ' ', '  x'))
  .map(([field, n, tail]) => ({ field, value: `text ${n}${tail}` }));
const other = fc.oneof(
  value.map((n) => ({ field: 'closeDate' as const, value: `20${10 + (n % 80)}-0${1 + (n % 9)}-15` })),
  fc.constantFrom('UPSIDE', 'COMMIT', 'SAFE').map((code) => ({ field: 'forecastCategory' as const, value: code })),
  value.map((n) => ({ field: 'dsOwnerEmail' as const, value: `m${n}@vendor.test` })),
  value.map((n) => ({ field: 'competitors' as const, value: [`C${n % 5}`, `C${n % 7}X`] })),
  fc.constantFrom('QUALIFIED', 'OPPY_OPEN', 'OPPY_VALID').map((code) => ({ field: 'status' as const, value: code })),
);
const edit: fc.Arbitrary<Edit> = fc.tuple(side, fc.oneof(text, other)).map(([at, change]) => ({ side: at, ...change }));

const STAGES: Readonly<Record<string, string>> = {
  QUALIFIED: 'Qualification',
  OPPY_OPEN: 'Value Proposition',
  OPPY_VALID: 'Proposal/Price Quote',
};

function apply(world: EngineWorld, { side: at, field, value: to }: Edit): void {
  if (at === 'vendor') {
    if (!world.vendor.exists()) return;
    world.editVendor({ [field]: field === 'closeDate' ? `${to}T00:00:00.000Z` : to });
  } else if (field === 'status') {
    world.editCrm({ StageName: STAGES[String(to)] ?? null });
  } else {
    world.editCrm({ [String(CRM_NAMES[field])]: Array.isArray(to) ? to.join(';') : String(to) });
  }
}

const FIELDS_UNDER_TEST = [...Object.keys(CRM_NAMES), 'status'] as FieldName[];
const fault = fc.constantFrom<Fault>('ok', 'ok', 'late', 'answer-lost', 'unavailable', 'killed');
const round = fc.record({
  edits: fc.array(edit, { maxLength: 4 }),
  faults: fc.array(fault, { maxLength: 5 }),
  cause: fc.constantFrom('crm' as const, 'vendor' as const, 'any' as const),
});
const habits = fc.record(
  {
    trims: fc.boolean(),
    rounds: fc.boolean(),
    retainsRows: fc.constantFrom('until cleared', 'always'),
    ignores: fc.constantFrom<string[]>([], [], ['description'], ['competitors', 'forecastCategory']),
  },
  { requiredKeys: ['trims', 'rounds', 'ignores'] },
);

/** What a run leaves when it has come to rest: how many writes each of the last looks made. */
function rest(world: EngineWorld): number[] {
  return [1, 2, 3].map(() => {
    const before = world.writes.length;
    world.activate('any');
    return world.writes.length - before;
  });
}

function differing(world: EngineWorld, fields: readonly FieldName[]): FieldName[] {
  const [crm, vendor] = [world.crmRecord(), world.vendorRecord()];
  const defaulted = new Set(world.link().base?.defaulted);
  return fields.filter(
    (field) =>
      !defaulted.has(field) &&
      !sameValue(field, crm[field], vendor[field], world.config) &&
      !isNormalised(field, crm[field], vendor[field]),
  );
}

const prefer = fc.constantFrom('crm' as const, 'vendor' as const);

test('CON, QUI, DUP: whatever is edited and lost, both sides come to say the same, and writing stops', () => {
  fc.assert(
    fc.property(fc.array(round, { minLength: 1, maxLength: 6 }), habits, prefer, (rounds, vendor, side) => {
      const world = createEngineWorld({ vendor, config: mappingConfig({ prefer: side }) });
      for (const { edits, faults, cause } of rounds) {
        world.activate(cause, faults);
        for (const one of edits) apply(world, one);
      }
      const writes = rest(world);
      expect(writes.slice(2)).toEqual([0]);
      expect(writes[1]).toBe(0);
      const result = [...openFields(world), ...withheldForecast(world)];
      expect(differing(world, FIELDS_UNDER_TEST).filter((field) => !result.includes(field))).toEqual([]);
      expect(world.writes.filter((write) => write.startsWith('create'))).toHaveLength(1);
      // Nobody entered it: the vendor's default stays at the vendor.
      expect(world.crmRecord().reasonLost).toEqual([]);
    }),
    { numRuns: RUNS },
  );
});

/** Fields that the CRM's users are notified of as different. */
function openFields(world: EngineWorld): (string | null)[] {
  return world
    .link()
    .issues.filter(isOpen)
    .map((issue) => issue.field);
}

/** Sales spec 2.3: a lead's forecast is ignored, so the CRM's waits until the status allows it. */
function withheldForecast(world: EngineWorld): FieldName[] {
  const lead = ['LEAD_OPEN', 'QUALIFIED', 'ACCEPTED'].includes(String(world.crmRecord().status));
  return lead ? differing(world, ['forecastCategory']) : [];
}

test('NLU: a field that one side alone edits ends as that side left it', () => {
  fc.assert(
    fc.property(fc.array(round, { minLength: 1, maxLength: 6 }), habits, prefer, (rounds, vendor, side) => {
      const world = createEngineWorld({ vendor, config: mappingConfig({ prefer: side }) });
      // A write whose echo was not seen before the vendor's next edit cannot be distinguished from a write that they reverted.
      const settled = () => (vendor.ignores.length > 0 ? rest(world) : []);
      world.activate('any');
      settled();
      const last = new Map<FieldName, Edit>();
      for (const { edits, faults, cause } of rounds) {
        const lone = edits.filter((one) => (last.get(one.field)?.side ?? one.side) === one.side);
        for (const one of lone) {
          if ((last.get(one.field)?.side ?? one.side) !== one.side) continue;
          apply(world, one);
          last.set(one.field, one);
        }
        world.activate(cause, faults);
        settled();
      }
      rest(world);
      const [crm, seen] = [world.crmRecord(), world.vendorRecord()];
      for (const { field, side: at, value: to } of last.values()) {
        const own = at === 'crm' ? crm[field] : seen[field];
        const kept = sameValue(field, own, to, world.config) || isNormalised(field, to, own);
        expect({ field, at, kept, own, to }).toMatchObject({ kept: true });
      }
    }),
    { numRuns: RUNS },
  );
});

test('NLU: where both sides edit, the value that goes is named in the decisions', () => {
  const both = fc.array(fc.record({ edits: fc.array(edit, { maxLength: 6 }) }), {
    minLength: 1,
    maxLength: 5,
  });
  fc.assert(
    fc.property(both, prefer, (rounds, side) => {
      const world = createEngineWorld({ config: mappingConfig({ prefer: side }) });
      world.activate('any');
      for (const { edits } of rounds) {
        for (const one of edits) apply(world, one);
        const before = world.decisions.length;
        const lasting = new Map(
          edits.filter((one) => isEdit(world, one)).map((one) => [`${one.side} ${one.field}`, one]),
        );
        world.activate('any');
        const result = world.decisions.slice(before);
        const [crm, seen] = [world.crmRecord(), world.vendorRecord()];
        for (const { field, side: at, value: to } of lasting.values()) {
          const survives = [crm[field], seen[field]].some((now) => sameValue(field, now, to, world.config));
          const loser = at === 'crm' ? 'conflict-vendor' : 'conflict-crm';
          const named = result.some((row) => row.field === field && row.verdict === loser);
          expect({ field, at, to, known: survives || named }).toMatchObject({ known: true });
        }
      }
    }),
    { numRuns: RUNS },
  );
});

/** Whether an edit left its side different from what was agreed, and not only in a form that a side may give it. */
function isEdit(world: EngineWorld, { side: at, field, value: to }: Edit): boolean {
  const now = at === 'crm' ? world.crmRecord() : world.vendorRecord();
  const agreed = world.link().base?.[at][field] ?? null;
  const lasts = sameValue(field, now[field], to, world.config);
  return lasts && !sameValue(field, to, agreed, world.config) && !isNormalised(field, agreed, to);
}

const lineEdit = fc.record({
  side,
  what: fc.constantFrom('amount', 'add', 'remove'),
  index: fc.nat(4),
  amount: fc.integer({ min: 1, max: 99_999 }).map((cents) => cents / 100),
  offer: fc.constantFrom('OFFER-A', 'OFFER-B', 'OFFER-C'),
});

test('CON, QUI for lines: edits of lines on both sides come to rest in one list', () => {
  const rounds = fc.array(fc.array(lineEdit, { maxLength: 3 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(rounds, habits, fc.array(fault, { maxLength: 4 }), (edits, vendor, faults) => {
      const world = createEngineWorld({ vendor });
      world.activate('any');
      for (const some of edits) {
        for (const one of some) editLines(world, one);
        world.activate('any', faults);
      }
      const writes = rest(world);
      // Rows that the vendor keeps show only after the list was sent, and are cleared in the round after that.
      expect(writes[vendor.retainsRows === undefined ? 1 : 2]).toBe(0);
      const whole = vendor.rounds === true;
      // A list that the vendor shows as it was before Lockstep's last write counts as not accepted, and users are notified.
      if (openFields(world).includes('offerLines')) return;
      expect(lineKeys(world.crmRecord(), whole)).toEqual(lineKeys(world.vendorRecord(), whole));
    }),
    { numRuns: RUNS },
  );
});

function lineKeys(record: Observed, whole: boolean): readonly string[] {
  const amount = (text: string | null): number => (whole ? Math.round(Number(text)) : Number(text));
  return (record.offerLines ?? []).map((line) => `${line.offerNameId} ${amount(line.amount)}`).sort();
}

let added = 0;

function editLines(world: EngineWorld, one: typeof lineEdit extends fc.Arbitrary<infer T> ? T : never): void {
  added += 1;
  const fresh = { offerNameId: one.offer, amount: one.amount, revenueType: null };
  const change = <T>(rows: readonly T[], amount: (row: T) => T, make: T): readonly T[] => {
    if (one.what === 'add') return [...rows, make];
    if (one.what === 'remove') return rows.length < 2 ? rows : rows.filter((_, at) => at !== one.index % rows.length);
    return rows.map((row, at) => (at === one.index % rows.length ? amount(row) : row));
  };
  if (one.side === 'crm') {
    const id = `00k00000000${String(added).padStart(4, '0')}AAB`;
    world.editCrmLines((rows) =>
      change(rows, (row) => ({ ...row, TotalPrice: one.amount }), lineRow(id, one.offer, one.amount, null)),
    );
  } else {
    const rows = world.vendor.now()['offerLines'] as Record<string, unknown>[];
    world.editVendor({ offerLines: change(rows, (row) => ({ ...row, amount: one.amount }), fresh) });
  }
}
