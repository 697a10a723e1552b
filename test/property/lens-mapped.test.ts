import { expect, test } from 'vitest';
import { afterCrmWrite, crmWrite, observeCrm, sameValue } from '../../src/domain/mapping/index.ts';
import type { FieldMapping } from '../../src/domain/record/mapping-config.ts';
import type { Transform } from '../../src/domain/record/transform.ts';
import { isExact } from '../../src/domain/values/transforms.ts';
import { crmGraph, mappingConfig } from '../support/mapping/fixtures.ts';
import fc from '../support/properties.ts';

/** Laws of a field with a tenant's default, transforms and value table: a written value reads back as equal, or is reported. */

const word = fc.stringMatching(/^[A-Za-z0-9-]{1,8}$/);
const mark = fc.stringMatching(/^[A-Z]{1,2}-?$/);
const transform: fc.Arbitrary<Transform> = fc.oneof(
  fc.constantFrom('trim', 'upper', 'lower', 'digits').map((kind) => ({ kind }) as const),
  fc.nat(6).map((length) => ({ kind: 'truncate', length: length + 1 }) as const),
  fc
    .tuple(fc.constantFrom('prefix', 'suffix', 'without-prefix', 'without-suffix'), mark)
    .map(([kind, text]) => ({ kind, text }) as const),
);
const pairs = fc.uniqueArray(fc.tuple(word, word), { maxLength: 4, selector: ([crm]) => crm });
const mapping: fc.Arbitrary<FieldMapping> = fc.record(
  { default: word, transform: fc.array(transform, { maxLength: 3 }), values: pairs },
  { requiredKeys: [] },
);

/** A deal whose two fields hold these in the CRM, and a mapping of them. */
const cases = fc.record({
  mapping,
  tactic: fc.option(word, { nil: null }),
  rivals: fc.array(word, { maxLength: 3 }),
  target: fc.option(word, { nil: null }),
  targets: fc.uniqueArray(word, { maxLength: 3 }),
});
type Case = typeof cases extends fc.Arbitrary<infer C> ? C : never;

/** Its mark is never found: what it is looked for in has no capitals. */
const NEVER_STRIPPED: Case = {
  mapping: { transform: [{ kind: 'lower' }, { kind: 'without-prefix', text: 'A' }] },
  ...{ tactic: null, rivals: [], target: null, targets: ['-'] },
};

const configOf = ({ mapping: each }: Case) => mappingConfig({ fields: { gtmTacticId: each, competitors: each } });
const graphOf = ({ tactic, rivals }: Case) =>
  crmGraph({ Vendor_GTM_Tactic__c: tactic, Vendor_Competitors__c: rivals.join(';') || null });

test('what is written reads back as the change, or is reported', () => {
  fc.assert(
    fc.property(cases, (given) => {
      const config = configOf(given);
      const changes = { gtmTacticId: given.target, competitors: given.targets };
      const { write, issues } = crmWrite(changes, graphOf(given), { config });
      const after = write === null ? graphOf(given) : afterCrmWrite(graphOf(given), write);
      const seen = observeCrm(after, config).record;
      for (const field of ['gtmTacticId', 'competitors'] as const)
        if (!issues.some((issue) => issue.field === field))
          expect(sameValue(field, seen[field], changes[field], config), field).toBe(true);
      expect(crmWrite(changes, after, { config }).write).toBeNull();
    }),
    { numRuns: 1_000, examples: [[NEVER_STRIPPED]] },
  );
});

test('writing back what the CRM shows changes nothing', () => {
  fc.assert(
    fc.property(cases, (given) => {
      const config = configOf(given);
      const { gtmTacticId, competitors } = observeCrm(graphOf(given), config).record;
      const shown = {
        ...(gtmTacticId === undefined ? {} : { gtmTacticId }),
        ...(competitors === undefined ? {} : { competitors }),
      };
      expect(crmWrite(shown, graphOf(given), { config }).write).toBeNull();
    }),
    { numRuns: 1_000 },
  );
});

test('a transform that loses nothing takes every value that it can make', () => {
  fc.assert(
    fc.property(
      transform.filter((one) => isExact([one])),
      word,
      (one, text) => {
        const config = mappingConfig({ fields: { gtmTacticId: { transform: [one] } } });
        const { gtmTacticId = null } = observeCrm(crmGraph({ Vendor_GTM_Tactic__c: text }), config).record;
        const empty = crmGraph({ Vendor_GTM_Tactic__c: null });
        const { write, issues } = crmWrite({ gtmTacticId }, empty, { config });
        expect(issues).toEqual([]);
        const after = write === null ? empty : afterCrmWrite(empty, write);
        expect(observeCrm(after, config).record.gtmTacticId).toBe(gtmTacticId);
      },
    ),
  );
});

test('the comparison stays an equivalence', () => {
  fc.assert(
    fc.property(mapping, fc.array(fc.option(word, { nil: null }), { minLength: 3, maxLength: 3 }), (each, values) => {
      const config = mappingConfig({ fields: { gtmTacticId: each } });
      const same = (a: unknown, b: unknown) => sameValue('gtmTacticId', a, b, config);
      const [a, b, c] = values;
      expect(same(a, a)).toBe(true);
      expect(same(a, b)).toBe(same(b, a));
      if (same(a, b) && same(b, c)) expect(same(a, c)).toBe(true);
    }),
  );
});
