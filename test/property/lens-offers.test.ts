import { expect, test } from 'vitest';
import { afterCrmWrite, crmWrite, observeCrm } from '../../src/domain/mapping/index.ts';
import type { OfferLine } from '../../src/domain/record/canonical.ts';
import type { CrmFields, CrmGraph } from '../../src/domain/record/crm-graph.ts';
import { OFFER_RULE_FIELDS, OFFER_RULE_KEYS, type OfferRule } from '../../src/domain/record/offer-rules.ts';
import { minorUnits } from '../../src/domain/values/currency.ts';
import { crmGraph, lineRow, mappingConfig } from '../support/mapping/fixtures.ts';
import fc from '../support/properties.ts';

/** Laws of lines whose products belong to offers by the tenant's rules: no table and no amount loses or makes money, either way. */

const value = fc.constantFrom('a', 'b');
const keys = Object.fromEntries(OFFER_RULE_KEYS.map((key) => [key, fc.option(value, { nil: undefined, freq: 1 })]));
const rules = fc.array(fc.record({ offer: fc.constantFrom('X', 'Y', null), ...keys }) as fc.Arbitrary<OfferRule>, {
  maxLength: 4,
});
const currency = fc.constantFrom('EUR', 'JPY', 'KWD');
/** In the smallest unit of the currency. */
const units = fc.integer({ min: -50_000, max: 1_000_000 });
const product = fc.record(Object.fromEntries(OFFER_RULE_KEYS.map((key) => [key, fc.option(value, { nil: null })])));
const row = fc.record({
  product,
  own: fc.constantFrom(null, null, 'X', 'Z'),
  units,
  type: fc.constantFrom(null, 'Upfront'),
});

type Row = (typeof row extends fc.Arbitrary<infer R> ? R : never) & object;

function graphOf(rows: readonly Row[], code: string): CrmGraph {
  const scale = 10 ** minorUnits(code);
  const lines = rows.map(({ product: of, own, units: amount, type }, at): CrmFields => {
    const cells = OFFER_RULE_KEYS.map((key) => [`Product2.${OFFER_RULE_FIELDS[key]}`, of[key] ?? null]);
    return { ...lineRow(`00k00000000000${at}AAA`, own, amount / scale, type), ...Object.fromEntries(cells) };
  });
  return crmGraph({ CurrencyIsoCode: code }, { lines });
}

/** The offer of a row, read plainly from the table. */
function offerOf({ product: of, own }: Row, table: readonly OfferRule[]): string | null {
  if (own !== null) return own;
  const rule = table.find((one) => OFFER_RULE_KEYS.every((key) => one[key] === undefined || one[key] === of[key]));
  return rule?.offer ?? null;
}

function sums(lines: readonly (readonly [offer: string | null, units: number])[]): Record<string, number> {
  const all: Record<string, number> = {};
  for (const [offer, amount] of lines) if (offer !== null) all[offer] = (all[offer] ?? 0) + amount;
  return all;
}

const inUnits = (amount: unknown, code: string): number => Math.round(Number(amount) * 10 ** minorUnits(code));
const sumsOf = (lines: readonly OfferLine[], code: string) =>
  sums(lines.map(({ offerNameId, amount }) => [offerNameId, inUnits(amount, code)]));

test('what the vendor gets of an offer is what the CRM has of its products, as one line', () => {
  fc.assert(
    fc.property(rules, fc.array(row, { maxLength: 7 }), currency, (offers, rows, code) => {
      const { record } = observeCrm(graphOf(rows, code), mappingConfig({ offers }));
      const lines = record.offerLines ?? [];
      expect(sumsOf(lines, code)).toEqual(sums(rows.map((one) => [offerOf(one, offers), one.units])));
      const ruled = rows.filter(({ own }) => own === null).map((one) => `${offerOf(one, offers)} ${one.type}`);
      const own = rows.filter((one) => one.own !== null).length;
      expect(lines).toHaveLength(own + new Set(ruled.filter((key) => !key.startsWith('null'))).size);
    }),
  );
});

test('what the vendor changes of an offer is what its products have afterwards, each still apart', () => {
  const edits = fc.array(units, { minLength: 7, maxLength: 7 });
  fc.assert(
    fc.property(rules, fc.array(row, { maxLength: 7 }), currency, edits, (offers, rows, code, amounts) => {
      const config = mappingConfig({ offers });
      const graph = graphOf(rows, code);
      const lines = observeCrm(graph, config).record.offerLines ?? [];
      const digits = minorUnits(code);
      const offerLines = lines.map((line, at) => ({
        ...line,
        amount: String((amounts[at] ?? 0) / 10 ** digits),
      }));
      const { write } = crmWrite({ offerLines }, graph, { config });
      const after = write === null ? graph : afterCrmWrite(graph, write);
      expect(after.lines.map((line) => line['Id'])).toEqual(graph.lines.map((line) => line['Id']));
      const shown = after.lines.map((line, at) => ({ ...rows[at], units: inUnits(line['TotalPrice'], code) }) as Row);
      expect(sums(shown.map((one) => [offerOf(one, offers), one.units]))).toEqual(sumsOf(offerLines, code));
      expect(crmWrite({ offerLines }, after, { config }).write).toBeNull();
      const others = (of: CrmGraph) => of.lines.filter((_, at) => offerOf(rows[at] as Row, offers) === null);
      expect(others(after)).toEqual(others(graph));
    }),
  );
});

test('a line that the vendor removes leaves with all its products, and no other', () => {
  fc.assert(
    fc.property(rules, fc.array(row, { minLength: 1, maxLength: 7 }), (offers, rows) => {
      const config = mappingConfig({ offers });
      const graph = graphOf(rows, 'EUR');
      const [, ...offerLines] = observeCrm(graph, config).record.offerLines ?? [];
      const { write } = crmWrite({ offerLines }, graph, { config });
      const after = write === null ? graph : afterCrmWrite(graph, write);
      expect(observeCrm(after, config).record.offerLines).toEqual(offerLines);
    }),
  );
});
