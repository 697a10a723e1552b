import { expect, test } from 'vitest';
import { baseAfterCrmWrite, baseAfterMerge, baseAfterVendorWrite } from '../../src/domain/base/next-base.ts';
import { underMapping, withResync } from '../../src/domain/base/under-mapping.ts';
import { undoOf } from '../../src/domain/decide/undo.ts';
import { writeLine } from '../../src/domain/evolve/journal-lines.ts';
import { sameValue } from '../../src/domain/mapping/index.ts';
import { merge } from '../../src/domain/merge/merge.ts';
import type { Base } from '../../src/domain/record/base.ts';
import type { FieldName, Observed } from '../../src/domain/record/canonical.ts';
import type { JournalEntry } from '../../src/domain/record/journal.ts';
import type { CrmObservation, VendorObservation } from '../../src/domain/record/observation.ts';
import type { WritePlan } from '../../src/domain/record/plan.ts';
import { mappingConfig } from '../support/mapping/fixtures.ts';
import fc from '../support/properties.ts';
import { agreedBase } from '../support/value-engine/samples.ts';

/** A model of one deal: any run of edits, backfills and an undo leaves the world as before, but for later edits. */

const FIELDS = ['description', 'nextMilestone', 'competitors'] as const satisfies readonly FieldName[];
type Field = (typeof FIELDS)[number];
type Side = 'crm' | 'vendor';

const VALUES: Readonly<Record<Field, readonly unknown[]>> = {
  description: [null, 'a', 'b', 'c'],
  nextMilestone: [null, 'x', 'y'],
  competitors: [[], ['ACME'], ['ACME', 'GLOBEX']],
};

type Step =
  | { readonly do: 'edit'; readonly side: Side; readonly field: Field; readonly value: unknown }
  | { readonly do: 'sync' }
  | { readonly do: 'backfill'; readonly field: Field };

const edit: fc.Arbitrary<Step> = fc
  .record({ side: fc.constantFrom<Side>('crm', 'vendor'), field: fc.constantFrom(...FIELDS), n: fc.nat(10) })
  .map(({ side, field, n }) => ({ do: 'edit', side, field, value: VALUES[field][n % VALUES[field].length] }));
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: edit },
  { weight: 3, arbitrary: fc.constant<Step>({ do: 'sync' }) },
  { weight: 1, arbitrary: fc.constantFrom(...FIELDS).map((field): Step => ({ do: 'backfill', field })) },
);

/** One deal, with the pure functions of the engine instead of workflow, ledger and remotes. */
class Deal {
  readonly shown: Record<Side, Observed>;
  readonly journal: JournalEntry[] = [];
  readonly config;
  base: Base;
  /** What each side had of a field at the begin of the run, or since users brought both sides to one value themselves. */
  readonly start = new Map<FieldName, readonly [unknown, unknown]>();
  since = '';
  #second = 0;

  constructor(rule: Side, start: Observed) {
    this.config = mappingConfig({ rules: Object.fromEntries(FIELDS.map((field) => [field, rule])) });
    this.base = agreedBase(start);
    this.shown = { crm: start, vendor: start };
  }

  now(): string {
    this.#second += 1;
    return new Date(Date.UTC(2026, 0, 1) + 1_000 * this.#second).toISOString();
  }

  set(side: Side, field: Field, value: unknown): void {
    this.shown[side] = { ...this.shown[side], [field]: value };
  }

  /** Reads both sides, decides and writes, until nothing is left to write. */
  sync(): void {
    for (let pass = 0; pass < 10; pass += 1) if (!this.#pass()) return;
    throw new Error('it does not come to rest');
  }

  #pass(): boolean {
    const { config } = this;
    const crm = { record: this.shown.crm, graph: { opportunity: {} }, issues: [] } as unknown as CrmObservation;
    const vendor = { record: this.shown.vendor, version: null, readOnly: {} } as unknown as VendorObservation;
    const before = underMapping(this.base, config);
    const unknown = { after: null, until: null };
    const merged = merge({
      ...{ base: before, crm: crm.record, vendor: vendor.record, untranslatable: new Set<FieldName>(), pick: null },
      ...{ crmChange: unknown, vendorChange: unknown, config },
    });
    const base = baseAfterMerge(before, merged, crm, vendor);
    const { toVendor, toCrm, decisions } = merged;
    for (const { field, verdict } of decisions)
      if (verdict === 'same' && !this.#writes(field)) this.start.set(field, this.pair(field as Field));
    this.base = base;
    if (Object.keys(toVendor).length > 0) {
      const intent = { body: {}, fields: Object.keys(toVendor) as FieldName[], record: toVendor };
      const sent = { alsoToCrm: toCrm, shown: vendor.record, version: null };
      // The vendor answers, and shows the write at once.
      const baseAfter = { ...baseAfterVendorWrite(base, crm, intent, sent), awaitingEcho: [] };
      this.shown.vendor = { ...this.shown.vendor, ...toVendor };
      this.#note(
        { next: 'update-at-vendor', reason: '', intent, decisions, baseAfter } as unknown as WritePlan,
        'updated',
      );
      return true;
    }
    if (Object.keys(toCrm).length === 0) return false;
    const shown = { ...this.shown.crm, ...toCrm };
    const baseAfter = baseAfterCrmWrite(base, shown, vendor, Object.keys(toCrm) as FieldName[]);
    this.shown.crm = shown;
    this.#note({ next: 'write-crm', reason: '', decisions, baseAfter } as unknown as WritePlan, 'written');
    return true;
  }

  /** Whether Lockstep has written a field since the begin of the run. */
  #writes(field: FieldName): boolean {
    return this.#lines().some(({ decisions }) => decisions.some((one) => one.field === field));
  }

