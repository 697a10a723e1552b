import { expect, test } from 'vitest';
import { replay } from '../../src/domain/decide/replay.ts';
import { merge } from '../../src/domain/merge/merge.ts';
import { FIELD_NAMES, NARROWABLE } from '../../src/domain/record/fields.ts';
import type { MappingConfig } from '../../src/domain/record/mapping-config.ts';
import { canonicalRecord, change } from '../support/arbitraries.ts';
import { mappingConfig } from '../support/mapping/fixtures.ts';
import fc from '../support/properties.ts';
import { mergeInput } from '../support/value-engine/samples.ts';

/** Laws of the replay of past decisions from the journal. */

const RULES = ['newest', 'crm', 'vendor', 'manual'] as const;
const DIRECTIONS = ['both', 'to-vendor', 'to-crm'] as const;
const narrowed = (direction: string) => Object.fromEntries(NARROWABLE.map((field) => [field, direction]));

/** A mapping in which all fields have one rule, and all that may have one direction. */
const mapping: fc.Arbitrary<MappingConfig> = fc
  .record({
    rule: fc.constantFrom(...RULES),
    direction: fc.constantFrom(...DIRECTIONS),
    prefer: fc.constantFrom('later', 'crm', 'vendor'),
    closeFromVendor: fc.boolean(),
  })
  .map(({ rule, direction, prefer, closeFromVendor }) =>
    mappingConfig({
      rules: Object.fromEntries(FIELD_NAMES.map((field) => [field, rule])),
      directions: narrowed(direction),
      ...{ prefer, closeFromVendor },
    } as Partial<MappingConfig>),
  );

const DAY = (day: number) => `2026-05-0${day}T00:00:00.000Z`;
const times = fc.constantFrom(
  { crmChange: { after: DAY(1), until: DAY(2) }, vendorChange: { after: DAY(2), until: DAY(3) } },
  { crmChange: { after: DAY(2), until: DAY(3) }, vendorChange: { after: DAY(1), until: DAY(2) } },
  { crmChange: { after: DAY(1), until: DAY(2) }, vendorChange: { after: DAY(1), until: DAY(3) } },
  { crmChange: { after: DAY(1), until: DAY(4) }, vendorChange: { after: DAY(1), until: DAY(3) } },
);

test('a replay says what the merge would have decided, or that it cannot be known', () => {
  let known = 0;
  let otherwise = 0;
  fc.assert(
    fc.property(
      ...([canonicalRecord, change, change, mapping, mapping, times] as const),
      (record, inCrm, atVendor, today, other, changed) => {
        const sides = [record, { ...record, ...inCrm }, { ...record, ...atVendor }] as const;
        const past = merge({ ...mergeInput(...sides), ...changed, config: today });
        const would = merge({ ...mergeInput(...sides), ...changed, config: other });
        for (const decision of past.decisions) {
          const replayed = replay(decision, { today, other });
          if (replayed.kind === 'unknown') continue;
          known += 1;
          const { field } = decision;
          const verdict = would.decisions.find((one) => one.field === field)?.verdict ?? 'unchanged';
          const said = replayed.kind === 'same' ? decision.verdict : replayed.would.verdict;
          if (replayed.kind === 'otherwise') otherwise += 1;
          // Of lines, a replay says only who decides about those that both sides changed.
          if (field !== 'offerLines') expect([field, said]).toEqual([field, verdict]);
        }
      },
    ),
  );
  expect([known > 100, otherwise > 20]).toEqual([true, true]);
});

test('a contest can always be replayed under a rule that needs no times', () => {
  fc.assert(
    fc.property(canonicalRecord, change, change, mapping, times, (record, inCrm, atVendor, today, changed) => {
      const sides = [record, { ...record, ...inCrm }, { ...record, ...atVendor }] as const;
      const { decisions } = merge({ ...mergeInput(...sides), ...changed, config: today });
      for (const decision of decisions.filter(({ verdict, field }) => /^conflict/.test(verdict) && field !== 'status'))
        for (const rule of ['crm', 'vendor', 'manual'] as const) {
          const other = { ...today, rules: { ...today.rules, [decision.field]: rule } };
          expect(replay(decision, { today, other }).kind).not.toBe('unknown');
        }
    }),
  );
});