  #lines(): readonly JournalEntry[] {
    return this.journal.filter(({ at }) => at >= this.since);
  }

  /** Begins the run that is undone later. */
  begin(): void {
    this.since = this.now();
    for (const field of FIELDS) this.start.set(field, this.pair(field));
  }

  #note(plan: WritePlan, answer: string): void {
    this.base = (plan as { baseAfter: Base }).baseAfter;
    this.journal.push(JSON.parse(JSON.stringify(writeLine(plan, this.now(), answer))) as JournalEntry);
  }

  /** What each side shows of a field. */
  pair(field: Field): readonly [unknown, unknown] {
    return [this.shown.crm[field], this.shown.vendor[field]];
  }

  isSame(field: Field, [crm, vendor]: readonly [unknown, unknown]): boolean {
    const [inCrm, atVendor] = this.pair(field);
    return sameValue(field, inCrm, crm, this.config) && sameValue(field, atVendor, vendor, this.config);
  }

  run(steps: readonly Step[]): void {
    for (const one of steps) {
      if (one.do === 'edit') this.set(one.side, one.field, one.value);
      if (one.do === 'backfill') this.base = withResync(this.base, [one.field]);
      if (one.do !== 'edit') this.sync();
    }
  }

  undo(since: string): ReadonlySet<FieldName> {
    const link = { state: 'in-sync', base: this.base, crmId: 'C1', vendorId: 'V1' } as const;
    const { fields } = undoOf(link, this.journal, { scope: { of: 'since', since } }, this.config);
    this.base = { ...this.base, goingBack: Object.fromEntries(fields.map(({ field, back }) => [field, back])) };
    return new Set(fields.map(({ field }) => field));
  }
}

const UNSET = [null, null] as const;
const START: Observed = { description: 'a', nextMilestone: 'x', competitors: ['ACME'] };

/** The values of a field before the run: those at its start, or each side's own if its first write decided between two. */
function before(deal: Deal, field: Field): readonly [unknown, unknown] {
  const first = deal.journal
    .filter(({ at }) => at >= deal.since)
    .flatMap(({ decisions }) => decisions)
    .find((one) => one.field === field);
  const isContest = first?.verdict === 'conflict-crm' || first?.verdict === 'conflict-vendor';
  const hadNoBase = first?.base.crm === undefined || first.base.vendor === undefined;
  return first !== undefined && (isContest || hadNoBase) ? [first.crm, first.vendor] : (deal.start.get(field) ?? UNSET);
}

test('any run of edits, backfills and an undo leaves the world as before, but for later edits', () => {
  let undone = 0;
  fc.assert(
    fc.property(
      ...([fc.constantFrom<Side>('crm', 'vendor'), fc.array(step, { maxLength: 12 })] as const),
      ...([fc.array(step, { maxLength: 12 }), fc.array(edit, { maxLength: 2 })] as const),
      (rule, earlier, run, later) => {
        const deal = new Deal(rule, START);
        deal.run([...earlier, { do: 'sync' }]);
        deal.begin();
        deal.run([...run, { do: 'sync' }]);
        const afterRun = new Map(FIELDS.map((field) => [field, deal.pair(field)]));
        const planned = deal.undo(deal.since);
        for (const one of later) if (one.do === 'edit') deal.set(one.side, one.field, one.value);
        const isEdited = new Map(FIELDS.map((field) => [field, !deal.isSame(field, afterRun.get(field) ?? UNSET)]));
        const expected = new Map(FIELDS.map((field) => [field, before(deal, field)]));
        deal.sync();
        expect(deal.base.goingBack).toBeUndefined();
        for (const field of FIELDS) {
          const [inCrm, atVendor] = deal.pair(field);
          if (isEdited.get(field) === true) {
            // The later edit stays, and both sides agree on it, or on what the rule decides between two.
            expect([field, sameValue(field, inCrm, atVendor, deal.config)]).toEqual([field, true]);
          } else if (planned.has(field)) {
            undone += 1;
            expect([field, deal.isSame(field, expected.get(field) ?? UNSET)]).toEqual([field, true]);
          } else expect([field, deal.isSame(field, afterRun.get(field) ?? UNSET)]).toEqual([field, true]);
        }
      },
    ),
    { numRuns: 300 },
  );
  expect(undone).toBeGreaterThan(100);
});

test('an undo of an undo brings back what was undone', () => {
  fc.assert(
    fc.property(fc.constantFrom<Side>('crm', 'vendor'), fc.array(step, { maxLength: 12 }), (rule, run) => {
      const deal = new Deal(rule, START);
      const since = deal.now();
      deal.run([...run, { do: 'sync' }]);
      const afterRun = new Map(FIELDS.map((field) => [field, deal.pair(field)]));
      deal.undo(since);
      const undoneSince = deal.now();
      deal.sync();
      deal.undo(undoneSince);
      deal.sync();
      for (const field of FIELDS)
        expect([field, deal.isSame(field, afterRun.get(field) ?? UNSET)]).toEqual([field, true]);
    }),
    { numRuns: 300 },
  );
});
